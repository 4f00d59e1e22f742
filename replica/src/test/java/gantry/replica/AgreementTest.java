package gantry.replica;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import gantry.replica.epoch.LogView;
import gantry.replica.frame.Cause;
import gantry.replica.member.Agreement;
import gantry.replica.member.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Where two logs go on together, case by case, and the epoch tables that decide it.
class AgreementTest {
    private static final LogId ID = new LogId(1, 1);
    private static final Epoch E1 = new Epoch(1, 0, 11);
    private static final Epoch E2 = new Epoch(2, 100, 12);
    private static final Epoch E4 = new Epoch(4, 200, 14);

    private static EpochTable table(Epoch... epochs) {
        EpochTable table = EpochTable.of(List.of(epochs));
        return table == null ? EpochTable.EMPTY : table;
    }

    private static LogView view(long begin, long end, long confirm, Epoch... epochs) {
        return new LogView(ID, table(epochs), begin, end, confirm);
    }

    private static Agreement agree(LogView leader, LogView follower) {
        return Agreement.of(leader, 4, follower, follower.epochs().newest());
    }

    private static Cause copy(Agreement agreement) {
        assertThat(agreement).isInstanceOf(Agreement.Copy.class);
        return ((Agreement.Copy) agreement).why().cause();
    }

    private static Cause refusal(Agreement agreement) {
        assertThat(agreement).isInstanceOf(Agreement.Refused.class);
        return ((Agreement.Refused) agreement).why().cause();
    }

    private final LogView leader = view(0, 300, 150, E1, E2, E4);

    @Test
    void aBeginningOfTheLeadersLogGoesOn() {
        assertThat(agree(leader, view(0, 150, 150, E1, E2))).isEqualTo(new Agreement.Continue(150));
        assertThat(agree(leader, view(0, 100, 0, E1))).isEqualTo(new Agreement.Continue(100));
        assertThat(agree(leader, view(0, 300, 0, E1, E2, E4))).isEqualTo(new Agreement.Continue(300));
    }

    @Test
    void aDivergedEndIsCutBackToTheLastCommonEpoch() {
        assertThat(agree(leader, view(0, 250, 150, E1, E2))).isEqualTo(new Agreement.CutBack(200));
        assertThat(agree(leader, view(0, 250, 150, E1, E2, new Epoch(3, 180, 13))))
                .isEqualTo(new Agreement.CutBack(180));
        assertThat(agree(leader, view(0, 400, 150, E1, E2, E4))).isEqualTo(new Agreement.CutBack(300));
    }

    /// A leader that was restored from a copy counts on from an old number: the same number at the same offset.
    @Test
    void theSameEpochNumberWithAnotherMarkIsAnotherEpoch() {
        assertThat(agree(leader, view(0, 250, 150, E1, E2, new Epoch(4, 200, 99))))
                .isEqualTo(new Agreement.CutBack(200));
    }

    /// R020: whoever leads.
    @Test
    void nothingConfirmedIsCut() {
        assertThat(copy(agree(leader, view(0, 400, 301, E1, E2, E4)))).isEqualTo(Cause.CONFIRMED_LOST);
        assertThat(agree(leader, view(0, 400, 300, E1, E2, E4))).isEqualTo(new Agreement.CutBack(300));
    }

    /// R005: what it needs next is gone.
    @Test
    void aFollowerBehindTheLeadersBeginHasAName() {
        LogView late = view(120, 300, 150, E2, E4);
        assertThat(copy(agree(late, view(0, 100, 50, E1)))).isEqualTo(Cause.NEEDS_RESEED);
        assertThat(copy(agree(late, view(0, 119, 50, E1, E2)))).isEqualTo(Cause.NEEDS_RESEED);
        assertThat(agree(late, view(0, 120, 50, E1, E2))).isEqualTo(new Agreement.Continue(120));
    }

    @Test
    void logsWithoutACommonEpochDoNotMeet() {
        LogView other = view(0, 120, 0, new Epoch(1, 0, 77));
        assertThat(copy(agree(leader, other))).isEqualTo(Cause.NEEDS_RESEED);
        LogView confirmed = view(0, 120, 60, new Epoch(1, 0, 77));
        assertThat(copy(agree(leader, confirmed))).isEqualTo(Cause.CONFIRMED_LOST);
    }

    @Test
    void anEmptyFollowerBeginsWhereTheLeaderBegins() {
        LogView empty = new LogView(LogId.NONE, EpochTable.EMPTY, 0, 0, 0);
        assertThat(agree(leader, empty)).isEqualTo(new Agreement.Continue(0));
        assertThat(copy(agree(view(120, 300, 150, E2, E4), empty))).isEqualTo(Cause.NEEDS_RESEED);
    }

    @Test
    void anotherLogIsForeignAlsoWhenItHasNoName() {
        LogView other = new LogView(new LogId(9, 9), table(E1), 0, 50, 0);
        LogView nameless = new LogView(LogId.NONE, EpochTable.EMPTY, 0, 50, 0);
        assertThat(refusal(agree(leader, other))).isEqualTo(Cause.FOREIGN_LOG);
        assertThat(refusal(agree(leader, nameless))).isEqualTo(Cause.FOREIGN_LOG);
    }

    @Test
    void anOlderLeaderIsNotFollowed() {
        assertThat(refusal(Agreement.of(leader, 4, view(0, 100, 0, E1), 5))).isEqualTo(Cause.OUTRANKED);
    }

    @Test
    void anEpochInWhichNothingWasWrittenLeavesNoTrace() {
        EpochTable table = table(E1).begin(new Epoch(2, 50, 1)).begin(new Epoch(3, 50, 2));
        assertThat(table.epochs()).containsExactly(E1, new Epoch(3, 50, 2));
        assertThat(table.newest()).isEqualTo(3);
    }

    @Test
    void tablesThatDoNotRiseAreNone() {
        assertThat(EpochTable.of(List.of(E2, E1))).isNull();
        assertThat(EpochTable.of(List.of(E1, new Epoch(2, 0, 0)))).isNull();
        assertThat(EpochTable.of(List.of(E1, new Epoch(1, 5, 0)))).isNull();
    }

    @Test
    void theOldestEpochsAreForgotten() {
        EpochTable table = EpochTable.EMPTY;
        for (int i = 1; i <= EpochTable.MAX_EPOCHS + 5; i++) {
            table = table.begin(new Epoch(i, i * 10L, i));
        }
        assertThat(table.epochs()).hasSize(EpochTable.MAX_EPOCHS);
        assertThat(table.epochs().getFirst().number()).isEqualTo(6);
        assertThat(table.dropBelow(10_040).epochs().getFirst().number()).isEqualTo(1004);
        assertThat(table.nextStart(60, 1_000)).isEqualTo(70);
        assertThat(table.nextStart(10_050, 20_000)).isEqualTo(20_000);
        assertThat(table.at(59)).isNull();
        assertThat(table.at(60)).isEqualTo(new Epoch(6, 60, 6));
    }

    @Test
    void rocketMqsSettingsBecomeAPromiseInPlainWords() {
        assertThat(Promise.of(false, false, 1, 1).words()).isEqualTo("answered when the leader has it written");
        assertThat(Promise.of(true, false, 1, 1).words()).isEqualTo("answered when 2 members have it written");
        assertThat(Promise.of(true, true, 3, 2).words()).isEqualTo("answered when 3 members have it on disk");
        assertThat(Promise.of(true, true, 2, 3)).isEqualTo(new Promise(3, true));
    }
}
