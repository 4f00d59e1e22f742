package gantry.replica;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogView;
import gantry.replica.frame.AckLayout;
import gantry.replica.frame.BatchLayout;
import gantry.replica.frame.BeatLayout;
import gantry.replica.frame.FrameType;
import gantry.replica.frame.FrameWriter;
import gantry.replica.frame.Position;
import gantry.replica.frame.Verdict;
import gantry.replica.lead.LeaderLink;
import gantry.replica.lead.StaticSet;
import gantry.replica.lead.SyncSet;
import gantry.replica.member.Limits;
import gantry.replica.member.Promise;
import gantry.replica.rig.FalseFollower;
import gantry.replica.rig.FalseLeader;
import gantry.replica.rig.Follower;
import gantry.replica.rig.Leader;
import gantry.replica.rig.ListOutlet;
import gantry.replica.rig.MemoryLog;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Whatever arrives that no member would send: the link ends with a name, and nothing else is other than before.
///
/// `-Dgarbage.frames=3000000` for more of it.
class GarbageTest {
    private static final int FRAMES = Integer.getInteger("garbage.frames", 60_000);
    private static final long SEED = Long.getLong("garbage.seed", 20_261_130L);
    private static final long NOW = 1_000;
    private static final List<FrameType> TYPES = List.of(FrameType.values());

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Limits limits = Limits.DEFAULTS;
    private final Leader leader = leaderWithOneRecord();

    private static Leader leaderWithOneRecord() {
        Leader leader = new Leader(
                new MemoryLog(), EpochTable.EMPTY, 0, new Promise(2, false), Limits.DEFAULTS, new StaticSet());
        leader.add("one", NOW);
        return leader;
    }

    private static List<byte[]> probes() {
        byte[] ff = new byte[64];
        Arrays.fill(ff, (byte) 0xFF);
        return List.of(
                "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
                HexFormat.of().parseHex("16030100c8010000c40303" + "5a".repeat(64)),
                ff,
                new byte[64],
                new byte[8],
                new byte[0],
                ByteBuffer.allocate(8).putLong(-1).array(),
                ByteBuffer.allocate(8).putLong(Long.MAX_VALUE).array(),
                ByteBuffer.allocate(24)
                        .putInt(20)
                        .putInt(0x47615270)
                        .putLong(1L << 60)
                        .array());
    }

    /// R001 (8 zero bytes are among them), R002.
    @Test
    void aStrangersBytesChangeNothingOnTheLeader() {
        for (byte[] probe : probes()) {
            giveToLeader(leader.accept(new ListOutlet(), NOW), probe);
        }
        for (int i = 0; i < FRAMES; i++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            if (bytes.length > 12 && random.nextBoolean()) {
                ByteBuffer.wrap(bytes)
                        .putInt(0, bytes.length - 4)
                        .putInt(4, 0x47615270)
                        .putInt(8, 0x01010000);
            }
            ListOutlet answers = new ListOutlet();
            LeaderLink link = leader.accept(answers, NOW);
            giveToLeader(link, bytes);
            assertThat(link.isEnded()).isTrue();
            assertThat(answers.closed).isNotNull();
            assertThat(answers.frames).isEmpty();
        }
        assertUntouched();
        assertThat(leader.group.states()).isEmpty();
        assertThat(leader.notebook.lines).hasSizeLessThan(10);
    }

    /// A frame of each step is changed in one place, without and with a checksum that fits.
    @Test
    void aFrameThatWasChangedOnTheWayToTheLeaderNeverCounts() {
        for (int i = 0; i < FRAMES / 4; i++) {
            int step = random.nextInt(3);
            FalseFollower peer = new FalseFollower(leader, Leader.identity(2), Leader.SECRET, NOW);
            if (step == 0) {
                peer.hello.start(peer.writer);
            } else {
                peer.greet(NOW);
                if (step == 1) {
                    new Position(new LogView(Leader.LOG, EpochTable.EMPTY, 0, 0, 0), 0, 0, 1 << 20, 0)
                            .write(peer.writer, peer.hello.version());
                    peer.writer.send(FrameType.POSITION);
                } else {
                    peer.emptyPosition(1 << 20, NOW);
                    AckLayout.write(peer.writer, 1, 0, 0, 1 << 20);
                    peer.writer.send(FrameType.ACK);
                }
            }
            byte[] frame = peer.toLeader.take();
            change(frame);
            giveToLeader(peer.link, frame);
            assertThat(peer.link.isEnded()).isTrue();
            assertUntouched();
        }
    }

    /// R002, R003: with a sum that fits, whatever an authenticated liar says: acknowledged is at most
    /// what was sent to it.
    @Test
    void anAuthenticatedLiarNeverRaisesAnythingBeyondWhatItWasSent() {
        for (int i = 0; i < FRAMES / 4; i++) {
            Leader own = leaderWithOneRecord();
            FalseFollower peer = new FalseFollower(own, Leader.identity(2), Leader.SECRET, NOW);
            peer.greet(NOW);
            if (random.nextInt(4) != 0) {
                peer.emptyPosition(1 << 20, NOW);
            }
            for (int j = 0; j < 4; j++) {
                FrameType type = TYPES.get(random.nextInt(TYPES.size()));
                ByteBuffer body = peer.writer.body(256);
                int words = random.nextInt(12);
                for (int k = 0; k < words; k++) {
                    body.putLong(word(own.log.end()));
                }
                if (random.nextBoolean()) {
                    body.putInt(random.nextInt());
                }
                peer.writer.send(type);
                peer.deliver(NOW);
            }
            assertThat(own.confirmed).isBetween(0L, (long) own.log.end());
            assertThat(own.group.confirmOffset()).isEqualTo(own.confirmed);
            own.group.tick(NOW + limits.silence().toNanos(), 0);
            assertThat(peer.link.isEnded()).isTrue();
        }
    }

    @Test
    void aStrangersBytesChangeNothingOnTheFollower() {
        for (int i = 0; i < FRAMES / 4; i++) {
            Follower follower = new Follower(2, limits);
            FalseLeader peer = new FalseLeader(follower, Leader.SECRET, NOW);
            byte[] bytes = i < probes().size() ? probes().get(i) : new byte[random.nextInt(200)];
            if (i >= probes().size()) {
                random.nextBytes(bytes);
            }
            if (bytes.length > 12 && random.nextBoolean()) {
                ByteBuffer.wrap(bytes)
                        .putInt(0, bytes.length - 4)
                        .putInt(4, 0x47615270)
                        .putInt(8, 0x01020000);
            }
            peer.link.frame(ByteBuffer.wrap(bytes), 0, bytes.length, NOW);
            assertThat(peer.link.isEnded()).isTrue();
            assertThat(follower.log.end()).isZero();
            assertThat(follower.seen).isZero();
        }
    }

    /// What is appended is what the log itself found sound; confirmed is at most what is written.
    @Test
    void anAuthenticatedLiarNeverMakesTheFollowerTakeWhatIsNotNext() {
        byte[] record = MemoryLog.record(new byte[] {1, 2, 3});
        EpochTable epochs = EpochTable.EMPTY.begin(new Epoch(1, 0, 5));
        for (int i = 0; i < FRAMES / 4; i++) {
            Follower follower = new Follower(2, limits);
            FalseLeader peer = new FalseLeader(follower, Leader.SECRET, NOW).greet(NOW);
            if (random.nextInt(4) != 0) {
                peer.verdict(Verdict.CONTINUE, 0, new LogView(Leader.LOG, epochs, 0, record.length, 0), NOW);
            }
            for (int j = 0; j < 4; j++) {
                lie(peer.writer, record);
                peer.deliver(NOW);
                follower.answerAll(NOW);
            }
            assertThat(follower.log.end() % record.length).isZero();
            assertThat(follower.confirmed).isBetween(0L, (long) follower.written());
            assertThat(follower.cuts).isZero();
        }
    }

    private void lie(FrameWriter writer, byte[] record) {
        long word = word(record.length);
        switch (random.nextInt(5)) {
            case 0 -> BatchLayout.write(writer, 1, word, word(record.length), word(9));
            case 1 -> BatchLayout.write(writer, word, 0, 0, 0);
            case 2 -> BatchLayout.write(writer, 1, 0, word, 0);
            case 3 -> {
                BeatLayout.write(writer, 1, word, word(record.length), 0);
                writer.send(FrameType.BEAT);
                return;
            }
            default -> {
                writer.body(512).putLong(word).putLong(word(record.length)).putLong(word(0));
                writer.send(TYPES.get(random.nextInt(TYPES.size())));
                return;
            }
        }
        byte[] payload = Arrays.copyOf(record, record.length);
        if (random.nextInt(3) == 0) {
            payload[random.nextInt(payload.length)] ^= 4;
        }
        writer.send(FrameType.BATCH, ByteBuffer.wrap(payload));
    }

    private long word(long near) {
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> Long.MAX_VALUE - random.nextInt(3);
            case 3 -> Long.MIN_VALUE;
            case 4 -> near;
            case 5 -> near + 1;
            case 6 -> 1;
            default -> random.nextLong();
        };
    }

    /// At least one bit is other than it was.
    private void change(byte[] frame) {
        if (random.nextInt(5) == 0) {
            random.nextBytes(frame);
        } else {
            frame[random.nextInt(frame.length)] ^= (byte) (1 << random.nextInt(8));
        }
    }

    private void giveToLeader(LeaderLink link, byte[] bytes) {
        link.frame(ByteBuffer.wrap(bytes), 0, bytes.length, NOW);
    }

    private void assertUntouched() {
        assertThat(leader.confirmed).isZero();
        assertThat(leader.group.syncSet().members())
                .isEqualTo(SyncSet.of(1, List.of(1L)).members());
        assertThat(leader.group.strangers()).isZero();
        assertThat(leader.group.refusesSends()).isNotNull();
    }
}
