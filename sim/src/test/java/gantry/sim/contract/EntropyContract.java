package gantry.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Entropy;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// Shows what every `Entropy` does.
abstract class EntropyContract {
    abstract Entropy entropy();

    @Test
    void noTwoStreamsAreAlikeWhateverTheirPurpose() {
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            assertThat(seen.add(entropy().fork("one").nextLong())).isTrue();
            assertThat(seen.add(entropy().fork("other").nextLong())).isTrue();
        }
    }

    @Test
    void everyByteOfAStreamVaries() {
        RandomGenerator stream = entropy().fork("bytes");
        long ever = 0;
        long always = -1;
        for (int i = 0; i < 200; i++) {
            long next = stream.nextLong();
            ever |= next;
            always &= next;
        }
        assertThat(ever).isEqualTo(-1);
        assertThat(always).isZero();
    }
}
