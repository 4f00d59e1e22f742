package gantry.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// Shows that everybody gets the same object for a key.
class RegistryTest {
    @Test
    void keyThatWasNeverAskedForIsNotFound() {
        Registry<String, Object> registry = new Registry<>();

        assertThat(registry.find("a")).isNull();
        Object made = registry.findOrMake("a", key -> new Object());

        assertThat(registry.find("a")).isSameAs(made);
        assertThat(registry.findOrMake("a", key -> new Object())).isSameAs(made);
        assertThat(registry.size()).isEqualTo(1);
        assertThat(registry.values()).containsExactly(made);
    }

    @Test
    void threadsThatAskAtOnceGetTheSameObject() throws InterruptedException {
        Registry<Integer, Object> registry = new Registry<>();
        Set<Object> seen = ConcurrentHashMap.newKeySet();
        CountDownLatch start = new CountDownLatch(1);
        Thread[] askers = new Thread[4];
        for (int i = 0; i < askers.length; i++) {
            askers[i] = new Thread(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                for (int key = 0; key < 1000; key++) {
                    seen.add(registry.findOrMake(key, k -> new Object()));
                }
            });
            askers[i].start();
        }
        start.countDown();
        for (Thread asker : askers) {
            asker.join();
        }

        assertThat(seen).hasSize(1000);
    }
}
