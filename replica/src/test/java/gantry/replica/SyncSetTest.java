package gantry.replica;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.replica.epoch.EpochTable;
import gantry.replica.lead.SyncSet;
import gantry.replica.member.Limits;
import gantry.replica.member.Promise;
import gantry.replica.rig.FalseFollower;
import gantry.replica.rig.Leader;
import gantry.replica.rig.MemoryLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Whoever decides the sync-state set answers late or not at all: meanwhile less is confirmed, never more.
class SyncSetTest {
    private static final long NOW = 1_000;
    private static final int CREDIT = 1 << 20;

    private final List<SyncSet> proposed = new ArrayList<>();
    private final Leader leader = new Leader(
            new MemoryLog(),
            EpochTable.EMPTY,
            0,
            new Promise(2, false),
            Limits.DEFAULTS,
            (wanted, asker) -> proposed.add(wanted));
    private final FalseFollower second = join(2);

    private FalseFollower join(long id) {
        return new FalseFollower(leader, Leader.identity(id), Leader.SECRET, NOW)
                .greet(NOW)
                .emptyPosition(CREDIT, NOW);
    }

    @BeforeEach
    void leaderAndOneFollower() {
        leader.group.decided(proposed.getLast());
        assertThat(leader.group.syncSet().members()).containsExactly(1L, 2L);
    }

    /// R012: the answer to the change is lost; the third member may count already for who made it.
    @Test
    void whileTheSetGrowsTheNewMemberIsWaitedForAsWell() {
        FalseFollower third = join(3);
        assertThat(proposed.getLast().members()).containsExactly(1L, 2L, 3L);
        assertThat(leader.group.syncSet().members()).containsExactly(1L, 2L);

        leader.add("one", NOW);
        second.ack(1, leader.log.end(), 0, CREDIT, NOW);
        assertThat(leader.confirmed).isZero();
        third.ack(1, leader.log.end(), 0, CREDIT, NOW);
        assertThat(leader.confirmed).isEqualTo(leader.log.end());
    }

    /// R012: the same for a member on its way out.
    @Test
    void whileTheSetShrinksWhoIsToLeaveIsWaitedFor() {
        join(3);
        leader.group.decided(proposed.getLast());
        assertThat(leader.group.syncSet().size()).isEqualTo(3);
        leader.add("one", NOW);
        second.ack(1, leader.log.end(), 0, CREDIT, NOW);

        long later = NOW + Limits.DEFAULTS.silence().toNanos() - 1;
        second.ack(1, leader.log.end(), 0, CREDIT, later);
        leader.group.tick(later + 1, 0);
        assertThat(proposed.getLast().members()).containsExactly(1L, 2L);
        assertThat(leader.confirmed).as("member 3 may be the next leader still").isZero();

        leader.group.decided(proposed.getLast());
        assertThat(leader.confirmed).isEqualTo(leader.log.end());
    }

    /// R015: both sides end at the same set, whatever comes late.
    @Test
    void anOlderDecisionChangesNothing() {
        SyncSet before = leader.group.syncSet();
        join(3);
        leader.group.decided(proposed.getLast());

        leader.group.decided(before);

        assertThat(leader.group.syncSet().members()).isEqualTo(Set.of(1L, 2L, 3L));
    }

    /// R015: a change that got no answer is proposed again, as the same change.
    @Test
    void aChangeWithoutAnAnswerIsProposedAgain() {
        join(3);
        SyncSet wanted = proposed.getLast();
        int count = proposed.size();
        leader.group.tick(NOW + 1_900_000_000L, 0);
        assertThat(proposed).hasSize(count);

        leader.group.tick(NOW + 2_000_000_000L, 0);

        assertThat(proposed).hasSize(count + 1).last().isEqualTo(wanted);
    }
}
