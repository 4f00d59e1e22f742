package gantry.bench.load;

import gantry.base.Endpoint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
    private static final long VISIBLE_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final int BATCH = 32;
    private static final int BATCHES_IN_FLIGHT = 8;
    private static final int CREATED_AT_ONCE = 500;

    /// Of a topic with more queues only these get messages. The peer maps a file for each queue that
    /// has any: with ten thousand topics and eight such queues it exceeds the kernel's 65,530 mappings
    /// and hands out nothing more.
    private static final int QUEUES_SENT_TO = 4;

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

    /// Creates the topics, many with one request.
    public void create(Topics topics) throws IOException, LoadFailed {
        try (Call call = new Call(server)) {
            for (int from = 0; from < topics.count(); from += CREATED_AT_ONCE) {
                int to = Math.min(topics.count(), from + CREATED_AT_ONCE);
                call.demand(Answers.CREATE_TOPICS, Map.of(), topics.listBody(from, to));
            }
        }
    }

    /// Sends as the workload says until `messages` are acknowledged or the time is up.
    public Outcome send(Topics topics, Workload shape, long messages, long limitNanos) throws IOException, LoadFailed {
        List<Template> templates = shape.kind() == Workload.Kind.CREATE
                ? SendScript.creations(codec, topics.name(), shape.bodyBytes())
                : SendScript.templates(codec, topics, shape.bodyBytes(), shape.perRequest());
        int wanted = shape.connections() > 0 ? shape.connections() : connections;
        return send(templates, topics.queues(), wanted, shape.inFlight(), messages, limitNanos);
    }

    /// Fills a topic fast, for a pull to follow.
    public Outcome fill(Topics topic, int bodyBytes, long messages) throws IOException, LoadFailed {
        List<Template> templates = SendScript.templates(codec, topic, bodyBytes, BATCH);
        return send(templates, topic.queues(), connections, BATCHES_IN_FLIGHT, messages, TimeUnit.MINUTES.toNanos(10));
    }

    private Outcome send(
            List<Template> templates, int queues, int wantedLines, int inFlight, long messages, long limitNanos)
            throws IOException, LoadFailed {
        int lines = Math.min(wantedLines, inFlight);
        List<Script> scripts = new ArrayList<>();
        for (int line = 0; line < lines; line++) {
            scripts.add(new SendScript(templates, Math.min(queues, QUEUES_SENT_TO), line));
        }
        return new LoadLoop(server, scripts, inFlight / lines, messages, limitNanos).run();
    }

    /// Reads the topic from its start to its present end, or to `messages`, as a member of `group`.
    public Outcome pull(Topics from, String group, long messages, long limitNanos) throws IOException, LoadFailed {
        String topic = from.topic(0);
        long version = System.currentTimeMillis();
        List<Script> scripts = new ArrayList<>();
        try (Call member = new Call(server)) {
            member.demand(Answers.HEARTBEAT, Map.of(), heartbeat(topic, group, version));
            long left = messages;
            for (int queue = 0; queue < from.queues(); queue++) {
                long end = Math.min(maxOffset(member, topic, queue), left / (from.queues() - queue));
                left -= end;
                scripts.add(new PullScript(codec, group, topic, queue, end, version));
            }
            return new LoadLoop(server, scripts, 1, Long.MAX_VALUE, limitNanos).run();
        }
    }

    /// Waits until every acknowledged message can be consumed, and checks that no more than that was stored. Of many
    /// topics only some are asked, and may have a few less, because each connection begins its turns elsewhere.
    ///
    /// @param before what `stored` said before the sends
    /// @param refused messages that may have been stored although they were not acknowledged
    public void awaitStored(Topics topics, long before, long acknowledged, long refused)
            throws IOException, LoadFailed, InterruptedException {
        long sampled = topics.sample().count();
        long least = acknowledged * sampled / topics.count() - (topics.count() == 1 ? 0 : sampled * connections);
        long most = topics.count() == 1 ? acknowledged + refused : Long.MAX_VALUE;
        long began = System.nanoTime();
        try (Call call = new Call(server)) {
            long stored = stored(call, topics) - before;
            while (stored < least) {
                if (System.nanoTime() - began > VISIBLE_NANOS) {
                    throw new LoadFailed(acknowledged + " messages were acknowledged to " + topics.count()
                            + " topics, and of " + sampled + " of them only " + stored + " can be consumed");
                }
                TimeUnit.MILLISECONDS.sleep(10);
                stored = stored(call, topics) - before;
            }
            if (stored > most) {
                throw new LoadFailed(acknowledged + " messages were acknowledged and " + stored + " are stored");
            }
        }
    }

    /// How many messages the queues of the sampled topics have taken in since they were made.
    public long stored(Topics topics) throws IOException, LoadFailed {
        try (Call call = new Call(server)) {
            return stored(call, topics);
        }
    }

    private static long stored(Call call, Topics topics) throws IOException, LoadFailed {
        long sum = 0;
        for (int i : topics.sample().toArray()) {
            for (int queue = 0; queue < topics.queues(); queue++) {
                sum += maxOffset(call, topics.topic(i), queue);
            }
        }
        return sum;
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
