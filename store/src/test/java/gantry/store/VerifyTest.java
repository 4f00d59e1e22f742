package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.store.VerifyReport.Finding;
import gantry.store.VerifyReport.Line;
import gantry.store.VerifyReport.Severity;
import gantry.wire.message.MessageLayout;
import gantry.wire.message.RecordView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Shows that the offline check finds each kind of damage, names file and byte, changes nothing, and that a
/// repair makes again what the log tells and nothing else.
class VerifyTest {
    private static final String FIRST = "commitlog/" + Names.ofOffset(0);
    private static final String SECOND = "commitlog/" + Names.ofOffset(4096);
    private static final String THIRD = "commitlog/" + Names.ofOffset(8192);

    private final FaultDisk disk = new FaultDisk();
    private long fifth;
    private int sizeBytes;

    /// Three segments; queue `a/0` with 24 messages in three files, `b/1` with one; stopped cleanly.
    @BeforeEach
    void fill() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        for (int i = 0; i < 24; i++) {
            AppendBatch sent = rig.sendTagged(rig.queue("a", 0), "t", "m" + i + "-" + "x".repeat(300));
            fifth = i == 5 ? sent.logOffset(0) : fifth;
            sizeBytes = i == 5 ? (int) (sent.endOffset() - sent.logOffset(0)) : sizeBytes;
        }
        rig.send(rig.queue("b", 1), "alone");
        rig.pass(500);
        rig.pass(1500);
        rig.store.close();
    }

    private static VerifyReport look(FaultDisk disk) throws OpenFailed {
        return StoreVerifier.look(disk, RecordView::tagsCode, (_, _) -> {});
    }

    private static VerifyReport repair(FaultDisk disk) throws OpenFailed {
        return StoreVerifier.repair(disk, RecordView::tagsCode, (_, _) -> {}, StoreVerifier.Repair.DERIVED_FILES);
    }

    private static long messages(VerifyReport report) {
        return report.lines().stream()
                .filter(line -> line.what().equals("log"))
                .mapToLong(Line::count)
                .sum();
    }

    private static Line line(VerifyReport report, String path) {
        return report.lines().stream()
                .filter(line -> line.path().equals("/store/" + path))
                .findFirst()
                .orElseThrow(() -> new AssertionError(path + " is not in " + report.lines()));
    }

    private Finding onlyDamage() throws OpenFailed {
        VerifyReport report = look(disk);
        assertThat(report.isClean()).isFalse();
        assertThat(report.findings()).as("%s", report.findings()).hasSize(1);
        assertThat(report.findings().getFirst().severity()).isEqualTo(Severity.BAD);
        return report.findings().getFirst();
    }

    private void assertOpensWhole() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        assertThat(rig.notices).isEmpty();
        assertThat(rig.read(rig.queue("a", 0), 0)).hasSize(24);
        assertThat(rig.read(rig.queue("b", 1), 0)).containsExactly("alone");
        assertThat(rig.send(rig.queue("a", 0), "next").queueOffset(0)).isEqualTo(24);
    }

    @Test
    void wholeStoreIsCleanAndNothingOfItChanges() throws OpenFailed {
        long before = disk.operations();
        VerifyReport report = look(disk);

        assertThat(report.findings()).isEmpty();
        assertThat(report.isClean()).isTrue();
        assertThat(messages(report)).isEqualTo(25);
        assertThat(line(report, "consumequeue/a/0")).returns(0L, Line::from).returns(24L, Line::to);
        assertThat(line(report, "consumequeue/a/0")).returns(24L, Line::count).returns("ok", Line::state);
        assertThat(line(report, FIRST)).returns(0L, Line::from).returns(4096L, Line::to);
        assertThat(line(report, "checkpoint").state()).isEqualTo("ok");
        assertThat(disk.operations()).as("operations that change something").isEqualTo(before);
    }

    @Test
    void storeThatIsOpenIsRefused() throws OpenFailed {
        new Rig(disk, Rig.TINY);
        assertThatThrownBy(() -> look(disk))
                .isInstanceOf(OpenFailed.class)
                .hasMessageContaining("/store/lock")
                .hasMessageContaining("in use");
    }

    @Test
    void folderWithoutALogIsNoStore() {
        assertThatThrownBy(() -> look(new FaultDisk()))
                .isInstanceOf(OpenFailed.class)
                .hasMessageContaining("no store here");
    }

    @Test
    void progressReachesTheEnd() throws OpenFailed {
        List<Long> told = new ArrayList<>();
        StoreVerifier.look(disk, RecordView::tagsCode, (done, total) -> told.add(total - done));
        assertThat(told).isNotEmpty().isSortedAccordingTo((a, b) -> Long.compare(b, a));
        assertThat(told.getLast()).isZero();
    }

    /// Byte of the record, from its begin: size, magic, body CRC, log offset, the body's length, body, topic's length.
    @ParameterizedTest
    @ValueSource(ints = {1, 3, MessageLayout.MAGIC + 2, MessageLayout.BODY_CRC, MessageLayout.LOG_OFFSET + 7, 85, 120})
    void flippedBitIsNamedByFileAndByteAndEverythingBehindItIsStillFound(int at) throws OpenFailed {
        flip(FIRST, fifth + at);
        VerifyReport report = look(disk);

        assertThat(messages(report)).isEqualTo(24);
        assertThat(report.findings())
                .anySatisfy(finding -> assertThat(finding)
                        .returns("/store/" + FIRST, Finding::path)
                        .returns(fifth, Finding::byteAt)
                        .returns(Severity.BAD, Finding::severity)
                        .satisfies(one -> assertThat(one.what()).contains("up to byte " + (fifth + sizeBytes))));
    }

    private void flip(String file, long at) {
        disk.overwrite(file, at, (byte) (disk.bytes(file)[(int) at] ^ 1));
    }

    @Test
    void zeroedPageInTheMiddleIsDamageAndNotTheEnd() throws OpenFailed {
        disk.overwrite(FIRST, 1024, new byte[1024]);
        VerifyReport report = look(disk);

        assertThat(messages(report)).isBetween(21L, 23L);
        assertThat(report.badCount()).isPositive();
        assertThat(report.findings().getFirst().path()).isEqualTo("/store/" + FIRST);
    }

    @Test
    void messageThatTellsItsNameIsNamedThoughItsBodyIsDamaged() throws OpenFailed {
        flip(FIRST, fifth + 120);
        assertThat(look(disk).findings().getFirst().what()).contains("a/0 offset 5");
    }

    @Test
    void damagedLastMessageOfAStoppedStoreIsNoTornEnd() throws OpenFailed {
        disk.overwrite(THIRD, lastRecord() + 90, (byte) 9);
        assertThat(look(disk).badCount()).isPositive();
    }

    private int lastRecord() {
        byte[] bytes = disk.bytes(THIRD);
        int end = bytes.length;
        while (bytes[end - 1] == 0) {
            end--;
        }
        // "alone" in topic "b", without properties, whose length is two zeros.
        return end + 2 - 97;
    }

    @Test
    void tornEndAfterAKillIsANoteBecauseTheNextStartCutsItOff() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        long torn = rig.send(rig.queue("a", 0), "torn one").logOffset(0);
        FaultDisk crashed = disk.afterKill();
        crashed.overwrite(THIRD, torn - 8192 + 90, new byte[4]);

        VerifyReport report = look(crashed);
        assertThat(report.isClean()).as("%s", report.findings()).isTrue();
        assertThat(report.findings()).anyMatch(finding -> finding.byteAt() == torn - 8192);
        assertThat(report.findings()).anyMatch(finding -> finding.what().contains("not stopped cleanly"));
    }

    @Test
    void wholeMessagesBehindATornOneAreNamedBeforeTheNextStartCutsThem() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        long torn = rig.send(rig.queue("a", 0), "torn one").logOffset(0);
        rig.send(rig.queue("a", 0), "behind");
        FaultDisk crashed = disk.afterKill();
        crashed.overwrite(THIRD, torn - 8192 + 90, new byte[4]);

        assertThat(look(crashed).findings())
                .anyMatch(finding -> finding.severity() == Severity.BAD
                        && finding.what().contains("1 whole messages that stand behind"));
    }

    @Test
    void missingMiddleSegmentIsNamed() throws OpenFailed {
        disk.remove(SECOND);
        VerifyReport report = look(disk);
        assertThat(report.findings())
                .anyMatch(finding -> finding.path().equals("/store/" + SECOND)
                        && finding.what().contains("missing"));
        disk.remove("checkpoint");
        assertThat(repair(disk).done()).first().asString().startsWith("nothing");
    }

    @Test
    void missingLastSegmentIsNamedByTheCheckpoint() throws OpenFailed {
        disk.files().stream()
                .filter(name -> name.startsWith("commitlog") && name.compareTo(THIRD) >= 0)
                .forEach(disk::remove);
        assertThat(look(disk).findings())
                .anyMatch(finding -> finding.path().equals("/store/checkpoint")
                        && finding.what().contains("the end of the log was lost"));
    }

    @Test
    void foreignMisnamedAndShortFilesAreNamed() throws OpenFailed {
        disk.overwrite("commitlog/notes.txt", 0, (byte) 1);
        disk.setLength("commitlog/" + Names.ofOffset(5000), 4096);
        disk.setLength(SECOND, 4000);
        disk.overwrite("consumequeue/readme", 0, (byte) 1);
        assertThat(look(disk).findings())
                .extracting(finding -> finding.path().substring("/store/".length()))
                .contains("commitlog/notes.txt", "commitlog/" + Names.ofOffset(5000), SECOND, "consumequeue/readme");
    }

    @Test
    void garbledEntryIsNamedByFileAndByteAndMadeAgain() throws OpenFailed {
        String file = "consumequeue/a/0/" + Names.ofOffset(200);
        byte[] before = disk.bytes(file);
        disk.overwrite(file, 3 * 20 + 6, (byte) 77);
        assertThat(onlyDamage())
                .returns("/store/" + file, Finding::path)
                .returns(60L, Finding::byteAt)
                .satisfies(finding -> assertThat(finding.what()).contains("entry 13"));

        assertThat(repair(disk).isClean()).isTrue();
        assertThat(disk.bytes(file)).isEqualTo(before);
        assertOpensWhole();
    }

    @Test
    void wrongTagOfAnEntryIsFoundThoughItPointsAtItsMessage() throws OpenFailed {
        disk.overwrite("consumequeue/a/0/" + Names.ofOffset(0), 19, (byte) 3);
        assertThat(onlyDamage().what()).contains("entry 0").contains("another tag");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lost", "zeroed", "truncated", "folder"})
    void queueFileThatIsGoneIsMadeAgainFromTheLogWhichStaysAsItIs(String kind) throws OpenFailed {
        String file = "consumequeue/a/0/" + Names.ofOffset(200);
        byte[] log = disk.bytes(FIRST);
        switch (kind) {
            case "lost" -> disk.remove(file);
            case "zeroed" -> disk.overwrite(file, 0, new byte[200]);
            case "truncated" -> disk.setLength(file, 70);
            default ->
                disk.files().stream()
                        .filter(name -> name.startsWith("consumequeue/a/"))
                        .forEach(disk::remove);
        }
        assertThat(look(disk).isClean()).isFalse();

        VerifyReport repaired = repair(disk);
        assertThat(repaired.isClean()).as("%s", repaired.findings()).isTrue();
        assertThat(repaired.done()).anyMatch(deed -> deed.contains("a/0 was rebuilt"));
        assertThat(disk.bytes(FIRST)).isEqualTo(log);
        assertOpensWhole();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lost", "zeroed", "truncated", "garbled"})
    void checkpointThatIsGoneIsMadeAgain(String kind) throws OpenFailed {
        switch (kind) {
            case "lost" -> disk.remove("checkpoint");
            case "zeroed" -> disk.overwrite("checkpoint", 0, new byte[4096]);
            case "truncated" -> disk.setLength("checkpoint", 3);
            default -> disk.overwrite("checkpoint", 75, (byte) 9);
        }
        assertThat(onlyDamage().path()).isEqualTo("/store/checkpoint");

        assertThat(repair(disk).isClean()).isTrue();
        assertOpensWhole();
    }

    @Test
    void entriesOfMessagesThatTheLogHasLostStayButAreNoDamageOfTheQueue() throws OpenFailed {
        flip(FIRST, fifth + 1);
        VerifyReport report = repair(disk);
        assertThat(report.badCount()).as("%s", report.findings()).isEqualTo(1);
        assertThat(report.done()).isEmpty();
    }

    @Test
    void configurationThatCannotBeReadIsNamed() throws OpenFailed {
        disk.overwrite("config/topics.json", 0, "{\"dataVersion\":".getBytes(StandardCharsets.UTF_8));
        assertThat(onlyDamage().path()).isEqualTo("/store/config/topics.json");
    }
}
