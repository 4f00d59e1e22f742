package gantry.store;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The log of a store that is owned by somebody: a member of a replica group, as a rule.
///
/// ```
///   owner ◀─ appended, durable, tick ─ log ◀─ confirm ─ owner
/// ```
/// For:   saying how far the log is confirmed, giving it to other members, and taking it from them.
/// Owner: the log sequencer: everything but the `submit`s is called inside it, by what is
///        submitted here or from within `LogOwner`.
/// Never: knows what a leader is, or a group.
public final class MemberLog {
    private final Log log;
    private final Scrubber scrubber;

    MemberLog(Log log, Scrubber scrubber) {
        this.log = log;
        this.scrubber = scrubber;
    }

    /// Runs a command inside the log sequencer.
    ///
    /// @return false when too many wait already; it was not taken
    public boolean submit(Runnable command) {
        return log.sequencer().submit(command);
    }

    /// Runs a command inside the log sequencer now if nobody else is there, else not at all: for bytes that are
    /// lent for this call only.
    ///
    /// @return whether it ran
    public boolean submitIfIdle(Runnable command) {
        return log.sequencer().submitIfIdle(command);
    }

    /// As above, for commands whose number something else bounds.
    public void submitAlways(Runnable command) {
        log.sequencer().submitAlways(command);
    }

    /// Everything below can no longer be taken back: it is shown, who waits for it is answered, and once it is
    /// durable here it may be in any file. Takes effect up to the end of the last append or copy that lies
    /// below as a whole; what is less than before changes nothing.
    public void confirm(long logOffset) {
        log.confirmUpTo(logOffset);
    }

    /// At start: what topics were dropped for was confirmed, whatever else was noted of that.
    public void confirmThroughDrops() {
        log.confirmThroughDrops();
    }

    /// Sends are taken from now on.
    public void lead() {
        log.lead();
    }

    /// Sends are refused from now on (`FOLLOWING`), as they are before anybody has said `lead`; those that wait
    /// to be confirmed are refused, too.
    ///
    /// @param leader for the sentence of the refusal
    public void follow(String leader) {
        log.follow(leader);
    }

    /// The log as it is stored: whole records from `from` on and below `to`, as many as fit `maxBytes`, or the
    /// first alone if it is larger; never 8 MiB or more. The unused end of a file, from its blank record on,
    /// counts as a record. `from` is where a record starts.
    public LogPiece read(long from, long to, int maxBytes) {
        return log.read(from, to, maxBytes);
    }

    /// Takes what another member's `read` gave, byte for byte, while this one follows. Each record is checked
    /// whole before anything is written; what comes before the first that is not right is taken, and nothing
    /// from there on.
    ///
    /// @param logOffset where the bytes belong: where this log ends
    public Copied copy(long logOffset, ByteBuffer bytes) {
        return log.copying().copy(logOffset, bytes, Origin.MEMBER);
    }

    /// As `copy`, of a RocketMQ broker's log: each record is checked as whole, but a queue may begin at any offset,
    /// times may go back, and what stands in the unused end of a file is not looked at and not kept.
    public Copied copyForeign(long logOffset, ByteBuffer bytes) {
        return log.copying().copy(logOffset, bytes, Origin.ROCKETMQ);
    }

    /// A copy of the last bytes of the newest file, at most so many; nothing when the log ends with a file.
    public byte[] lastBytes(int most) {
        return log.copying().lastBytes(most);
    }

    /// The queue has given so many offsets though this log has no message of it: it goes on there.
    ///
    /// @return what went wrong, or null; a queue that has messages here, or goes on there already, is left as it is
    public @Nullable String beginQueue(String topic, int queueId, long queueOffset) {
        return log.copying().beginQueue(topic, queueId, queueOffset);
    }

    /// Retention leaves the log from `logOffset` on, `Long.MAX_VALUE`: nothing but what it needs itself. Where the
    /// disk has no room for sends it drops more nevertheless.
    public void keepFrom(long logOffset) {
        log.keepFrom(logOffset);
    }

    /// Where the log ended when a topic was dropped last; 0 when nothing of that is left. What is copied from further
    /// back needs to know of it.
    public long droppedAt() {
        return log.droppedAt();
    }

    /// Looks at a part of the settled log where waiting is allowed, soon; what is rotten is listed then.
    ///
    /// @param answer told inside the log sequencer, and not before this returns
    public void look(RangeAsk range, Consumer<RangeLook> answer) {
        scrubber.look(range, seen -> log.sequencer().submitAlways(() -> answer.accept(seen)));
    }

    /// Puts what another member has given in the place of what is rotten here: whole messages from `from` on, each
    /// checked before anything is written. What is sound here is not written over.
    ///
    /// @param given not changed by anybody until the answer
    /// @param digest SHA-256 of it, as the other member made it where it looked
    /// @param answer told inside the log sequencer, and not before this returns
    public void mend(long from, ByteBuffer given, byte[] digest, Consumer<RangeMended> answer) {
        scrubber.mend(from, given, digest, done -> log.sequencer().submitAlways(() -> answer.accept(done)));
    }

    /// What is rotten and not mended yet, as far as it is known; for everybody.
    public List<RottenPlace> rotten() {
        return scrubber.rotten();
    }

    public long confirmOffset() {
        return log.confirmed();
    }

    /// The length of its files.
    public long segmentBytes() {
        return log.segments().segmentBytes();
    }

    /// Where the oldest kept file starts.
    public long begin() {
        return log.segments().minOffset();
    }

    public long end() {
        return log.appended();
    }

    /// How many messages were ever added to the log, one for each entry of a queue.
    public long entryCount() {
        return log.entryCount();
    }

    public long durable() {
        return log.durable();
    }
}
