package gantry.judges.program;

import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.netty.NettyRemotingClient;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;

/// Deletes a topic the way mqadmin does: at the broker, then at the nameserver.
///
/// For:   a name that is used for another topic later.
/// Owner: one remoting client, closed at the end.
/// Never: a second try; a refusal is told.
///
/// Fields: topic, broker (its address), nameserver.
final class TopicDropper implements Role {
    private static final int DELETE_TOPIC_IN_BROKER = 215;
    private static final int DELETE_TOPIC_IN_NAMESRV = 216;
    private static final int TIMEOUT_MILLIS = 20_000;

    private final Line line;
    private final Report report;

    TopicDropper(Line line, Report report) {
        this.line = line;
        this.report = report;
    }

    @Override
    public void run() throws Exception {
        NettyRemotingClient client = new NettyRemotingClient(new NettyClientConfig());
        client.start();
        try {
            // 4.9 asks the list whether it has null.
            client.updateNameServerAddressList(new ArrayList<>(List.of(line.text("nameserver"))));
            drop(client, DELETE_TOPIC_IN_BROKER, line.text("broker"));
            drop(client, DELETE_TOPIC_IN_NAMESRV, line.text("nameserver"));
        } finally {
            client.shutdown();
        }
        report.tell("done");
    }

    private void drop(NettyRemotingClient client, int code, String address) throws Exception {
        RemotingCommand request = RemotingCommand.createRequestCommand(code, null);
        request.addExtField("topic", line.text("topic"));
        RemotingCommand answer = client.invokeSync(address, request, TIMEOUT_MILLIS);
        if (answer.getCode() != 0) {
            throw new IllegalStateException(address + " refuses: " + answer.getCode() + " " + answer.getRemark());
        }
    }
}
