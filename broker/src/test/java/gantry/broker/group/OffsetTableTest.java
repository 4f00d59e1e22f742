package gantry.broker.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/// What a group's offsets may do: shows by steps of commit, hand-over and confirmation.
class OffsetTableTest {
    private final OffsetTable offsets = new OffsetTable();

    @Test
    void anUnknownOffsetIsNotZero() {
        assertThat(offsets.wanted("T", 0)).isEmpty();
        offsets.commit("T", 0, 0);
        assertThat(offsets.wanted("T", 0)).hasValue(0);
    }

    @Test
    void progressThatComesLateDoesNotGoBack() {
        assertThat(offsets.progress("T", 0, 10)).isTrue();
        assertThat(offsets.progress("T", 0, 7)).isFalse();
        assertThat(offsets.wanted("T", 0)).hasValue(10);
    }

    @Test
    void aClientThatSeeksMayGoBack() {
        offsets.commit("T", 0, 10);
        offsets.commit("T", 0, 3);
        assertThat(offsets.wanted("T", 0)).hasValue(3);
    }

    @Test
    void anOffsetCountsAsLoggedOnlyWhenItsOwnFactIsConfirmed() {
        offsets.commit("T", 0, 5);
        offsets.handed("T", 0, 5);
        assertThat(offsets.isLogged("T", 0)).isFalse();
        offsets.commit("T", 0, 6);
        offsets.handed("T", 0, 6);
        offsets.logged("T", 0, 5);
        assertThat(offsets.isLogged("T", 0)).isFalse();
        offsets.logged("T", 0, 6);
        assertThat(offsets.isLogged("T", 0)).isTrue();
    }

    @Test
    void aFactThatWasRefusedIsHandedOverAgain() {
        offsets.commit("T", 0, 5);
        offsets.handed("T", 0, 5);
        assertThat(offsets.unhanded()).isEmpty();
        offsets.notTaken("T", 0);
        assertThat(offsets.unhanded()).isEqualTo(Map.of("T", Map.of(0, 5L)));
    }

    @Test
    void whatIsExportedHoldsEveryOffsetThatWasHandedToTheLog() {
        offsets.commit("T", 1, 9);
        assertThat(offsets.handedOffsets()).isEmpty();
        offsets.handed("T", 1, 9);
        assertThat(offsets.handedOffsets()).isEqualTo(Map.of("T", Map.of(1, 9L)));
    }

    @Test
    void aRestoredOffsetIsLoggedAlready() {
        offsets.restore("T", 2, 40);
        assertThat(offsets.isLogged("T", 2)).isTrue();
        assertThat(offsets.unhanded()).isEmpty();
        assertThat(offsets.progress("T", 2, 39)).isFalse();
    }
}
