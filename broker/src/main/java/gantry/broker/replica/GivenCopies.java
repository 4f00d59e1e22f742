package gantry.broker.replica;

import gantry.replica.copy.Snapshot;
import gantry.replica.lead.CopySource;
import gantry.store.MemberLog;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// What a leader gives to members that copy its whole log: its state, held in memory while it is copied.
///
/// ```
///   asked ─▶ gathered outside ─▶ confirmOffset is looked at: the parts are that of the log so far ─▶ given … released
/// ```
/// For:   followers that cannot go on from their own log.
/// Owner: the log sequencer.
/// Never: more than one snapshot for a member.
final class GivenCopies implements CopySource {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /// What one member is given; null while it is gathered.
    private static final class Given {
        private @Nullable Snapshot snapshot;
        private final List<byte[]> parts = new ArrayList<>();
        private final long droppedAt;

        Given(long droppedAt) {
            this.droppedAt = droppedAt;
        }
    }

    private final MemberLog log;
    private final StateParts state;
    private final RandomGenerator numbers;
    private final SortedMap<Long, Given> given = new TreeMap<>();

    GivenCopies(MemberLog log, StateParts state, RandomGenerator numbers) {
        this.log = log;
        this.state = state;
        this.numbers = numbers;
    }

    @Override
    public @Nullable Snapshot snapshot(long member, long wanted) {
        Given known = given.get(member);
        Snapshot made = known == null ? null : known.snapshot;
        if (known == null || (made != null && isOvertaken(made, known.droppedAt))) {
            Given next = new Given(log.droppedAt());
            given.put(member, next);
            // What failed is asked for anew with the next tick; a copy that waits for too long ends by name.
            state.gather(
                    parts -> log.submitAlways(() -> gathered(next, parts)),
                    _ -> log.submitAlways(() -> given.remove(member, next)));
            return null;
        }
        return made;
    }

    private boolean isOvertaken(Snapshot made, long droppedAt) {
        return made.offset() < log.begin() || droppedAt != log.droppedAt();
    }

    /// All facts that the parts hold were confirmed before they were gathered.
    private void gathered(Given next, SequencedMap<String, byte[]> parts) {
        List<Snapshot.Part> names = new ArrayList<>();
        parts.forEach((name, bytes) -> {
            names.add(new Snapshot.Part(name, bytes.length));
            next.parts.add(bytes);
        });
        // 0 says that a member has none.
        next.snapshot = new Snapshot(1 + numbers.nextLong(Long.MAX_VALUE - 1), log.confirmOffset(), names);
    }

    /// Which topics were dropped is among the parts, and the queues of a copy are numbered by that: one that was
    /// dropped since may have come again in the log that follows. The newest drop may lie above what is confirmed,
    /// and above a state that knows of it.
    @Override
    public boolean fits(long snapshotOffset) {
        long droppedAt = log.droppedAt();
        return droppedAt <= snapshotOffset
                || given.values().stream()
                        .anyMatch(each -> each.snapshot != null
                                && each.snapshot.offset() == snapshotOffset
                                && each.droppedAt == droppedAt);
    }

    @Override
    public ByteBuffer read(Snapshot snapshot, int part, long offset, int maxBytes) {
        for (Given each : given.values()) {
            Snapshot its = each.snapshot;
            if (its != null && its.id() == snapshot.id()) {
                byte[] bytes = each.parts.get(part);
                int at = Math.toIntExact(offset);
                return ByteBuffer.wrap(bytes, at, Math.min(maxBytes, bytes.length - at));
            }
        }
        // Its copy stalls, which ends its link; it comes again and is given another.
        return NOTHING;
    }

    @Override
    public void released(long member) {
        given.remove(member);
    }

    @Override
    public void keepFrom(long offset) {
        log.keepFrom(offset);
    }
}
