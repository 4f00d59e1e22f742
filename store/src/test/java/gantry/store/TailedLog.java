package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/// The store of a member that was killed with messages that nobody has confirmed, and what is to be true of it
/// once they are cut off.
///
/// For:   tests of `LogCut`.
/// Owner: one test thread.
final class TailedLog {
    static final StoreConfig CONFIG = Rig.TINY.withScrub(1 << 20).withConfirmation(Confirmation.BY_OWNER);
    private static final String BODY = "b".repeat(300);

    /// As the end of the process has left it; all of the log is synced.
    final FaultDisk disk;

    /// Where appends ended, and files.
    final TreeSet<Long> places = new TreeSet<>();

    final int sent;
    final long end;

    private TailedLog(Rig rig, FaultDisk disk, List<Long> ends, int sent) {
        this.disk = disk.afterKill();
        this.sent = sent;
        this.end = rig.store.appended();
        places.addAll(ends);
        for (long base = 4096; base < end; base += 4096) {
            places.add(base);
        }
    }

    /// @param confirmedBehind so many appends lie between what is confirmed and the end
    /// @param passMillis goes by after every third message, with a tick
    static TailedLog of(int messages, int confirmedBehind, int passMillis) throws OpenFailed {
        return of(messages, confirmedBehind, passMillis, Integer.MAX_VALUE);
    }

    /// @param lastCheckpoint from this message on no checkpoint can be written
    static TailedLog of(int messages, int confirmedBehind, int passMillis, int lastCheckpoint) throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        Rig rig = new Rig(disk, CONFIG);
        List<Long> ends = new ArrayList<>();
        MemberLog[] log = new MemberLog[1];
        log[0] = rig.store.ownedBy(new LogOwner() {
            @Override
            public void appended(long end) {
                ends.add(end);
                if (ends.size() > confirmedBehind) {
                    log[0].confirm(ends.get(ends.size() - confirmedBehind - 1));
                }
            }

            @Override
            public void durable(long end) {}

            @Override
            public void tick(long nowNanos) {}
        });
        log[0].submitAlways(log[0]::lead);
        for (int i = 0; i < messages; i++) {
            rig.sendKeyed(rig.queue("a", i % 2), "key" + i, "word" + i % 5, i + BODY);
            if (i == lastCheckpoint) {
                disk.fullFor(file -> file.path().startsWith("checkpoint"));
            }
            if (i % 3 == 0) {
                rig.pass(passMillis);
            }
        }
        rig.pass(600);
        assertThat(rig.store.durable()).isEqualTo(rig.store.appended());
        return new TailedLog(rig, disk, ends, messages);
    }

    /// Up to where it is proven to be confirmed.
    long proven() throws DiskFailed {
        Checkpoint.Mark mark = Checkpoint.load(disk, (_, _) -> {}).mark();
        return mark == null ? -1 : mark.logOffset();
    }

    /// The log's bytes, wherever the files begin and end.
    static byte[] bytes(FaultDisk disk, long from, long to) {
        byte[] all = new byte[(int) (to - from)];
        for (long at = from; at < to; ) {
            byte[] file = disk.bytes("commitlog/" + Names.ofOffset(at - at % 4096));
            int count = (int) Math.min(to - at, 4096 - at % 4096);
            System.arraycopy(file, (int) (at % 4096), all, (int) (at - from), count);
            at += count;
        }
        return all;
    }

    /// A member that never had more than what lies below `place`, all of it confirmed.
    Copying without(long place) throws OpenFailed {
        Copying member = new Copying(new FaultDisk(), CONFIG);
        assertThat(member.copy(0, bytes(disk, 0, place)).isWhole()).isTrue();
        member.confirm(place);
        return member;
    }

    /// The log is the same below `place` and ends there or behind; each queue has the offsets from 0 on.
    void assertUsable(FaultDisk other, long place, String when) throws OpenFailed {
        Copying member = new Copying(other, CONFIG);
        assertThat(member.log.end()).as(when).isGreaterThanOrEqualTo(place);
        long opened = member.log.end();
        assertThat(bytes(other, 0, opened)).as(when).isEqualTo(bytes(disk, 0, opened));
        member.confirm(opened);
        assertSame(member, without(opened), when);
        assertThat(member.rig.store.close()).as(when).isTrue();
    }

    /// A store from which everything behind `place` was cut is as one that never had it, and goes on as its leader
    /// does.
    void assertCut(FaultDisk other, long place, String when) throws OpenFailed {
        Copying member = new Copying(other, CONFIG);
        assertThat(member.log.end()).as(when).isEqualTo(place);
        assertQuiet(member, when);
        Copying leader = without(place);
        assertThat(Copying.files(other, "commitlog")).as(when).isEqualTo(Copying.files(leader.disk, "commitlog"));
        member.confirm(place);
        assertSame(member, leader, when);

        leader.leads();
        leader.rig.wallMillis += 100_000;
        for (int i = 0; i < 30; i++) {
            String key = i % 2 == 0 ? "key" + (sent - i) : "other" + i;
            leader.rig.sendKeyed(leader.rig.queue("a", i % 3), key, "word" + i % 5, "other " + i);
            leader.rig.pass(300);
            member.follow(leader, 700);
            member.rig.pass(300);
        }
        leader.confirm(leader.log.end());
        member.confirm(leader.log.end());
        member.rig.pass(1500);
        assertThat(Copying.files(other, "commitlog")).as(when).isEqualTo(Copying.files(leader.disk, "commitlog"));
        assertSame(member, leader, when + ", gone on");
        assertThat(member.rig.store.close()).as(when).isTrue();
        assertThat(member.rig.faults).as(when).isEmpty();

        Copying again = new Copying(other, CONFIG);
        assertSame(again, leader, when + ", opened again");
        assertQuiet(again, when);
    }

    /// A loss of power may tear seals; then they are none.
    private static void assertQuiet(Copying member, String when) {
        assertThat(member.rig.warnings()).as(when).allMatch(text -> text.contains("it is thrown away"));
    }

    private void assertSame(Copying member, Copying leader, String when) {
        for (ConsumeQueue queue : leader.rig.store.queues()) {
            ConsumeQueue same = member.rig.queue(queue.topic(), queue.queueId());
            assertThat(same.next()).as("%s: %s", when, queue).isEqualTo(queue.next());
            assertThat(same.minOffset()).as("%s: %s", when, queue).isZero();
            assertThat(member.rig.read(same, 0)).as("%s: %s", when, queue).isEqualTo(leader.rig.read(queue, 0));
        }
        for (int i = 0; i < sent; i++) {
            assertThat(member.rig.find("a", "key" + i))
                    .as("%s: key%s", when, i)
                    .isEqualTo(leader.rig.find("a", "key" + i));
        }
        for (int i = 0; i < 5; i++) {
            assertThat(member.rig.find("a", "word" + i))
                    .as("%s: word%s", when, i)
                    .isEqualTo(leader.rig.find("a", "word" + i));
        }
    }

    /// The one file that is kept, or null.
    static byte[] kept(FaultDisk disk, int which) {
        List<String> names = disk.files().stream()
                .filter(name -> name.startsWith("gantrycut/"))
                .toList();
        return disk.bytes(names.get(which));
    }

    /// Without the zeros at the end.
    static byte[] trimmed(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }
}
