package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.base.Notices;
import gantry.store.disk.FileDisk;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Shows that a member takes the place of its own log by a copy of the leader's: whole or not at all, whenever the
/// process or the power ends; that it goes on with a copy where it was; and that no offset is given again.
class SideStoreTest {
    private static final StoreConfig CONFIG = RetentionTest.THREE_FILES.withConfirmation(Confirmation.BY_OWNER);
    private static final byte[] PLAN = "of which leader".getBytes(StandardCharsets.UTF_8);
    private static final FileId MEMBER = new FileId("member");
    private static final long WALL_MILLIS = 1_700_000_300_000L;
    private static final Notices NOBODY = (_, _) -> {};

    /// Its log begins at a later file; one queue has no message any more, one topic was dropped and came again.
    private static Copying leader() throws OpenFailed {
        Copying leader = new Copying(new FaultDisk(), CONFIG).leads();
        leader.rig.wallMillis += 1000;
        leader.rig.send(leader.rig.queue("early", 1), "one", "two", "three");
        for (int i = 0; i < 24; i++) {
            leader.rig.sendSized(leader.rig.queue("a", i % 2), 1000);
        }
        leader.rig.send(leader.rig.queue("gone", 0), "old", "older");
        leader.confirm(leader.log.end());
        leader.rig.pass(1500);
        leader.rig.store.topicEnds().drop("gone", () -> {});
        leader.rig.pass(100);
        leader.rig.send(leader.rig.queue("gone", 0), "new", "newer");
        for (int i = 0; i < 6; i++) {
            leader.rig.sendKeyed(leader.rig.queue("a", i % 3), "key" + i, "", "message " + i);
            leader.confirm(leader.log.end());
            leader.rig.pass(2000);
        }
        assertThat(leader.log.begin()).isPositive();
        assertThat(leader.rig.queue("early", 1).minOffset()).isEqualTo(3);
        assertThat(leader.rig.queue("gone", 0).minOffset()).isEqualTo(10);
        return leader;
    }

    /// A member whose log is another.
    private static Copying follower() throws OpenFailed {
        Copying follower = new Copying(new FaultDisk(), CONFIG).leads();
        for (int i = 0; i < 12; i++) {
            follower.rig.sendKeyed(
                    follower.rig.queue(i % 2 == 0 ? "a" : "own", 0), "own" + i, "", "own " + i + "x".repeat(600));
            follower.rig.pass(300);
        }
        follower.confirm(follower.log.end());
        follower.rig.pass(1500);
        Export.overwrite(follower.disk, new FileId("config/topics.json"), new byte[] {1});
        Export.overwrite(follower.disk, new FileId("config/old.json"), new byte[] {2});
        Export.overwrite(follower.disk, MEMBER, new byte[] {3});
        return follower;
    }

    /// One copy, from its begin to its end or to a crash.
    private static final class Copy {
        final Copying leader;
        final long begin;
        final long end;
        final long snapshot;
        final SequencedMap<String, byte[]> parts = new LinkedHashMap<>();
        int pieceBytes = 1500;
        int syncEvery = 3;

        Copy(Copying leader) {
            this.leader = leader;
            this.begin = leader.log.begin();
            this.snapshot = leader.log.confirmOffset();
            parts.put("topics.json", "of the leader".getBytes(StandardCharsets.UTF_8));
            parts.putAll(leader.rig.store.copyParts());
            parts.put("empty.json", new byte[0]);
            this.end = leader.log.end();
        }

        SideStore begin(Disk disk) throws OpenFailed {
            return SideStore.begin(disk, CONFIG, begin, snapshot, PLAN);
        }

        void takeParts(SideStore side) {
            parts.forEach((name, bytes) -> {
                int half = bytes.length / 2;
                assertThat(side.part(name, 0, ByteBuffer.wrap(bytes, 0, half)).isOk())
                        .isTrue();
                assertThat(side.part(name, half, ByteBuffer.wrap(bytes, half, bytes.length - half))
                                .isOk())
                        .isTrue();
            });
        }

        void goOn(SideStore side) {
            if (!side.hasSnapshot()) {
                takeParts(side);
            }
            for (int i = 1; side.end() < end; i++) {
                Copied copied = side.append(side.end(), ByteBuffer.wrap(leader.bytes(side.end(), end, pieceBytes)));
                assertThat(copied.isWhole()).as("%s", copied).isTrue();
                if (i % syncEvery == 0) {
                    assertThat(side.sync().isOk()).isTrue();
                }
            }
        }

        String switchOver(SideStore side, long confirm) throws OpenFailed {
            SequencedMap<FileId, byte[]> with = new LinkedHashMap<>(Map.of(MEMBER, new byte[] {4}));
            return side.switchOver(confirm, false, with, NOBODY, WALL_MILLIS);
        }

        /// A member that has taken all of it.
        Copying taken() throws OpenFailed {
            Copying follower = follower();
            SideStore side = begin(follower.disk);
            goOn(side);
            assertThat(follower.rig.store.close()).isTrue();
            switchOver(side, end);
            return new Copying(follower.disk, CONFIG);
        }

        /// What is in the store now is the copy.
        Copying assertSwitched(FaultDisk disk, long confirm, String when) throws OpenFailed {
            Copying member = new Copying(disk, CONFIG);
            assertThat(member.log.begin()).as(when).isEqualTo(begin);
            assertThat(member.log.end()).as(when).isEqualTo(end);
            assertThat(member.log.confirmOffset()).as(when).isEqualTo(confirm);
            assertThat(disk.bytes("config/topics.json")).as(when).isEqualTo(parts.get("topics.json"));
            assertThat(disk.bytes("config/empty.json")).as(when).isEmpty();
            assertThat(disk.bytes("member")).as(when).containsExactly(4);
            assertThat(disk.files()).as(when).noneMatch(name -> name.contains("gantry") && !name.contains("seals"));
            assertThat(disk.files()).as(when).doesNotContain("config/old.json");
            String folder = disk.files().stream()
                    .filter(name -> name.startsWith("replaced-"))
                    .findFirst()
                    .orElseThrow()
                    .substring(0, "replaced-".length() + 38);
            assertThat(disk.bytes(folder + "/config/old.json")).as(when).containsExactly(2);
            assertThat(disk.bytes(folder + "/member")).as(when).containsExactly(3);
            assertThat(disk.files())
                    .as(when)
                    .contains(folder + "/checkpoint", "commitlog/" + folder + "/" + Names.ofOffset(0));
            member.rig.rebuilt();
            member.confirm(end);
            for (ConsumeQueue queue : leader.rig.store.queues()) {
                assertThat(member.rig.queue(queue.topic(), queue.queueId()).minOffset())
                        .as("%s: %s", when, queue)
                        .isEqualTo(queue.minOffset());
            }
            assertSame(member, when);
            return member;
        }

        void assertSame(Copying member, String when) {
            for (ConsumeQueue queue : leader.rig.store.queues()) {
                ConsumeQueue same = member.rig.queue(queue.topic(), queue.queueId());
                assertThat(same.next()).as("%s: %s", when, queue).isEqualTo(queue.next());
                long from = Math.max(same.minOffset(), queue.minOffset());
                assertThat(member.rig.read(same, from))
                        .as("%s: %s", when, queue)
                        .isEqualTo(leader.rig.read(queue, from));
            }
            assertThat(member.rig.find("a", "own2")).as(when).isEmpty();
            for (int i = 0; i < 6; i++) {
                assertThat(member.rig.find("a", "key" + i)).as(when).isEqualTo(leader.rig.find("a", "key" + i));
            }
        }
    }

    private static long logEnd(Copying member) {
        return member.log.end();
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 1500, 1 << 20})
    void copyTakesTheStoresPlaceAndGoesOnAsTheLeaderDoes(int pieceBytes) throws OpenFailed {
        Copying leader = leader();
        Copying follower = follower();
        Copy copy = new Copy(leader);
        copy.pieceBytes = pieceBytes;
        SideStore side = copy.begin(follower.disk);
        assertThat(side.plan()).isEqualTo(PLAN);
        copy.goOn(side);
        assertThat(follower.rig.read(follower.rig.queue("own", 0), 0))
                .as("it still serves")
                .hasSize(6);
        assertThat(follower.rig.store.close()).isTrue();
        String folder = copy.switchOver(side, copy.end);
        assertThat(folder).startsWith("/store/replaced-" + Names.ofOffset(8192) + "-");
        Copying member = copy.assertSwitched(follower.disk, copy.end, "switched");
        assertThat(member.rig.warnings()).isEmpty();

        leader.rig.send(leader.rig.queue("early", 1), "four");
        leader.rig.send(leader.rig.queue("gone", 0), "newest");
        for (int i = 0; i < 8; i++) {
            leader.rig.sendSized(leader.rig.queue("a", i % 4), 900);
            member.follow(leader, 2000);
            member.rig.pass(700);
        }
        leader.confirm(leader.log.end());
        member.confirm(leader.log.end());
        copy.assertSame(member, "gone on");
        assertThat(member.rig.read(member.rig.queue("early", 1), 3)).containsExactly("four");
        assertThat(member.rig.store.close()).isTrue();
        Copying again = new Copying(follower.disk, CONFIG);
        assertThat(again.rig.isRebuilding()).isFalse();
        copy.assertSame(again, "opened again");
        assertThat(again.rig.warnings()).isEmpty();
    }

    /// The copied log has no message of the earlier topic any more, so nothing is left of it to be dropped; and what is
    /// known of where the new one begins is lost with the process.
    @Test
    void queuesOfATopicThatCameAgainBeginTogetherThoughOneHasNoMessageYet() throws OpenFailed {
        for (boolean folded : new boolean[] {true, false}) {
            Copying leader = leader();
            Copy copy = new Copy(leader);
            Copying member = copy.taken();
            member.rig.rebuilt();
            leader.rig.store.topicEnds().drop("early", () -> {});
            long place = leader.log.end();
            leader.rig.pass(100);
            leader.rig.send(leader.rig.queue("early", 2), "new");
            long begin = leader.rig.queue("early", 2).minOffset();
            assertThat(begin).isEqualTo(10);
            member.confirm(copy.end);
            assertThat(member.rig.store.topicEnds().hasBelow("early", copy.end)).isFalse();
            member.follow(leader, 2000);
            leader.confirm(leader.log.end());

            Copying again = new Copying(member.disk.afterKill(), CONFIG);
            again.rig.rebuilt();
            again.confirm(leader.log.end());
            assertThat(again.rig.queue("early", 1).next())
                    .as("of the earlier topic")
                    .isEqualTo(3);
            if (folded) {
                again.rig.store.topicEnds().beginAnew("early", place);
                again.rig.store.topicEnds().beginAnew("early", place);
            }
            for (int queueId = 0; folded && queueId < 4; queueId++) {
                assertThat(again.rig.queue("early", queueId).minOffset())
                        .as("queue " + queueId)
                        .isEqualTo(leader.rig.queue("early", queueId).minOffset());
            }
            leader.rig.send(leader.rig.queue("early", 1), "newer");
            leader.rig.send(leader.rig.queue("early", 0), "newest");
            leader.confirm(leader.log.end());
            again.follow(leader, 2000);
            assertThat(again.rig.read(again.rig.queue("early", 1), begin)).containsExactly("newer");
            assertThat(again.rig.read(again.rig.queue("early", 0), begin)).containsExactly("newest");
        }
    }

    /// Its queues are being made again, and begin with fillers for what the log has let go.
    @Test
    void topicThatCameAgainIsNotTakenForTheEarlierOneWhoseMessagesAreGone() throws OpenFailed {
        Copying leader = leader();
        Copy copy = new Copy(leader);
        Copying member = copy.taken();
        leader.rig.store.topicEnds().drop("early", () -> {});
        long place = leader.log.end();
        leader.rig.pass(100);
        leader.rig.send(leader.rig.queue("early", 1), "new");
        leader.confirm(leader.log.end());
        member.follow(leader, 2000);

        for (int start = 0; start < 2; start++) {
            member = new Copying(member.disk.afterKill(), CONFIG);
            member.confirm(leader.log.end());
            assertThat(member.rig.store.topicEnds().hasBelow("early", place))
                    .as("start " + start)
                    .isFalse();
            assertThat(member.rig.store.topicEnds().hasBelow("early", leader.log.end()))
                    .as("start " + start)
                    .isTrue();
        }
        member.rig.store.topicEnds().beginAnew("early", place);
        assertThat(member.rig.read(member.rig.queue("early", 1), 10)).containsExactly("new");
    }

    @Test
    void whatIsNotConfirmedYetIsHiddenInTheCopiedLog() throws OpenFailed {
        Copying leader = leader();
        long confirmed = leader.log.end();
        leader.rig.send(leader.rig.queue("a", 0), "open");
        long middle = leader.log.end();
        leader.rig.send(leader.rig.queue("new", 0), "open too");
        Copy copy = new Copy(leader);
        assertThat(copy.snapshot).isEqualTo(confirmed);
        for (long confirm : new long[] {confirmed, confirmed + 5, middle, copy.end - 1}) {
            Copying follower = follower();
            SideStore side = copy.begin(follower.disk);
            copy.goOn(side);
            assertThat(follower.rig.store.close()).isTrue();
            assertThatThrownBy(() -> copy.switchOver(side, confirmed - 1))
                    .isInstanceOf(OpenFailed.class)
                    .hasMessageContaining("with the state of " + confirmed);
            assertThatThrownBy(() -> copy.switchOver(side, copy.end + 1)).isInstanceOf(OpenFailed.class);
            copy.switchOver(side, confirm);
            Copying member = new Copying(follower.disk, CONFIG);
            long begins = confirm >= middle ? middle : confirmed;
            assertThat(member.log.confirmOffset()).isEqualTo(begins);
            member.rig.rebuilt();
            assertThat(member.rig.queue("new", 0).maxOffset()).isZero();
            assertThat(member.rig.queue("a", 0).next())
                    .isEqualTo(leader.rig.queue("a", 0).next());
            assertThat(member.rig.queue("a", 0).maxOffset())
                    .isEqualTo(leader.rig.queue("a", 0).next() - (begins == middle ? 0 : 1));
            member.confirm(member.log.end());
            leader.confirm(leader.log.end());
            copy.assertSame(member, "confirmed from " + confirm);
        }
    }

    /// At every operation of a copy and a switch.
    @Test
    void interruptedCopyGoesOnAndInterruptedSwitchIsEndedByTheNextStart() throws OpenFailed {
        Copying leader = leader();
        Copy copy = new Copy(leader);
        FaultDisk before = stopped(follower());
        FaultDisk whole = before.afterKill();
        run(copy, whole);
        long operations = whole.operations();
        assertThat(operations).isGreaterThan(60);
        int goneOn = 0;
        int switched = 0;
        for (long k = 0; k < operations; k++) {
            FaultDisk disk = before.afterKill();
            disk.cutPowerAt(k);
            assertThatThrownBy(() -> run(copy, disk)).isInstanceOf(FaultDisk.PowerCut.class);
            List<FaultDisk> ways = new ArrayList<>(List.of(disk.afterKill()));
            for (int fate = 0; fate < 3; fate++) {
                ways.add(disk.afterPowerLoss(new SplittableRandom(k * 3 + fate)));
            }
            for (FaultDisk way : ways) {
                String when = "interrupted at " + k + ", way " + ways.indexOf(way);
                Copying member = new Copying(way, CONFIG);
                boolean isNew = member.log.begin() == copy.begin;
                SideStore side = SideStore.find(way, CONFIG);
                if (isNew) {
                    switched++;
                    assertThat(side == null || !side.hasSnapshot()).as(when).isTrue();
                    SideStore.discard(way);
                } else {
                    assertOld(member, when);
                    goneOn += side != null && side.hasSnapshot() ? 1 : 0;
                    assertFound(copy, way, side, when);
                    if (side == null) {
                        side = copy.begin(way);
                    }
                    copy.goOn(side);
                    assertThat(member.rig.store.close()).as(when).isTrue();
                    copy.switchOver(side, copy.end);
                    member = new Copying(way, CONFIG);
                }
                assertThat(member.rig.store.close()).as(when).isTrue();
                copy.assertSwitched(way, copy.end, when);
            }
        }
        assertThat(goneOn).isGreaterThan(40);
        assertThat(switched).isGreaterThan(40);
    }

    private static FaultDisk stopped(Copying follower) {
        assertThat(follower.rig.store.close()).isTrue();
        return follower.disk.afterKill();
    }

    private static void run(Copy copy, FaultDisk disk) throws OpenFailed {
        SideStore side = copy.begin(disk);
        copy.goOn(side);
        copy.switchOver(side, copy.end);
    }

    private static void assertOld(Copying member, String when) {
        member.rig.rebuilt();
        member.confirm(logEnd(member));
        assertThat(member.rig.read(member.rig.queue("own", 0), 0)).as(when).hasSize(6);
        assertThat(member.rig.read(member.rig.queue("a", 0), 0)).as(when).hasSize(6);
        assertThat(member.rig.queue("early", 1).next()).as(when).isZero();
        assertThat(member.disk.bytes("member")).as(when).containsExactly(3);
    }

    /// What is said to be there is there.
    private static void assertFound(Copy copy, FaultDisk disk, @Nullable SideStore side, String when) {
        for (long at = copy.begin; side != null && at < side.end(); at += 4096) {
            int count = (int) Math.min(4096, side.end() - at);
            byte[] ours = disk.bytes("commitlog/gantrycopy/" + Names.ofOffset(at));
            byte[] theirs = copy.leader.disk.bytes("commitlog/" + Names.ofOffset(at));
            assertThat(ByteBuffer.wrap(ours, 0, count)).as(when).isEqualTo(ByteBuffer.wrap(theirs, 0, count));
        }
        for (String name : side == null ? List.<String>of() : disk.files()) {
            if (side != null && name.startsWith("commitlog/gantrycopy/")) {
                long base = Names.offsetOf(name.substring("commitlog/gantrycopy/".length()));
                byte[] behind = disk.bytes(name);
                int from = Math.clamp(side.end() - base, 0, behind.length);
                assertThat(ByteBuffer.wrap(behind, from, behind.length - from))
                        .as("%s: %s behind %s", when, name, side.end())
                        .isEqualTo(ByteBuffer.allocate(behind.length - from));
            }
        }
        if (side != null && side.hasSnapshot()) {
            assertThat(disk.bytes("gantrycopy/root/config/topics.json"))
                    .as(when)
                    .isEqualTo(copy.parts.get("topics.json"));
        }
    }

    @Test
    void onlyWholeRecordsThatBelongThereAreTaken() throws OpenFailed {
        Copying leader = leader();
        Copy copy = new Copy(leader);
        FaultDisk disk = stopped(follower());
        SideStore side = copy.begin(disk);
        copy.takeParts(side);
        byte[] good = leader.bytes(copy.begin, copy.end, 2500);
        assertThat(side.append(copy.begin + 4096, ByteBuffer.wrap(good)).fault())
                .contains("ends at " + copy.begin);
        int size = ByteBuffer.wrap(good).getInt(0);
        byte[] bad = good.clone();
        bad[size + 200] ^= 1;
        Copied copied = side.append(copy.begin, ByteBuffer.wrap(bad));
        assertThat(copied.end()).isEqualTo(copy.begin + size);
        assertThat(copied.fault()).contains("checksum does not match");
        assertThat(side.append(copied.end(), ByteBuffer.wrap(good, size, good.length - size))
                        .isWhole())
                .isTrue();
        copy.goOn(side);
        copy.switchOver(side, copy.end);
        copy.assertSwitched(disk, copy.end, "after a bad record");

        assertThatThrownBy(() -> SideStore.begin(disk, CONFIG, 100, 200, PLAN))
                .isInstanceOf(OpenFailed.class)
                .hasMessageContaining("begins at 100");
        assertThat(side.part("../x", 0, ByteBuffer.allocate(1)).isOk()).isFalse();
    }

    @Test
    void fullDiskEndsACopyWhichGoesOnLater() throws OpenFailed {
        Copying leader = leader();
        Copy copy = new Copy(leader);
        FaultDisk disk = stopped(follower());
        SideStore side = copy.begin(disk);
        copy.takeParts(side);
        byte[] first = leader.bytes(copy.begin, copy.end, 1500);
        assertThat(side.append(copy.begin, ByteBuffer.wrap(first)).isWhole()).isTrue();
        assertThat(side.sync().isOk()).isTrue();
        long held = side.end();
        disk.fullFor(file -> file.path().startsWith("commitlog/"));
        byte[] next = leader.bytes(held, copy.end, 1500);
        Copied copied = side.append(held, ByteBuffer.wrap(next));
        assertThat(copied.end()).isEqualTo(held);
        assertThat(copied.refusal()).extracting(Refusal::kind).isEqualTo(Refusal.Kind.DISK_FULL);
        disk.fullFor(_ -> false);
        assertThat(side.append(held, ByteBuffer.wrap(next)).refusal()).isNotNull();
        SideStore found = SideStore.find(disk, CONFIG);
        assertThat(found).isNotNull();
        if (found != null) {
            assertThat(found.end()).isEqualTo(held);
            copy.goOn(found);
            copy.switchOver(found, copy.end);
        }
        copy.assertSwitched(disk, copy.end, "room again");
    }

    /// Whether the sync fails that is asked for last, or one that ran while more was taken.
    @Test
    void copyWhoseSyncFailedIsNeverTakenForOneThatIsOnDisk() throws OpenFailed {
        for (String failing : List.of("commitlog/", "gantrycopy/root/", "gantrycopy/held")) {
            Copying leader = leader();
            Copy copy = new Copy(leader);
            FaultDisk disk = stopped(follower());
            SideStore side = copy.begin(disk);
            copy.takeParts(side);
            byte[] first = leader.bytes(copy.begin, copy.end, 1500);
            assertThat(side.append(copy.begin, ByteBuffer.wrap(first)).isWhole())
                    .isTrue();
            SideStore.Unsynced beside = side.unsynced();
            byte[] next = leader.bytes(side.end(), copy.end, 1500);
            assertThat(side.append(side.end(), ByteBuffer.wrap(next)).isWhole()).isTrue();
            disk.failSyncsOf(file -> file.path().startsWith(failing));
            assertThat(beside.sync().isOk()).as(failing).isFalse();
            disk.failSyncsOf(_ -> false);

            assertThat(side.sync().isOk()).as("%s: all the rest", failing).isFalse();
            byte[] more = leader.bytes(side.end(), copy.end, 1500);
            assertThat(side.append(side.end(), ByteBuffer.wrap(more)).refusal())
                    .as(failing)
                    .isNotNull();
            assertThat(side.part("late.json", 0, ByteBuffer.allocate(1)).isOk()).isFalse();
            assertThatThrownBy(() -> copy.switchOver(side, copy.end)).isInstanceOf(OpenFailed.class);
            assertThat(SideStore.find(disk, CONFIG)).as(failing).isNull();
            assertThat(SideStore.find(disk.afterPowerLoss(new java.util.SplittableRandom(1)), CONFIG))
                    .as("%s, and the power", failing)
                    .isNull();

            SideStore anew = copy.begin(disk);
            copy.goOn(anew);
            copy.switchOver(anew, copy.end);
            copy.assertSwitched(disk, copy.end, failing);
        }
    }

    /// With the commit log on a file system of its own, so to speak.
    @Test
    void copyTakesThePlaceOfAStoreOfRealFiles(@TempDir Path root) throws OpenFailed {
        Copying leader = leader();
        Copy copy = new Copy(leader);
        Path log = root.resolve("elsewhere");
        try (FileDisk disk = new FileDisk(root.resolve("store"), log, 16)) {
            Rig before = new Rig(disk, CONFIG);
            Export.overwrite(disk, new FileId("config/old.json"), new byte[] {2});
            SideStore begun = copy.begin(disk);
            copy.goOn(begun);
            assertThat(begun.sync().isOk()).isTrue();
            SideStore side = SideStore.find(disk, CONFIG);
            assertThat(before.store.close()).isTrue();
            if (side == null) {
                throw new AssertionError("the copy is gone");
            }
            assertThat(side.end()).isEqualTo(copy.end);
            String folder = copy.switchOver(side, copy.end);
            assertThat(Path.of(folder).resolve("config/old.json")).exists();
            assertThat(log.resolve(Path.of(folder).getFileName()).resolve(Names.ofOffset(0)))
                    .exists();
            Rig after = new Rig(disk, CONFIG).rebuilt();
            assertThat(after.store.confirmOffset()).isEqualTo(copy.end);
            ConsumeQueue queue = leader.rig.queue("a", 0);
            assertThat(after.read(after.queue("a", 0), queue.minOffset()))
                    .isEqualTo(leader.rig.read(queue, queue.minOffset()));
            assertThat(after.queue("early", 1).next()).isEqualTo(3);
            assertThat(after.store.close()).isTrue();
            assertThat(root.resolve("store/gantrycopy")).doesNotExist();
            assertThat(log.resolve("gantrycopy")).doesNotExist();
        }
    }

    @Test
    void roomIsMadeOfReplacedLogsButNotOfThoseThatAnOperatorHasToSee() throws OpenFailed {
        Copying leader = leader();
        Copy copy = new Copy(leader);
        FaultDisk disk = stopped(follower());
        List<String> told = new ArrayList<>();
        Notices notices = (level, text) -> told.add(level + " " + text);
        long reserve = CONFIG.retention().reserveBytes();
        disk.space(1L << 40, 1000 + reserve);
        assertThat(SideStore.room(disk, CONFIG, 1000, notices).isEnough()).isTrue();
        SideStore.Room none = SideStore.room(disk, CONFIG, 1001, notices);
        assertThat(none.isEnough()).isFalse();
        assertThat(none.sentence()).contains("needs " + (1001 + reserve) + " bytes", "/store/commitlog/gantrycopy");

        SideStore kept = copy.begin(disk);
        copy.goOn(kept);
        String folder = kept.switchOver(copy.end, true, new LinkedHashMap<>(), notices, WALL_MILLIS);
        assertThat(folder).startsWith("/store/kept-");
        assertThat(told).last().asString().contains(folder, "confirmed and that the leader does not have");
        assertThat(new Copying(disk, CONFIG).rig.store.close()).isTrue();
        SideStore replaced = copy.begin(disk);
        copy.goOn(replaced);
        copy.switchOver(replaced, copy.end);
        assertThat(disk.files()).anyMatch(name -> name.startsWith("commitlog/replaced-"));
        SideStore.room(disk, CONFIG, 1001, notices);
        assertThat(disk.files()).noneMatch(name -> name.contains("replaced-"));
        assertThat(disk.files()).anyMatch(name -> name.startsWith("commitlog/kept-"));
        assertThat(disk.files()).anyMatch(name -> name.startsWith("kept-"));
        assertThat(told).last().asString().contains("is deleted to make room");
    }
}
