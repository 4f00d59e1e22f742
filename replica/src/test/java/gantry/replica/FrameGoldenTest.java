package gantry.replica;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.replica.copy.CopyPlan;
import gantry.replica.copy.SideCopy;
import gantry.replica.copy.Snapshot;
import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import gantry.replica.epoch.LogView;
import gantry.replica.frame.AckLayout;
import gantry.replica.frame.BatchLayout;
import gantry.replica.frame.BeatLayout;
import gantry.replica.frame.BodyReader;
import gantry.replica.frame.Cause;
import gantry.replica.frame.Challenge;
import gantry.replica.frame.CopyLayout;
import gantry.replica.frame.CopyOffer;
import gantry.replica.frame.CopyRequest;
import gantry.replica.frame.Fault;
import gantry.replica.frame.FrameReader;
import gantry.replica.frame.FrameType;
import gantry.replica.frame.FrameWriter;
import gantry.replica.frame.Hello;
import gantry.replica.frame.Position;
import gantry.replica.frame.Proof;
import gantry.replica.frame.RangeDigest;
import gantry.replica.frame.RangeLayout;
import gantry.replica.frame.Refusal;
import gantry.replica.frame.Verdict;
import gantry.replica.frame.Welcome;
import gantry.replica.rig.ListOutlet;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Every frame's bytes as they are drawn: whoever changes one changes the protocol.
class FrameGoldenTest {
    private static final EpochTable EPOCHS =
            EpochTable.EMPTY.begin(new Epoch(1, 0, 0xA1)).begin(new Epoch(3, 64, 0xB2));
    private static final LogView LOG = new LogView(new LogId(1, 2), EPOCHS, 16, 96, 32);

    private final ListOutlet outlet = new ListOutlet();
    private final FrameWriter out = new FrameWriter(outlet);

    private static byte[] filled(int size, int with) {
        byte[] bytes = new byte[size];
        Arrays.fill(bytes, (byte) with);
        return bytes;
    }

    private void assertSent(FrameType type, String header, String body) {
        out.send(type);
        byte[] frame = outlet.take();
        assertThat(HexFormat.of().formatHex(frame, 0, 16)).isEqualTo(header);
        assertThat(HexFormat.of().formatHex(frame, 20, frame.length)).isEqualTo(body.replace(" ", ""));
    }

    @Test
    void hello() {
        Hello hello = new Hello(1, 2, 1, 1, 2, 5, filled(32, 0xEE), "c1", "b10");
        hello.write(out);
        assertSent(
                FrameType.HELLO,
                "0000004b" + "47615270" + "01010000" + "00000000",
                "01 02 01 01 0000000000000002 0000000000000005" + "ee".repeat(32) + "026331 03623130");
    }

    @Test
    void challenge() {
        new Challenge(1, 7, filled(32, 0xDD)).write(out);
        assertSent(
                FrameType.CHALLENGE,
                "00000039" + "47615270" + "01020000" + "00000000",
                "01 0000000000000007" + "dd".repeat(32));
    }

    @Test
    void proofAndWelcome() {
        new Proof(filled(32, 0xCC)).write(out);
        assertSent(FrameType.PROOF, "00000030" + "47615270" + "01030000" + "00000000", "cc".repeat(32));
        new Welcome(1, filled(32, 0xBB)).write(out);
        assertSent(FrameType.WELCOME, "00000031" + "47615270" + "01040000" + "00000001", "01" + "bb".repeat(32));
    }

    @Test
    void position() {
        String body =
                "0000000000000001 0000000000000002 0000000000000010 0000000000000060 0000000000000030 0000000000000020"
                        + "0000000000000004 00000400 0002"
                        + "0000000000000001 0000000000000000 00000000000000a1"
                        + "0000000000000003 0000000000000040 00000000000000b2";
        Position position = new Position(LOG, 48, 4, 1024, 4096);
        position.write(out, 2);
        assertSent(FrameType.POSITION, "0000007e" + "47615270" + "01050000" + "00000000", body);
        position.write(out, 3);
        assertSent(FrameType.POSITION, "00000086" + "47615270" + "01050000" + "00000001", body + "0000000000001000");
    }

    @Test
    void verdict() {
        new Verdict(Verdict.TRUNCATE, 64, 3, LOG).write(out);
        assertSent(
                FrameType.VERDICT,
                "0000007b" + "47615270" + "01060000" + "00000000",
                "02 0000000000000040 0000000000000003 0000000000000001 0000000000000002"
                        + "0000000000000010 0000000000000060 0000000000000020 0002"
                        + "0000000000000001 0000000000000000 00000000000000a1"
                        + "0000000000000003 0000000000000040 00000000000000b2");
    }

    @Test
    void refusal() {
        Refusal.of(new Fault(Cause.FOREIGN_LOG, "a\nb")).write(out);
        assertSent(FrameType.REFUSAL, "00000016" + "47615270" + "01070000" + "00000000", "0030 03 613f62");
    }

    @Test
    void batchBeatAndAcknowledgement() {
        BatchLayout.write(out, 3, 64, 32, 9);
        out.send(FrameType.BATCH, ByteBuffer.wrap(new byte[] {1, 2, 3}));
        byte[] batch = outlet.take();
        assertThat(HexFormat.of().formatHex(batch, 20, batch.length))
                .isEqualTo(
                        "0000000000000003" + "0000000000000040" + "0000000000000020" + "0000000000000009" + "010203");
        BeatLayout.write(out, 3, 96, 32, 9);
        assertSent(
                FrameType.BEAT,
                "00000030" + "47615270" + "01090000" + "00000001",
                "0000000000000003 0000000000000060 0000000000000020 0000000000000009");
        AckLayout.write(out, 3, 64, 48, 1024);
        assertSent(
                FrameType.ACK,
                "0000002c" + "47615270" + "010a0000" + "00000002",
                "0000000000000003 0000000000000040 0000000000000030 00000400");
    }

    @Test
    void requestOfACopyAndItsOffer() {
        Snapshot snapshot = new Snapshot(5, 48, List.of(new Snapshot.Part("a", 3), new Snapshot.Part("b.json", 0)));
        CopyPlan plan = new CopyPlan(new LogId(1, 2), EPOCHS, 16, 96, snapshot, false);
        CopyRequest.of(new SideCopy(plan, 3 + 64)).write(out);
        assertSent(
                FrameType.COPY_REQUEST,
                "0000007b" + "47615270" + "010b0000" + "00000000",
                "02 0000000000000001 0000000000000002 0000000000000010 0000000000000050"
                        + "0000000000000005 0000000000000030 0000000000000003 0002"
                        + "0000000000000001 0000000000000000 00000000000000a1"
                        + "0000000000000003 0000000000000040 00000000000000b2");
        CopyRequest.of(null).write(out);
        assertSent(
                FrameType.COPY_REQUEST,
                "0000004b" + "47615270" + "010b0000" + "00000001",
                "00" + "00".repeat(56) + "0000");
        new CopyOffer(CopyRequest.SNAPSHOT, 16, 96, 64, snapshot).write(out);
        assertSent(
                FrameType.COPY_OFFER,
                "00000054" + "47615270" + "010c0000" + "00000002",
                "01 0000000000000010 0000000000000060 0000000000000040 0000000000000005 0000000000000030 0002"
                        + "0000000000000003 01 61 0000000000000000 06 622e6a736f6e");
    }

    @Test
    void partsAndLogOfACopyAndTheirAcknowledgement() {
        CopyLayout.writePart(out, 2, 64);
        out.send(FrameType.COPY_PART, ByteBuffer.wrap(new byte[] {1, 2}));
        byte[] part = outlet.take();
        assertThat(part[9]).isEqualTo((byte) 13);
        assertThat(HexFormat.of().formatHex(part, 20, part.length)).isEqualTo("0002" + "0000000000000040" + "0102");
        CopyLayout.writeLog(out, 64);
        out.send(FrameType.COPY_LOG, ByteBuffer.wrap(new byte[] {1, 2, 3}));
        byte[] log = outlet.take();
        assertThat(log[9]).isEqualTo((byte) 14);
        assertThat(HexFormat.of().formatHex(log, 20, log.length)).isEqualTo("0000000000000040" + "010203");
        CopyLayout.writeAck(out, 67, 1024);
        assertSent(FrameType.COPY_ACK, "0000001c" + "47615270" + "010f0000" + "00000002", "0000000000000043 00000400");
    }

    @Test
    void checksumIsCrc32cOverEverythingElse() {
        new Proof(filled(32, 0xCC)).write(out);
        out.send(FrameType.PROOF);
        assertThat(HexFormat.of().formatHex(outlet.take(), 16, 20)).isEqualTo("565ba91c");
    }

    @Test
    void everyByteOfAFrameIsCheckedAndTheBufferIsLeftAsItWas() {
        new Position(LOG, 48, 4, 1024, 4096).write(out, 3);
        out.send(FrameType.POSITION);
        byte[] frame = outlet.take();
        for (int i = 0; i < frame.length; i++) {
            byte[] changed = Arrays.copyOf(frame, frame.length);
            changed[i] ^= 0x10;
            assertThat(new FrameReader().check(ByteBuffer.wrap(changed), 0, changed.length))
                    .as("byte " + i)
                    .isNotNull();
        }
        ByteBuffer lent = ByteBuffer.allocateDirect(frame.length + 9)
                .put(3, frame)
                .position(1)
                .limit(frame.length + 4);
        FrameReader reader = new FrameReader();
        assertThat(reader.check(lent, 3, frame.length)).isNull();
        assertThat(lent.position()).isEqualTo(1);
        assertThat(lent.limit()).isEqualTo(frame.length + 4);
        BodyReader in = new BodyReader(lent.clear(), reader);
        assertThat(Position.read(in, 3)).isEqualTo(new Position(LOG, 48, 4, 1024, 4096));
        assertThat(in.fault()).isNull();
    }

    @Test
    void framesThatCompareAndGiveRanges() {
        RangeDigest digest = new RangeDigest(1, 2, 3, 4);
        RangeLayout.writeCompare(out, 5, 6);
        out.send(FrameType.COMPARE);
        assertBody("0000000000000005 0000000000000006");
        RangeLayout.writeCompared(out, 5, 6, 1, digest);
        out.send(FrameType.COMPARED);
        String four = "0000000000000001 0000000000000002 0000000000000003 0000000000000004";
        assertBody("0000000000000005 0000000000000006 01" + four);
        RangeLayout.writeRequest(out, 5, 256);
        out.send(FrameType.RANGE_REQUEST);
        assertBody("0000000000000005 00000100");
        RangeLayout.writeRange(out, 5, 0, digest);
        out.send(FrameType.RANGE, ByteBuffer.wrap(filled(3, 0xAB)));
        assertBody("0000000000000005 00" + four + "ababab");
        assertThat(List.of(FrameType.COMPARE, FrameType.COMPARED, FrameType.RANGE_REQUEST, FrameType.RANGE))
                .extracting(FrameType::code)
                .containsExactly(16, 17, 18, 19);
    }

    private void assertBody(String body) {
        byte[] frame = outlet.take();
        assertThat(HexFormat.of().formatHex(frame, 20, frame.length)).isEqualTo(body.replace(" ", ""));
    }

    @Test
    void whatWasReadIsWhatWasWritten() {
        new Verdict(Verdict.TRUNCATE, 64, 3, LOG).write(out);
        out.send(FrameType.VERDICT);
        byte[] frame = outlet.take();
        FrameReader reader = new FrameReader();
        assertThat(reader.check(ByteBuffer.wrap(frame), 0, frame.length)).isNull();
        BodyReader in = new BodyReader(ByteBuffer.wrap(frame), reader);
        assertThat(Verdict.read(in)).isEqualTo(new Verdict(Verdict.TRUNCATE, 64, 3, LOG));
        assertThat(in.fault()).isNull();
    }

    @Test
    void everyCauseHasItsOwnNumber() {
        assertThat(Arrays.stream(Cause.values()).map(Cause::code)).doesNotHaveDuplicates();
        assertThat(Cause.of(48)).isEqualTo(Cause.FOREIGN_LOG);
        assertThat(Cause.of(0)).isNull();
    }
}
