package gantry.bench.load;

import gantry.base.Endpoint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Loads one server.
///
/// For:   everything that is asked of a server, in the words of a benchmark.
/// Owner: the thread that runs the benchmark.
/// Never: processes and their figures (see `gantry.bench.target`).
public final class Load {
    private static final long VISIBLE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int BATCH = 32;
    private static final int BATCHES_IN_FLIGHT = 8;

    private final Endpoint server;
    private final Codec codec;
    private final int connections;

    public Load(Endpoint server, Codec codec, int connections) {
        this.server = server;
        this.codec = codec;
        this.connections = connections;
    }

    /// Sends until a first message is acknowledged: a connection that is refused and a server that is not ready yet
    /// are tried again at once.
    ///
    /// @param alive asked between tries, so that nobody waits for a process that has ended
    public void awaitFirstSend(long limitNanos, BooleanSupplier alive) throws LoadFailed, InterruptedException {
        long began = System.nanoTime();
        String last = "no connection";
        while (System.nanoTime() - began < limitNanos) {
            if (!alive.getAsBoolean()) {
                throw new LoadFailed("the server ended before it answered: " + last);
            }
            try (Call call = new Call(server)) {
                Map<String, String> fields = SendScript.fields("bench_first", 0, false);
                fields.put("g", Long.toString(System.currentTimeMillis()));
                AnswerHeader answer = call.ask(Answers.SEND_V2, fields, "first".getBytes(StandardCharsets.UTF_8));
                if (answer.code() == Answers.SUCCESS) {
                    return;
                }
                last = answer.text();
            } catch (IOException e) {
                last = String.valueOf(e.getMessage());
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        throw new LoadFailed("no send was acknowledged in time: " + last);
    }

    public void createTopic(String topic) throws IOException, LoadFailed {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("topic", topic);
        fields.put("defaultTopic", "TBW102");
        fields.put("readQueueNums", Integer.toString(Workload.QUEUES));
        fields.put("writeQueueNums", Integer.toString(Workload.QUEUES));
        fields.put("perm", "6");
        fields.put("topicFilterType", "SINGLE_TAG");
        fields.put("topicSysFlag", "0");
        fields.put("order", "false");
        try (Call call = new Call(server)) {
            call.demand(Answers.CREATE_TOPIC, fields, new byte[0]);
        }
    }

    /// Sends as the workload says until `messages` are acknowledged or the time is up.
    public Outcome send(String topic, Workload shape, long messages, long limitNanos) throws IOException, LoadFailed {
        return send(topic, shape.bodyBytes(), shape.perRequest(), shape.inFlight(), messages, limitNanos);
    }

    /// Fills a topic fast, for a pull to follow.
    public Outcome fill(String topic, int bodyBytes, long messages) throws IOException, LoadFailed {
        return send(topic, bodyBytes, BATCH, BATCHES_IN_FLIGHT, messages, TimeUnit.MINUTES.toNanos(10));
    }

    private Outcome send(String topic, int bodyBytes, int perRequest, int inFlight, long messages, long limitNanos)
            throws IOException, LoadFailed {
        int lines = Math.min(connections, inFlight);
        List<Script> scripts = new ArrayList<>();
        for (int line = 0; line < lines; line++) {
            scripts.add(new SendScript(codec, topic, Workload.QUEUES, bodyBytes, perRequest, line));
        }
        return new LoadLoop(server, scripts, inFlight / lines, messages, limitNanos).run();
    }

    /// Reads the topic from its start to its present end, or to `messages`, as a member of `group`.
    public Outcome pull(String topic, String group, long messages, long limitNanos) throws IOException, LoadFailed {
        long version = System.currentTimeMillis();
        List<Script> scripts = new ArrayList<>();
        try (Call member = new Call(server)) {
            member.demand(Answers.HEARTBEAT, Map.of(), heartbeat(topic, group, version));
            long left = messages;
            for (int queue = 0; queue < Workload.QUEUES; queue++) {
                long end = Math.min(maxOffset(member, topic, queue), left / (Workload.QUEUES - queue));
                left -= end;
                scripts.add(new PullScript(codec, group, topic, queue, end, version));
            }
            return new LoadLoop(server, scripts, 1, Long.MAX_VALUE, limitNanos).run();
        }
    }

    /// How many messages the topic's queues have taken in since they were made.
    public long stored(String topic) throws IOException, LoadFailed {
        try (Call call = new Call(server)) {
            long sum = 0;
            for (int queue = 0; queue < Workload.QUEUES; queue++) {
                sum += maxOffset(call, topic, queue);
            }
            return sum;
        }
    }

    /// Waits until every acknowledged message can be consumed, and checks that no more than that was stored.
    ///
    /// @param refused messages that may have been stored although they were not acknowledged
    public void awaitStored(String topic, long acknowledged, long refused)
            throws IOException, LoadFailed, InterruptedException {
        long began = System.nanoTime();
        long stored = stored(topic);
        while (stored < acknowledged) {
            if (System.nanoTime() - began > VISIBLE_NANOS) {
                throw new LoadFailed(
                        acknowledged + " messages were acknowledged and only " + stored + " can be consumed");
            }
            TimeUnit.MILLISECONDS.sleep(10);
            stored = stored(topic);
        }
        if (stored > acknowledged + refused) {
            throw new LoadFailed(acknowledged + " messages were acknowledged and " + stored + " are stored");
        }
    }

    private static long maxOffset(Call call, String topic, int queue) throws IOException, LoadFailed {
        Map<String, String> fields = Map.of("topic", topic, "queueId", Integer.toString(queue));
        AnswerHeader answer = call.demand(Answers.MAX_OFFSET, fields, new byte[0]);
        String offset = answer.field("offset");
        if (offset == null) {
            throw new LoadFailed("an answer without an offset: " + answer.text());
        }
        return Long.parseLong(offset);
    }

    private static byte[] heartbeat(String topic, String group, long version) {
        return ("{\"clientID\":\"127.0.0.1@bench\",\"consumerDataSet\":[{\"consumeFromWhere\":\"CONSUME_FROM_FIRST_OFFSET\","
                        + "\"consumeType\":\"CONSUME_PASSIVELY\",\"groupName\":\"" + group
                        + "\",\"messageModel\":\"CLUSTERING\",\"subscriptionDataSet\":[{\"classFilterMode\":false,"
                        + "\"codeSet\":[],\"expressionType\":\"TAG\",\"subString\":\"*\",\"subVersion\":" + version
                        + ",\"tagsSet\":[],\"topic\":\"" + topic + "\"}],\"unitMode\":false}],"
                        + "\"heartbeatFingerprint\":0,\"producerDataSet\":[],\"withoutSub\":false}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
