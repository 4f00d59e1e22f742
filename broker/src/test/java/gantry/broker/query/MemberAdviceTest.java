package gantry.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.broker.replica.MemberStatus;
import gantry.replica.frame.Cause;
import gantry.replica.frame.Fault;
import gantry.replica.member.MemberState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A member that is not well has a cause and a next step, whatever its state; one that is well does not alarm.
class MemberAdviceTest {
    @ParameterizedTest
    @EnumSource(Cause.class)
    void everyCauseHasANextStep(Cause cause) {
        MemberAdvice advice = of(2, GroupView.member(1, new MemberState.Refused(new Fault(cause, "why"))));
        assertThat(advice.isWell()).isFalse();
        assertThat(advice.why()).startsWith("REFUSED: ").contains(cause.sentence());
        assertThat(advice.next()).hasSizeGreaterThan(20).doesNotEndWith(".");
    }

    @Test
    void onlyAMemberThatKeepsUpIsWell() {
        for (MemberState ill : List.of(
                new MemberState.NeverSeen(),
                new MemberState.Connecting(),
                new MemberState.Diverged(7),
                new MemberState.Reseeding(3, 10),
                new MemberState.Silent(1))) {
            MemberAdvice advice = of(1, GroupView.member(1, ill));
            assertThat(advice.isWell()).as(ill.words()).isFalse();
            assertThat(advice.next()).as(ill.words()).isNotBlank();
        }
        assertThat(of(2, GroupView.member(1, new MemberState.InSync(), 0, 0)).isWell())
                .isTrue();
    }

    /// Behind a leader that waits for nobody a follower is always some bytes behind while the log grows.
    @Test
    void catchingUpIsWellOnlyWhenNobodyWaitsForItAndItIsClose() {
        MemberState behind = new MemberState.CatchingUp(100);
        assertThat(of(1, GroupView.member(1, behind, 100, 9_999)).isWell()).isTrue();
        assertThat(of(1, GroupView.member(1, behind, 100, 10_000)).isWell()).isFalse();
        assertThat(of(2, GroupView.member(1, behind, 100, 5)).isWell()).isFalse();
    }

    @Test
    void followerWithoutAMasterIsToldWhereToLook() {
        MemberStatus nowhere = GroupView.member(0, new MemberState.Connecting());
        MemberAdvice advice = MemberAdvice.of(GroupView.follower(nowhere), nowhere);
        assertThat(advice.isWell()).isFalse();
        assertThat(advice.next())
                .contains("no nameserver says where its master is")
                .contains("haMasterAddress");
    }

    private static MemberAdvice of(int promised, MemberStatus member) {
        return MemberAdvice.of(GroupView.leader(promised, null, member), member);
    }
}
