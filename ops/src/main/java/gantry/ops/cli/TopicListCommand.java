package gantry.ops.cli;

import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.route.Routes;
import gantry.wire.body.TopicList;
import gantry.wire.frame.Command;
import gantry.wire.frame.RequestCodes;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;

/// `topicList`: every topic that the nameservers know.
///
/// For:   finding a topic.
/// Owner: the main thread.
@picocli.CommandLine.Command(name = "topicList", mixinStandardHelpOptions = true, description = "Lists all topics.")
final class TopicListCommand extends Tool {
    @Override
    int run(RemotingClient client, Routes routes) throws CallFailed {
        Command answer = routes.ask(Command.request(RequestCodes.GET_ALL_TOPIC_LIST_FROM_NAMESERVER), PATIENCE);
        try {
            Table table = new Table("topic");
            TopicList.fromJson(Json.read(answer.body())).topics().stream()
                    .sorted()
                    .forEach(table::row);
            show(table);
            return DONE;
        } catch (JsonFault e) {
            throw Faults.unreadable("the nameserver's list of topics", e);
        }
    }
}
