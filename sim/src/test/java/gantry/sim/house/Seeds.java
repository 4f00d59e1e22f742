package gantry.sim.house;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.sim.SimFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/// Many seeds, on all processors: each is a world of its own and shares nothing with another.
///
/// For:   tests that show a claim for every seed.
/// Owner: none (static functions).
/// Never: lets a seed fail without its number and the command that repeats it.
final class Seeds {
    private Seeds() {}

    /// Runs `count` seeds from `first` on, and gives their outcomes in the order of the seeds.
    ///
    /// @param replay the command that runs one seed alone
    static <O> List<O> run(long first, long count, LongFunction<O> world, LongFunction<String> replay) {
        List<String> broken = Collections.synchronizedList(new ArrayList<>());
        List<O> outcomes = LongStream.range(first, first + count)
                .parallel()
                .mapToObj(seed -> one(seed, world, replay, broken))
                .flatMap(List::stream)
                .toList();
        assertThat(broken).isEmpty();
        return outcomes;
    }

    private static <O> List<O> one(long seed, LongFunction<O> world, LongFunction<String> replay, List<String> broken) {
        try {
            return List.of(world.apply(seed));
        } catch (SimFailure failure) {
            broken.add("seed " + seed + ": " + failure.getMessage() + "\n    replay: " + replay.apply(seed));
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + ", replay: " + replay.apply(seed), e);
        }
        return List.of();
    }
}
