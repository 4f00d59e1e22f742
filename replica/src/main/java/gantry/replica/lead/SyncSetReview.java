package gantry.replica.lead;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Who should be in the sync-state set, and who is.
///
/// For:   proposing changes, and waiting for the members of both sets while one is under way (R012).
/// Owner: the group.
///
/// A member leaves when its link is gone or when it has been behind for longer than `Limits.slow`; it enters
/// when it holds, as promised, everything that is confirmed and everything from before this reign. Where the
/// promise is the leader's alone nobody enters, so that nobody is waited for.
final class SyncSetReview {
    /// Without an answer the same change is proposed again.
    private static final Duration ASK_AGAIN = Duration.ofSeconds(2);

    private final ReplicaGroup group;
    private final SetDecider decider;
    private SyncSet current;
    private @Nullable SyncSet proposed;
    private long askedNanos;
    private List<Member> waitedFor;

    SyncSetReview(ReplicaGroup group, SetDecider decider, SyncSet start) {
        this.group = group;
        this.decider = decider;
        this.current = start;
        this.waitedFor = union();
    }

    SyncSet current() {
        return current;
    }

    /// The members of the set, and of the proposed one, without the leader.
    List<Member> waitedFor() {
        return waitedFor;
    }

    void review(long nowNanos) {
        if (proposed == null) {
            SortedSet<Long> wanted = wanted(nowNanos);
            if (wanted.equals(current.members())) {
                return;
            }
            proposed = new SyncSet(current.version() + 1, wanted);
            waitedFor = union();
        } else if (nowNanos - askedNanos < ASK_AGAIN.toNanos()) {
            return;
        }
        askedNanos = nowNanos;
        decider.propose(proposed, group);
    }

    void decided(SyncSet actual) {
        if (actual.version() < current.version()) {
            return;
        }
        current = actual;
        proposed = null;
        waitedFor = union();
    }

    private SortedSet<Long> wanted(long nowNanos) {
        SortedSet<Long> wanted = new TreeSet<>();
        wanted.add(group.setup().self().memberId());
        for (long id : current.members()) {
            if (id != group.setup().self().memberId() && stays(group.member(id), nowNanos)) {
                wanted.add(id);
            }
        }
        if (group.setup().promise().members() > 1) {
            group.candidates(wanted, nowNanos);
        }
        return wanted;
    }

    private boolean stays(Member member, long nowNanos) {
        return member.isStreaming()
                && member.behindNanos(group.setup().promise(), group.end(), nowNanos)
                        <= group.limits().slow().toNanos();
    }

    private List<Member> union() {
        TreeSet<Long> ids = new TreeSet<>(current.members());
        if (proposed != null) {
            ids.addAll(proposed.members());
        }
        ids.remove(group.setup().self().memberId());
        List<Member> members = new ArrayList<>(ids.size());
        for (long id : ids) {
            members.add(group.member(id));
        }
        return members;
    }
}
