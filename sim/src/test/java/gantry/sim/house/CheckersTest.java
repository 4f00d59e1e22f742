package gantry.sim.house;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.sim.SimFailure;
import gantry.store.Durability;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// Shows that the checkers find what they are there for: brokers that break a promise on purpose are found within a
/// few seeds, by looking inside and by what clients see alone.
class CheckersTest {
    private static final int SEEDS = 25;

    private static Plan withPowerCuts(Plan plan) {
        Set<Plan.Blow> blows = EnumSet.copyOf(plan.blows());
        blows.add(Plan.Blow.CUT_POWER_OF_BROKER);
        return plan.with(Durability.SYNCED, blows);
    }

    /// The sentences with which a flaw was found, one per seed that found it.
    private static List<String> found(Supplier<Lens> flaw, boolean looksInside) {
        List<String> sentences = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            try (House house = new House(seed, null, flaw.get(), looksInside, CheckersTest::withPowerCuts)) {
                house.run();
            } catch (SimFailure failure) {
                sentences.add(String.valueOf(failure.getMessage()));
            }
        }
        return sentences;
    }

    /// @param promise what at least `leastSeeds` of the seeds say is broken
    private static void assertFound(List<String> sentences, int leastSeeds, String promise) {
        assertThat(sentences)
                .filteredOn(sentence -> sentence.startsWith(promise))
                .as("what was found: %s", sentences)
                .hasSizeGreaterThanOrEqualTo(leastSeeds);
    }

    @Test
    void honestBrokerIsNotAccused() {
        assertThat(found(() -> Lens.CLEAR, true)).isEmpty();
        assertThat(found(() -> Lens.CLEAR, false)).isEmpty();
    }

    @Test
    void acknowledgementBeforeTheSyncIsSeenInsideAtOnce() {
        assertFound(found(Flaws::acknowledgesBeforeTheSync, true), 20, "P1 confirmOffset");
    }

    @Test
    void acknowledgementBeforeTheSyncIsSeenByClientsAfterAPowerCut() {
        assertFound(found(Flaws::acknowledgesBeforeTheSync, false), 5, "P");
    }

    @Test
    void acknowledgementBeforeTheWriteIsSeenInsideAtOnce() {
        // Either a power cut could take it back (P1), or it cannot even be read (P3); whichever checker comes first.
        assertFound(found(Flaws::acknowledgesBeforeTheWrite, true), 20, "P");
    }

    @Test
    void acknowledgementBeforeTheWriteIsSeenByClients() {
        assertFound(found(Flaws::acknowledgesBeforeTheWrite, false), 5, "P3");
    }

    @Test
    void reuseOfAQueueOffsetIsSeenInsideAtTheNextStart() {
        assertFound(found(Flaws::usesAQueueOffsetAgain, true), 10, "P1");
    }

    @Test
    void reuseOfAQueueOffsetIsSeenByClients() {
        assertFound(found(Flaws::usesAQueueOffsetAgain, false), 5, "P3");
    }

    @Test
    void keysThatWereNotWrittenAreMissedAfterTheLastCrash() {
        assertFound(found(Flaws::forgetsKeys, false), 10, "P3 the message");
    }

    @Test
    void messageAboveConfirmOffsetIsSeenWhenItIsShown() {
        assertFound(found(Flaws::showsWhatIsNotConfirmed, true), 5, "P2");
    }
}
