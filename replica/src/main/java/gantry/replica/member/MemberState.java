package gantry.replica.member;

import gantry.replica.frame.Fault;

/// How a member stands, as its leader or it itself sees it.
///
/// For:   health, metrics and log lines; there is no state without a name.
/// Owner: none (immutable).
///
/// ```
///   NEVER_SEEN ─▶ CONNECTING ─┬─▶ CATCHING_UP ◀──▶ IN_SYNC         from each: ─▶ SILENT ─▶ CONNECTING
///                             ├─▶ DIVERGED ─▶ CONNECTING
///                             ├─▶ RESEEDING ─▶ CONNECTING
///                             └─▶ REFUSED ─▶ CONNECTING
/// ```
public sealed interface MemberState {
    /// It was configured, and no process with its number has connected since this leader leads. Ends when it
    /// connects.
    record NeverSeen() implements MemberState {}

    /// The hello is under way, or the next one is waited for. Ends within the hello's time.
    record Connecting() implements MemberState {}

    /// Its log is a beginning of the leader's. Ends by itself as fast as bytes travel.
    ///
    /// @param lagBytes how much it lacks, never negative
    record CatchingUp(long lagBytes) implements MemberState {}

    /// It has everything that is confirmed.
    record InSync() implements MemberState {}

    /// Its log has an end that the leader's has not. Ends by itself: it is cut back, and connects again.
    ///
    /// @param commonEnd up to where the two are the same
    record Diverged(long commonEnd) implements MemberState {}

    /// It copies the leader's log to the side, and counts for nothing meanwhile. Ends as fast as bytes travel.
    ///
    /// @param doneBytes what is written of it, of `totalBytes`, which are 0 while nothing was offered yet
    record Reseeding(long doneBytes, long totalBytes) implements MemberState {
        public int percent() {
            if (totalBytes == 0) {
                return 0;
            }
            return doneBytes >= totalBytes ? 100 : (int) Math.min(99.0, 100.0 * doneBytes / totalBytes);
        }
    }

    /// It was heard, and is not any more. Ends when it connects.
    ///
    /// @param sinceNanos when it was heard last
    record Silent(long sinceNanos) implements MemberState {}

    /// It cannot take part; it connects again and again, at most every few seconds, and is looked at anew each
    /// time.
    record Refused(Fault why) implements MemberState {}

    /// The state's name as it stands in metrics and health, with what belongs to it.
    default String words() {
        return switch (this) {
            case NeverSeen() -> "NEVER_SEEN";
            case Connecting() -> "CONNECTING";
            case CatchingUp(long lagBytes) -> "CATCHING_UP, " + lagBytes + " bytes behind";
            case InSync() -> "IN_SYNC";
            case Diverged(long commonEnd) -> "DIVERGED above log offset " + commonEnd;
            case Reseeding reseeding ->
                "RESEEDING " + reseeding.percent() + " %, " + reseeding.doneBytes() + " of " + reseeding.totalBytes()
                        + " bytes";
            case Silent _ -> "SILENT";
            case Refused(Fault why) -> "REFUSED: " + why;
        };
    }
}
