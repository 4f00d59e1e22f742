package gantry.broker.legacy;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network;
import gantry.broker.PromptDisk;
import gantry.replica.hello.Identity;
import gantry.replica.member.Promise;
import gantry.store.Confirmation;
import gantry.store.Disk;
import gantry.store.LogBegin;
import gantry.store.OpenFailed;
import gantry.store.Store;
import gantry.store.StoreConfig;
import gantry.store.disk.FileDisk;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FrameFlags;
import gantry.wire.frame.RequestCodes;
import gantry.wire.message.RecordDraft;
import gantry.wire.message.RecordHost;
import gantry.wire.message.RecordWriter;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A follower of a RocketMQ master that says and sends what a test wants, with a clock that is moved by hand.
///
/// For:   claims about what the follower believes, without a socket.
/// Owner: one test.
final class MasterKit implements Network, Clock {
    static final LegacyMaster MASTER =
            new LegacyMaster(new Endpoint("10.0.0.9", 10911), new Endpoint("10.0.0.9", 10912));
    static final int SEGMENT_BYTES = 65_536;

    /// One connection that the follower made.
    static final class Dialled implements Link {
        private static long lastId;

        private final long id = ++lastId;
        final Endpoint there;
        private final Network.Session session;
        final ByteArrayOutputStream heard = new ByteArrayOutputStream();
        final ArrayDeque<Command> requests = new ArrayDeque<>();
        boolean raw;

        @Nullable
        String closed;

        Dialled(Endpoint there, Network.Acceptor acceptor) {
            this.there = there;
            this.session = acceptor.accept(this);
        }

        void say(byte[] bytes) {
            session.frame(ByteBuffer.wrap(bytes), 0, bytes.length);
            session.burstEnded();
        }

        void hangUp() {
            session.closed("the master hangs up");
        }

        /// What was reported last; -1 for nothing.
        long reported() {
            byte[] all = heard.toByteArray();
            return all.length < 8 ? -1 : ByteBuffer.wrap(all).getLong(all.length - 8);
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public Endpoint remote() {
            return there;
        }

        @Override
        public Endpoint local() {
            return new Endpoint("127.0.0.1", 50_000);
        }

        @Override
        public boolean send(byte[] bytes, int offset, int length) {
            if (raw) {
                heard.write(bytes, offset, length);
            } else {
                Command request = Command.decode(ByteBuffer.wrap(bytes), offset, length);
                requests.add(java.util.Objects.requireNonNull(request, "a malformed frame"));
            }
            return closed == null;
        }

        @Override
        public boolean send(byte[] bytes, int offset, int length, ByteBuffer body) {
            throw new AssertionError("a follower sends no bodies");
        }

        @Override
        public void limitFrames(int bytes) {}

        @Override
        public void takeAsItComes() {
            raw = true;
        }

        @Override
        public void close(String reason) {
            closed = closed == null ? reason : closed;
        }
    }

    final List<Dialled> dialled = new ArrayList<>();
    final List<String> notices = new ArrayList<>();
    final Store store;
    final LegacyFollower follower;
    long nanos = 1;

    // What the master says.
    String brokerName = "judged";
    String more = "";
    long begin;
    long end;
    int segmentBytes = SEGMENT_BYTES;
    String topics = "{\"topicConfigTable\":{\"orders\":{\"topicName\":\"orders\",\"readQueueNums\":2,"
            + "\"writeQueueNums\":2,\"perm\":6}}}";

    /// Where queues go on, by topic and id; 0 for the others.
    final Map<String, Long> queueEnds = new HashMap<>();

    final List<String> askedQueues = new ArrayList<>();

    String offsets = "{\"offsetTable\":{\"orders@group\":{0:1,1:77}},\"groupTopicMap\":{\"group\":[\"orders\"]}}";
    int refusedCode = -1;
    boolean answers = true;

    /// Where the replication port says that it has nothing new; -1 while it says nothing.
    long beatsAt = -1;

    MasterKit(Path folder) throws OpenFailed {
        this(folder, 0);
    }

    /// @param begin of the follower's log, and of the master's
    MasterKit(Path folder, long begin) throws OpenFailed {
        Disk disk = PromptDisk.of(new FileDisk(folder, folder.resolve("commitlog"), 64));
        this.begin = begin;
        this.end = begin;
        if (begin > 0) {
            open(disk, this, notices).close();
            LogBegin.at(disk, begin, SEGMENT_BYTES);
        }
        this.store = open(disk, this, notices);
        this.follower = LegacyFollower.begin(
                MASTER,
                new Identity("judges", "judged", 1, 7),
                Promise.of(false, false, 1, 1),
                store,
                disk,
                this,
                Runnable::run,
                (level, text) -> notices.add(level + " " + text));
        follower.start(this);
    }

    private static Store open(Disk disk, Clock clock, List<String> notices) throws OpenFailed {
        return Store.open(
                StoreConfig.DEFAULT
                        .withSegmentBytes(SEGMENT_BYTES)
                        .withQueueFileBytes(2000)
                        .withConfirmation(Confirmation.BY_OWNER),
                disk,
                clock,
                Runnable::run,
                (level, text) -> notices.add(level + " " + text),
                (name, cause) -> {
                    throw new AssertionError("fault in " + name, cause);
                },
                _ -> {});
    }

    /// Time goes on in ticks, and the master's broker port answers all that is asked.
    MasterKit pass(int millis) {
        for (int left = millis; left > 0; left -= 100) {
            nanos += 100_000_000L;
            if (beatsAt >= 0 && left % 1000 == 0) {
                replication().ifPresent(link -> link.say(frame(beatsAt, new byte[0], 0, 0)));
            }
            store.tick();
            answerAll();
        }
        return this;
    }

    private void answerAll() {
        for (int i = 0; answers && i < dialled.size(); i++) {
            Dialled link = dialled.get(i);
            for (Command request = link.requests.poll(); request != null; request = link.requests.poll()) {
                int code = request.code() == refusedCode ? 1 : 0;
                Command answer = Command.request(code);
                if (request.code() == RequestCodes.GET_MAX_OFFSET) {
                    answer = answer.with(FieldNames.OFFSET, queueEnd(request));
                }
                link.say(answer.withFlags(FrameFlags.ANSWER)
                        .withCorrelationId(request.correlationId())
                        .withRemark(code == 0 ? null : "no such thing")
                        .withBody(answer(request.code()).getBytes(StandardCharsets.UTF_8))
                        .encode());
            }
        }
    }

    private long queueEnd(Command request) {
        String queue = request.field(FieldNames.TOPIC) + "/" + request.field(FieldNames.QUEUE_ID);
        askedQueues.add(queue);
        return queueEnds.getOrDefault(queue, 0L);
    }

    private String answer(int code) {
        return switch (code) {
            case RequestCodes.GET_BROKER_CONFIG ->
                "brokerName=" + brokerName + "\nbrokerClusterName=judges\nbrokerRole=SYNC_MASTER\n"
                        + "mappedFileSizeCommitLog=" + segmentBytes + "\n" + more;
            case RequestCodes.GET_BROKER_RUNTIME_INFO ->
                "{\"table\":{\"commitLogMinOffset\":\"" + begin + "\",\"commitLogMaxOffset\":\"" + end + "\"}}";
            case RequestCodes.GET_ALL_TOPIC_CONFIG -> topics;
            case RequestCodes.GET_ALL_SUBSCRIPTIONGROUP_CONFIG ->
                "{\"subscriptionGroupTable\":{\"group\":{\"groupName\":\"group\"}}}";
            case RequestCodes.GET_ALL_CONSUMER_OFFSET -> offsets;
            case RequestCodes.GET_ALL_DELAY_OFFSET -> "{\"offsetTable\":{3:9}}";
            case RequestCodes.GET_MAX_OFFSET -> "";
            default -> throw new AssertionError("asked " + code);
        };
    }

    /// The last connection to the replication port; empty when there was none.
    Optional<Dialled> replication() {
        return dialled.reversed().stream().filter(link -> link.raw).findFirst();
    }

    String state() {
        return follower.status().members().getFirst().state().words();
    }

    @Override
    public Listener listen(Endpoint here, Acceptor acceptor) {
        throw new AssertionError("a follower listens nowhere");
    }

    @Override
    public Link dial(Endpoint there, Acceptor acceptor) {
        Dialled link = new Dialled(there, acceptor);
        dialled.add(link);
        return link;
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public long wallMillis() {
        return 1_800_000_000_000L + nanos / 1_000_000;
    }

    /// Messages of queue 0 of `orders`, as they stand in a log from 0 on.
    static byte[] log(int count) {
        return log(count, 0, 0);
    }

    /// Such messages, of a log and a queue that have had others before.
    static byte[] log(int count, long logOffset, long queueOffset) {
        ByteBuffer log = ByteBuffer.allocate(count * 300);
        for (int i = 0; i < count; i++) {
            RecordHost host = RecordHost.of(new Endpoint("127.0.0.1", 10911));
            RecordDraft draft = new RecordDraft()
                    .topic("orders".getBytes(StandardCharsets.UTF_8))
                    .body(("message " + i).getBytes(StandardCharsets.UTF_8))
                    .bornMillis(1)
                    .bornHost(host)
                    .storeHost(host);
            int at = log.position();
            RecordWriter.write(log, draft);
            RecordWriter.number(log, at, queueOffset + i, logOffset + at, 1000 + i);
        }
        return Arrays.copyOf(log.array(), log.position());
    }

    static byte[] frame(long offset, byte[] log, int from, int to) {
        return ByteBuffer.allocate(12 + to - from)
                .putLong(offset)
                .putInt(to - from)
                .put(log, from, to - from)
                .array();
    }
}
