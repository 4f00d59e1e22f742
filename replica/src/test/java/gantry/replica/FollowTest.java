package gantry.replica;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.replica.epoch.EpochTable;
import gantry.replica.lead.StaticSet;
import gantry.replica.member.Limits;
import gantry.replica.member.MemberState;
import gantry.replica.member.Promise;
import gantry.replica.rig.Cable;
import gantry.replica.rig.Follower;
import gantry.replica.rig.Leader;
import gantry.replica.rig.MemoryLog;
import org.junit.jupiter.api.Test;

/// One leader and one follower over a link that loses nothing.
class FollowTest {
    private static final Promise TWO_WRITTEN = new Promise(2, false);

    private final Leader leader =
            new Leader(new MemoryLog(), EpochTable.EMPTY, 0, TWO_WRITTEN, Limits.DEFAULTS, new StaticSet());
    private final Follower follower = new Follower(2, Limits.DEFAULTS);

    /// R022: nobody sends anything once the empty follower has come.
    @Test
    void nothingIsConfirmedBeforeTheFollowerHasIt() {
        leader.add("one", 0);

        assertThat(leader.confirmed).isZero();
        assertThat(leader.group.refusesSends()).contains("2 members have it written", "1 of them is in sync");

        Cable cable = new Cable(leader, follower, 0);
        cable.carry(follower, 1);

        assertThat(leader.confirmed).isEqualTo(leader.log.end());
        assertThat(follower.log.copy()).isEqualTo(leader.log.copy());
        assertThat(leader.group.states()).containsEntry(2L, new MemberState.InSync());
        assertThat(follower.following.state()).isEqualTo(new MemberState.InSync());
        assertThat(leader.group.refusesSends()).isNull();
        assertThat(follower.epochs).isEqualTo(leader.epochs);
    }

    @Test
    void theFollowerIsToldAtOnceWhatIsConfirmedWhenNothingIsOnItsWay() {
        Cable cable = new Cable(leader, follower, 0);
        cable.carry(follower, 1);
        leader.add("one", 2);
        cable.carry(follower, 3);

        assertThat(follower.confirmed).isEqualTo(leader.log.end());
    }

    /// R007: two minutes in which nobody sends anything.
    @Test
    void linkWithoutTrafficStays() {
        Cable cable = new Cable(leader, follower, 0);
        cable.carry(follower, 0);
        for (long now = 0; now <= 120_000_000_000L; now += 100_000_000L) {
            leader.group.tick(now, 0);
            follower.following.tick(now);
            cable.carry(follower, now);
        }
        assertThat(cable.leaderEnd.isEnded()).isFalse();
        assertThat(leader.group.states()).containsEntry(2L, new MemberState.InSync());
        assertThat(follower.following.state()).isEqualTo(new MemberState.InSync());
        assertThat(leader.notebook.lines).isEmpty();
    }

    @Test
    void theEndOfATroubleIsToldWhereTheTroubleWas() {
        Cable cable = new Cable(leader, follower, 0);
        cable.carry(follower, 1);
        cable.leaderEnd.closed(2);
        cable.followerEnd.closed(2);
        assertThat(leader.notebook.lines).singleElement().asString().startsWith("WARN replication: member 2: the conn");

        new Cable(leader, follower, 1_000_000_000L).carry(follower, 1_000_000_001L);
        leader.group.tick(1_100_000_000L, 0);
        follower.following.tick(1_100_000_000L);
        leader.group.tick(1_200_000_000L, 0);

        assertThat(leader.notebook.lines.getLast()).isEqualTo("OVER replication: member 2 is in sync again");
        assertThat(follower.notebook.lines.getLast()).isEqualTo("OVER replication: this follower is in sync again");
        assertThat(leader.notebook.lines).hasSize(2);
    }
}
