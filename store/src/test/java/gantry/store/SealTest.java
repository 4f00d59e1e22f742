package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.store.VerifyReport.Finding;
import gantry.store.VerifyReport.Severity;
import gantry.wire.message.RecordView;
import gantry.wire.message.RecordWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Shows that every bit of the log's old part is watched: what has changed in it is named by the scrubber, by a start
/// that reads it and by the offline check; and that nothing else is ever taken for a change.
class SealTest {
    private static final String FIRST = "commitlog/" + Names.ofOffset(0);
    private static final String FIRST_SEALS = "gantryseals/" + Names.ofOffset(0);
    private static final int BLOCK = 256;

    private final FaultDisk disk = new FaultDisk();

    private static StoreConfig config() {
        return Rig.TINY.withScrub(1 << 20);
    }

    /// Three segments, all durable and sealed.
    private Rig fill() throws OpenFailed {
        Rig rig = new Rig(disk, config().withScrub(0));
        for (int i = 0; i < 24; i++) {
            rig.sendTagged(rig.queue("a", 0), "t", "m" + i + "-" + "x".repeat(300));
        }
        rig.pass(600);
        rig.pass(100);
        return rig;
    }

    private Rig stopped() throws OpenFailed {
        Rig rig = fill();
        rig.pass(1500);
        rig.pass(100);
        assertThat(rig.store.close()).isTrue();
        return rig;
    }

    private static void passSeconds(Rig rig, int seconds) {
        for (int i = 0; i < seconds * 10; i++) {
            rig.pass(100);
        }
    }

    private static void flip(FaultDisk disk, String file, int at, int bit) {
        disk.overwrite(file, at, (byte) (disk.bytes(file)[at] ^ 1 << bit));
    }

    private static VerifyReport look(FaultDisk disk) throws OpenFailed {
        return StoreVerifier.look(disk, RecordView::tagsCode, (_, _) -> {});
    }

    /// What a check holds to have changed since it was sealed.
    private static List<Finding> changed(VerifyReport report) {
        return report.findings().stream()
                .filter(finding ->
                        finding.severity() == Severity.BAD && finding.what().contains("sealed"))
                .toList();
    }

    private static SealTable seals(FaultDisk disk, long base) throws DiskFailed {
        return new Seals(disk, 4096).table(base);
    }

    @Test
    void fileIsAsItsPictureSays() throws Exception {
        fill();
        ByteBuffer file = ByteBuffer.wrap(disk.bytes(FIRST_SEALS));
        byte[] log = disk.bytes(FIRST);
        CRC32C block = new CRC32C();
        block.update(log, BLOCK, BLOCK);
        CRC32C check = new CRC32C();
        check.update(ByteBuffer.allocate(12)
                .putLong(BLOCK)
                .putInt((int) block.getValue())
                .flip());

        assertThat(file.capacity()).isEqualTo(64 + 16 * 8);
        assertThat(file.getLong(0)).isEqualTo(0x47414E5453450001L);
        assertThat(file.getLong(8)).isZero();
        assertThat(file.getLong(16)).isEqualTo(4096);
        assertThat(file.getInt(24)).isEqualTo(BLOCK);
        assertThat(file.getInt(72)).isEqualTo((int) block.getValue());
        assertThat(file.getInt(76)).isEqualTo((int) check.getValue());
    }

    @Test
    void whatIsDurableIsSealedWithinTwoTicksAndWhatIsNotFullOrNotDurableIsNot() throws Exception {
        Rig rig = fill();
        long end = rig.store.durable();
        assertThat(new Seals(disk, 4096).sealedEnd(0)).isEqualTo(end / BLOCK * BLOCK);

        rig.sendTagged(rig.queue("a", 0), "t", "y".repeat(300));
        rig.pass(100);
        assertThat(rig.store.durable()).isEqualTo(end);
        assertThat(new Seals(disk, 4096).sealedEnd(0)).isEqualTo(end / BLOCK * BLOCK);
        assertThat(rig.notices).isEmpty();
    }

    /// Every byte: sizes, numbers, hosts, topic, properties, body, and the unused end of the file.
    @Test
    void bitThatFlipsAnywhereInAFileIsFoundByTheScrubberAndNamedToTheBit() throws OpenFailed {
        stopped();
        SplittableRandom chance = new SplittableRandom(1);
        byte[] whole = disk.bytes(FIRST);
        for (int at = 0; at < 4096; at += 1 + chance.nextInt(3)) {
            int bit = chance.nextInt(8);
            FaultDisk copy = disk.afterKill();
            flip(copy, FIRST, at, bit);
            Rig rig = new Rig(copy, config());
            rig.notices.clear();
            passSeconds(rig, 1);

            assertThat(rig.store.scrub().rounds()).isEqualTo(1);
            List<String> rot = rig.notices.stream()
                    .filter(text -> text.startsWith("ALARM Bit rot: "))
                    .toList();
            assertThat(rot).as("bit %d of byte %d", bit, at).isNotEmpty().allMatch(text -> text.contains(FIRST));
            if (rot.getFirst().contains("sealed")) {
                assertThat(rot.getFirst()).contains("bit " + bit + " of byte " + at + " has flipped");
            }
            assertThat(copy.bytes(FIRST)[at]).as("nothing is repaired").isNotEqualTo(whole[at]);
        }
    }

    @Test
    void changedPropertyIsNamedByByteAndMessageEachRoundAndNeverSealedAsItIs() throws OpenFailed {
        stopped();
        int at = propertyOf(disk, "m2-");
        flip(disk, FIRST, at, 1);
        Rig rig = new Rig(disk, config());
        passSeconds(rig, 1);
        assertThat(rig.notices).hasSize(1);
        assertThat(rig.notices.getFirst()).contains("bit 1 of byte " + at, "a/0 offset 2");
        assertThat(rig.store.scrub().damageCount()).isEqualTo(1);

        rig.pass(Scrubber.ROUND_MILLIS);
        passSeconds(rig, 1);
        assertThat(rig.store.scrub().damageCount()).isEqualTo(2);
        assertThat(rig.store.scrub().rounds()).isEqualTo(2);
    }

    /// A byte of the tag of the message whose body begins so.
    private static int propertyOf(FaultDisk disk, String body) {
        byte[] bytes = disk.bytes(FIRST);
        RecordView view = new RecordView();
        int at = 0;
        while (view.wrap(ByteBuffer.wrap(bytes), at, bytes.length, true).isOk()) {
            if (new String(view.body(), StandardCharsets.US_ASCII).startsWith(body)) {
                return view.propertiesOffset() + view.propertiesLength() - 2;
            }
            at += view.size();
        }
        throw new AssertionError(body + " is not there");
    }

    @Test
    void checkNamesBlockByteAndMessageAndOnlyDropsASealWhenTold() throws OpenFailed {
        stopped();
        assertThat(look(disk).findings()).isEmpty();
        int at = propertyOf(disk, "m2-");
        flip(disk, FIRST, at, 0);

        VerifyReport report = look(disk);
        assertThat(changed(report)).hasSize(1);
        assertThat(changed(report).getFirst())
                .returns("/store/" + FIRST, Finding::path)
                .returns((long) at / BLOCK * BLOCK, Finding::byteAt);
        assertThat(changed(report).getFirst().what())
                .contains("up to byte " + (at / BLOCK + 1) * BLOCK, "bit 0 of byte " + at, "a/0 offset 2");

        VerifyReport repaired =
                StoreVerifier.repair(disk, RecordView::tagsCode, (_, _) -> {}, StoreVerifier.Repair.DERIVED_FILES);
        assertThat(changed(repaired)).hasSize(1);
        assertThat(repaired.done()).noneMatch(deed -> deed.contains("seal"));

        VerifyReport told = StoreVerifier.repair(
                disk, RecordView::tagsCode, (_, _) -> {}, StoreVerifier.Repair.DERIVED_FILES_AND_SEALS);
        assertThat(told.isClean()).isTrue();
        assertThat(told.done())
                .singleElement()
                .asString()
                .contains("/store/" + FIRST_SEALS, "seals of 1 changed blocks were dropped");
    }

    @Test
    void damageThatTheWalkFindsIsNoSecondFinding() throws OpenFailed {
        stopped();
        flip(disk, FIRST, 100, 0);
        VerifyReport report = look(disk);
        assertThat(report.badCount()).isEqualTo(1);
        assertThat(report.findings()).anyMatch(finding -> finding.what().contains("changed since it was sealed"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing", "short", "zeroed", "garbled", "pair"})
    void damagedSealsAreMadeAgainAndAreNoDamageOfTheLog(String how) throws Exception {
        stopped();
        switch (how) {
            case "missing" -> disk.remove(FIRST_SEALS);
            case "short" -> disk.setLength(FIRST_SEALS, 100);
            case "zeroed" -> disk.overwrite(FIRST_SEALS, 0, new byte[192]);
            case "garbled" -> disk.overwrite(FIRST_SEALS, 9, (byte) 1);
            default -> disk.overwrite(FIRST_SEALS, 65, (byte) 1);
        }
        assertThat(look(disk).isClean()).isTrue();

        Rig rig = new Rig(disk, config());
        passSeconds(rig, 1);
        assertThat(rig.notices).noneMatch(text -> text.startsWith("ALARM"));
        assertThat(seals(disk, 0).sealedCount()).isEqualTo(16);
        assertThat(seals(disk, 0).brokenCount()).isZero();
    }

    @Test
    void startThatReadsASealedBlockComparesIt() throws OpenFailed {
        fill();
        FaultDisk killed = disk.afterKill();
        int at = propertyOf(killed, "m3-");
        flip(killed, FIRST, at, 2);
        Rig again = new Rig(killed, config());
        assertThat(again.notices)
                .anyMatch(text -> text.startsWith("ALARM Bit rot") && text.contains("bit 2 of byte " + at));
        assertThat(again.read(again.queue("a", 0), 0)).hasSize(24);
    }

    /// What was sealed was on disk: that it is gone is damage, and not the torn end of a store that lost power.
    @Test
    void lostEndOfWhatWasSealedIsAnAlarm() throws OpenFailed {
        Rig rig = fill();
        long end = rig.store.durable();
        FaultDisk killed = disk.afterKill();
        int lost = (int) (end % 4096 / BLOCK * BLOCK) - BLOCK;
        killed.overwrite("commitlog/" + Names.ofOffset(end - end % 4096), lost, new byte[4096 - lost]);
        Rig again = new Rig(killed, config());
        assertThat(again.notices)
                .anyMatch(text -> text.startsWith("ALARM")
                        && text.contains("seals say that it was on disk up to " + end / BLOCK * BLOCK));

        assertServesWithoutFalseAlarm(again, killed);
    }

    private static void assertServesWithoutFalseAlarm(Rig rig, FaultDisk disk) throws OpenFailed {
        rig.notices.clear();
        for (int i = 0; i < 20; i++) {
            rig.sendTagged(rig.queue("b", 0), "other", "n" + i + "-" + "z".repeat(200));
        }
        passSeconds(rig, 2);
        rig.pass(Scrubber.ROUND_MILLIS);
        passSeconds(rig, 2);
        assertThat(rig.notices).noneMatch(text -> text.contains("Bit rot"));
        rig.store.close();
        assertThat(changed(look(disk))).isEmpty();
    }

    @Test
    void blocksOfTheOldPartThatHaveNoSealAreSealedByTheScrubber() throws Exception {
        stopped();
        disk.remove(FIRST_SEALS);
        Rig rig = new Rig(disk, config().withScrub(0));
        passSeconds(rig, 1);
        assertThat(disk.files()).as("a start does not read it").doesNotContain(FIRST_SEALS);
        rig.store.close();
        Rig scrubbed = new Rig(disk, config());
        passSeconds(scrubbed, 1);
        assertThat(seals(disk, 0).sealedCount()).isEqualTo(16);
    }

    @Test
    void sealsOfFilesThatRetentionDropsGoWithThem() throws Exception {
        stopped();
        disk.remove(FIRST);
        Rig rig = new Rig(disk, config());
        assertThat(disk.files()).doesNotContain(FIRST_SEALS);
        assertServesWithoutFalseAlarm(rig, disk);
    }

    /// A RocketMQ broker wrote behind our end: the checkpoint has its times.
    @Test
    void recordsThatAnotherBrokerAppendsAreNoChange() throws OpenFailed {
        long end = stopped().store.durable();
        FaultDisk other = writtenOnByAnother(end);
        assertThat(changed(look(other))).isEmpty();
        Rig rig = new Rig(other, config());
        assertThat(rig.notices).noneMatch(text -> text.contains("seal"));
        assertServesWithoutFalseAlarm(rig, other);
    }

    /// A RocketMQ broker cut the log in the middle, as it does at a place that it takes for bad, and wrote on.
    @Test
    void logThatAnotherBrokerCutAndWroteAnewIsToldAndNoRot() throws OpenFailed {
        stopped();
        long cut = recordAfter(2000);
        FaultDisk other = writtenOnByAnother(cut);
        assertThat(changed(look(other))).isEmpty();
        assertThat(look(other).findings()).anyMatch(finding -> finding.what().contains("another than was sealed"));

        Rig rig = new Rig(other, config());
        long block = cut / BLOCK * BLOCK;
        assertThat(rig.notices)
                .anyMatch(text -> text.startsWith("WARN The commit log is another from " + block + " on"));
        assertServesWithoutFalseAlarm(rig, other);
    }

    @Test
    void rotBelowWhatAnotherBrokerAppendedIsStillFound() throws OpenFailed {
        long end = stopped().store.durable();
        FaultDisk other = writtenOnByAnother(end);
        int at = propertyOf(other, "m4-");
        flip(other, FIRST, at, 1);
        assertThat(changed(look(other))).hasSize(1);
        Rig rig = new Rig(other, config());
        passSeconds(rig, 1);
        assertThat(rig.notices)
                .anyMatch(text -> text.contains("Bit rot") && text.contains("bit 1 of byte " + at + " has flipped"));
    }

    private long recordAfter(int place) {
        ByteBuffer bytes = ByteBuffer.wrap(disk.bytes(FIRST));
        int at = 0;
        while (at < place) {
            at += bytes.getInt(at);
        }
        return at;
    }

    /// Does what such a broker does: records from `end` on, in the last of the kept files, without cleaning
    /// behind them; later files deleted; and times of its own in the checkpoint.
    private FaultDisk writtenOnByAnother(long end) throws OpenFailed {
        Rig maker = new Rig(new FaultDisk(), config());
        maker.wallMillis += 100_000;
        FaultDisk other = disk.afterKill();
        long base = end - end % 4096;
        String file = "commitlog/" + Names.ofOffset(base);
        byte[] foreign = recordsAt(maker, end, (int) Math.min(1500, base + 4096 - end - 8));
        other.overwrite(file, end - base, foreign);
        other.files().stream()
                .filter(name -> name.startsWith("commitlog/") && name.compareTo(file) > 0)
                .forEach(other::remove);
        byte[] times = ByteBuffer.allocate(16)
                .putLong(maker.wallMillis)
                .putLong(maker.wallMillis)
                .array();
        other.overwrite("checkpoint", 0, times);
        return other;
    }

    /// Records that say they stand at `at`.
    private static byte[] recordsAt(Rig maker, long at, int most) {
        ByteBuffer out = ByteBuffer.allocate(most);
        int queueOffset = 1000;
        while (true) {
            AppendBatch batch = maker.batch();
            int size = Rig.put(
                    batch, maker.queue("a", 0), "t", ("o" + "w".repeat(280)).getBytes(StandardCharsets.UTF_8), false);
            if (size > out.remaining()) {
                return Arrays.copyOf(out.array(), out.position());
            }
            RecordWriter.number(batch.staging(), 0, queueOffset++, at + out.position(), maker.wallMillis);
            out.put(batch.staging().duplicate().flip().limit(size));
        }
    }

    @Test
    void newLogInAnOldFolderHasNoOldSeals() throws OpenFailed {
        stopped();
        disk.files().stream()
                .filter(name -> !name.startsWith("gantryseals/"))
                .toList()
                .forEach(disk::remove);
        Rig rig = new Rig(disk, config());
        assertThat(disk.files()).noneMatch(name -> name.startsWith("gantryseals/"));
        assertServesWithoutFalseAlarm(rig, disk);
    }

    @Test
    void fullDiskOnlyPutsSealsOff() throws Exception {
        disk.fullFor(file -> file.path().startsWith("gantryseals"));
        Rig rig = fill();
        passSeconds(rig, 1);
        assertThat(rig.notices).hasSize(1).first().asString().contains("cannot be sealed", "sealed later");
        assertThat(rig.store.state()).isInstanceOf(State.Serving.class);
        disk.fullFor(_ -> false);
        passSeconds(rig, 11);
        assertThat(new Seals(disk, 4096).sealedEnd(0)).isEqualTo(rig.store.durable() / BLOCK * BLOCK);
    }

    @Test
    void switchedOffMakesNoFiles() throws OpenFailed {
        Rig rig = new Rig(disk, config().withIntegrity(IntegrityConfig.DEFAULT.withSeals(false)));
        rig.sendSized(rig.queue("a", 0), 2000);
        rig.pass(600);
        passSeconds(rig, 2);
        assertThat(disk.files()).noneMatch(name -> name.startsWith("gantryseals"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 256, 65_536})
    void oneFlippedBitIsLocatedAndTwoAreNot(int length) {
        SplittableRandom chance = new SplittableRandom(length);
        byte[] bytes = new byte[length];
        chance.nextBytes(bytes);
        int before = crc(bytes);
        for (int i = 0; i < 20; i++) {
            int bit = chance.nextInt(length * 8);
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(SealCheck.flippedBit(before ^ crc(bytes), length)).isEqualTo(bit);
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
        }
        bytes[0] ^= 3;
        assertThat(SealCheck.flippedBit(before ^ crc(bytes), length)).isEqualTo(-1);
    }

    private static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
