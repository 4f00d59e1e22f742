package gantry.replica.rig;

import gantry.replica.frame.RangeDigest;
import gantry.replica.range.RangeDone;
import gantry.replica.range.RangeLog;
import gantry.replica.range.RangeSeen;
import gantry.replica.range.RottenRange;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.TreeMap;

/// A log in memory that is compared and mended; it answers when the test says so.
///
/// For:   tests of comparing: bytes of a record's body may be spoilt, not its size.
/// Owner: its test.
public final class RotLog implements RangeLog {
    public final TreeMap<Long, RottenRange> rotten = new TreeMap<>();
    public final ArrayDeque<Runnable> answers = new ArrayDeque<>();
    public final MemoryLog log;
    public long now;
    public int looks;
    public int mends;

    public RotLog(MemoryLog log) {
        this.log = log;
    }

    /// Everything that was asked, and what follows from it here.
    public boolean answerAll() {
        boolean any = !answers.isEmpty();
        for (Runnable next = answers.poll(); next != null; next = answers.poll()) {
            next.run();
        }
        return any;
    }

    @Override
    public List<RottenRange> rotten() {
        return List.copyOf(rotten.values());
    }

    @Override
    public void look(long from, long to, int mostBytes, Seen answer) {
        looks++;
        answers.add(() -> answer.seen(next(from, to, mostBytes, false), now));
    }

    @Override
    public void give(long from, long to, int mostBytes, Seen answer) {
        answers.add(() -> answer.seen(next(from, to, mostBytes, true), now));
    }

    @Override
    public void lookAt(long from, long to, Seen answer) {
        looks++;
        answers.add(() -> answer.seen(at(from, to), now));
    }

    private RangeSeen at(long from, long to) {
        if (from < log.begin() || to > log.end()) {
            return RangeSeen.gone(from);
        }
        ByteBuffer bytes = bytes(from, to);
        int sound = MemoryLog.sound(bytes, 0, bytes.capacity());
        if (sound == bytes.capacity()) {
            return RangeSeen.sound(from, to, digest(bytes));
        }
        note(from + sound);
        return RangeSeen.rotten(from, to, digest(bytes), "a record at " + (from + sound));
    }

    private RangeSeen next(long from, long to, int mostBytes, boolean withBytes) {
        if (from < log.begin() || from >= Math.min(to, log.end())) {
            return RangeSeen.gone(from);
        }
        ByteBuffer piece = log.read(from, Math.min(to, log.end()), mostBytes);
        ByteBuffer bytes = bytes(from, from + piece.remaining());
        int sound = MemoryLog.sound(bytes, 0, bytes.capacity());
        if (sound == 0) {
            note(from);
            return RangeSeen.rotten(from, log.recordEnd((int) from), RangeDigest.NONE, "a record at " + from);
        }
        ByteBuffer good = bytes(from, from + sound);
        return withBytes
                ? RangeSeen.sound(from, from + sound, digest(good), good)
                : RangeSeen.sound(from, from + sound, digest(good));
    }

    private void note(long at) {
        rotten.put(at, new RottenRange(at, log.recordEnd((int) at), "a record at " + at));
    }

    @Override
    public void mend(long from, ByteBuffer bytes, RangeDigest digest, Done answer) {
        answers.add(() -> answer.done(mended(from, bytes, digest), now));
    }

    private RangeDone mended(long from, ByteBuffer given, RangeDigest digest) {
        int length = given.remaining();
        if (!digest(given).equals(digest) || MemoryLog.sound(given, 0, length) != length) {
            return new RangeDone(RangeDone.Kind.UNFIT, from, "not sound");
        }
        ByteBuffer own = bytes(from, from + length);
        if (own.equals(given)) {
            rotten.subMap(from, from + length).clear();
            return new RangeDone(RangeDone.Kind.SAME, from + length, "");
        }
        if (MemoryLog.sound(own, 0, length) == length) {
            return new RangeDone(RangeDone.Kind.DIFFERS, from + length, "both are sound");
        }
        mends++;
        log.put((int) from, given);
        rotten.subMap(from, from + length).clear();
        return new RangeDone(RangeDone.Kind.MENDED, from + length, "");
    }

    private ByteBuffer bytes(long from, long to) {
        byte[] copy = log.copy();
        ByteBuffer bytes = ByteBuffer.allocate((int) (to - from));
        return bytes.put(copy, (int) from, (int) (to - from)).flip();
    }

    public static RangeDigest digest(ByteBuffer bytes) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes.duplicate());
            return RangeDigest.of(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
