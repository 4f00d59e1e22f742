package gantry.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Offload;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// Shows what every `Offload` does.
abstract class OffloadContract {
    abstract Bed bed();

    abstract Offload offload();

    @Test
    void everyWorkRunsOnceAlsoWhenAsksForMore() {
        List<Integer> ran = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 200; i++) {
            int number = i;
            offload().run(() -> {
                ran.add(number);
                offload().run(() -> ran.add(1000 + number));
            });
        }

        bed().until("all works ran", () -> ran.size() >= 400);
        bed().settle();
        assertThat(ran).hasSize(400).doesNotHaveDuplicates();
    }

    @Test
    void workNeverRunsInsideWhoeverAsksForIt() {
        List<String> told = new CopyOnWriteArrayList<>();
        ThreadLocal<Boolean> asking = ThreadLocal.withInitial(() -> false);
        asking.set(true);
        for (int i = 0; i < 50; i++) {
            offload().run(() -> told.add(asking.get() ? "inside" : "outside"));
        }
        asking.set(false);

        bed().until("all works ran", () -> told.size() == 50);
        assertThat(told).containsOnly("outside");
    }
}
