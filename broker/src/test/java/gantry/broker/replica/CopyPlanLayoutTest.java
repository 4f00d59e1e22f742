package gantry.broker.replica;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.replica.copy.CopyPlan;
import gantry.replica.copy.Snapshot;
import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Shows that a copy's plan is read as it was written, or not at all.
class CopyPlanLayoutTest {
    private static final CopyPlan PLAN = new CopyPlan(
            new LogId(7, -9),
            EpochTable.EMPTY.begin(new Epoch(3, 0, 11)).begin(new Epoch(5, 4096, -12)),
            4096,
            70_000,
            new Snapshot(
                    99, 8192, List.of(new Snapshot.Part("topics.json", 1234), new Snapshot.Part("droppedtopics", 0))),
            true);

    @Test
    void planIsReadAsItWasWritten() {
        assertThat(CopyPlanLayout.decode(CopyPlanLayout.encode(PLAN))).isEqualTo(PLAN);
    }

    @Test
    void shorterPlanIsNone() {
        byte[] whole = CopyPlanLayout.encode(PLAN);
        for (int length = 0; length < whole.length; length++) {
            assertThat(CopyPlanLayout.decode(Arrays.copyOf(whole, length)))
                    .as("of its first " + length + " bytes")
                    .isNull();
        }
    }
}
