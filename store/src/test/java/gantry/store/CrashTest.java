package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import gantry.wire.message.RecordView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Shows what a crash costs: the power goes at every operation of a workload in turn, what was not synced is lost, torn
/// or lands in any order, and the store is opened again; then the power goes again at every operation of that opening.
class CrashTest {
    /// What producers and consumers know about a store, over all its crashes.
    private static final class Witness implements AppendBatch.Listener {
        /// Per queue: what was sent for each offset; a crash may free an offset for another message.
        final Map<String, Map<Long, List<String>>> sent = new LinkedHashMap<>();
        final Map<String, Map<Long, String>> confirmed = new LinkedHashMap<>();
        final Map<String, Long> seenMax = new LinkedHashMap<>();
        final Map<AppendBatch, List<String>> bodies = new LinkedHashMap<>();
        /// What was on its way when the power went: it may be there, or not.
        final List<String> untold = new ArrayList<>();

        int sends;

        @Override
        public void written(AppendBatch batch) {
            List<String> texts = bodies.getOrDefault(batch, List.of());
            untold.removeAll(texts);
            for (int i = 0; i < batch.count(); i++) {
                sent.computeIfAbsent(batch.queue(i).toString(), _ -> new LinkedHashMap<>())
                        .computeIfAbsent(batch.queueOffset(i), _ -> new ArrayList<>())
                        .add(texts.get(i));
            }
        }

        @Override
        public void confirmed(AppendBatch batch) {
            List<String> texts = bodies.getOrDefault(batch, List.of());
            for (int i = 0; i < batch.count(); i++) {
                String before = confirmed
                        .computeIfAbsent(batch.queue(i).toString(), _ -> new LinkedHashMap<>())
                        .put(batch.queueOffset(i), texts.get(i));
                assertThat(before)
                        .as("the message that was confirmed at this offset before")
                        .isNull();
            }
        }

        @Override
        public void late(AppendBatch batch) {}

        @Override
        public void refused(AppendBatch batch, Refusal why) {
            fail("refused: " + why);
        }

        void look(Store store) {
            for (ConsumeQueue queue : store.queues()) {
                seenMax.merge(queue.toString(), queue.maxOffset(), Math::max);
            }
        }
    }

    private static void send(Rig rig, Witness witness, String topic, int id, int count, int bodyBytes) {
        send(rig, witness, topic, id, count, bodyBytes, 0);
    }

    private static void send(Rig rig, Witness witness, String topic, int id, int count, int bodyBytes, int tagBytes) {
        AppendBatch batch = new AppendBatch(witness, 1 << 20);
        batch.reset();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ConsumeQueue queue = rig.queue(topic, id + i % 2);
            String text = "m" + witness.sends++ + "-" + "b".repeat(bodyBytes);
            String tag = "t".repeat(1 + tagBytes);
            texts.add("TAGS\u0001" + tag + "\u0002" + text);
            Rig.put(batch, queue, tag, text.getBytes(StandardCharsets.UTF_8), i > 0 && count > 3);
        }
        witness.bodies.put(batch, texts);
        witness.untold.addAll(texts);
        rig.store.append(batch);
        witness.look(rig.store);
    }

    /// Several segments, several queue files, checkpoints, units and single messages.
    private static void work(Rig rig, Witness witness) {
        for (int round = 0; round < 4; round++) {
            send(rig, witness, "orders", 0, 1, 1300);
            send(rig, witness, "orders", 0, 3, 300);
            rig.pass(300);
            send(rig, witness, "%RETRY%audit", 2, 5, 150);
            send(rig, witness, "orders", 1, 1, 0, 1300);
            rig.pass(400);
        }
        rig.store.close();
    }

    private static StoreConfig config(Durability durability) {
        return Rig.TINY.withDurability(durability);
    }

    private static void assertNothingLost(Rig rig, Witness witness, boolean confirmedSurvive, String when) {
        assertThat(rig.faults).as(when).isEmpty();
        for (ConsumeQueue queue : rig.store.queues()) {
            String name = queue.toString();
            List<String> bodies = rig.readWhole(queue, 0);
            assertThat(bodies).as("%s: %s is dense", when, name).hasSize((int) queue.maxOffset());
            Map<Long, List<String>> sent = witness.sent.getOrDefault(name, Map.of());
            for (int offset = 0; offset < bodies.size(); offset++) {
                List<String> possible = new ArrayList<>(sent.getOrDefault((long) offset, List.of()));
                possible.addAll(witness.untold);
                assertThat(possible)
                        .as("%s: what was sent for offset %d of %s", when, offset, name)
                        .contains(bodies.get(offset));
            }
        }
        if (confirmedSurvive) {
            witness.confirmed.forEach((name, texts) -> texts.forEach((offset, text) -> {
                ConsumeQueue queue = queueNamed(rig, name);
                assertThat(rig.readWhole(queue, offset))
                        .as("%s: the confirmed message %d of %s", when, offset, name)
                        .startsWith(text);
            }));
            witness.seenMax.forEach(
                    (name, max) -> assertThat(queueNamed(rig, name).maxOffset())
                            .as("%s: the end of %s that a consumer saw", when, name)
                            .isGreaterThanOrEqualTo(max));
        }
    }

    private static ConsumeQueue queueNamed(Rig rig, String name) {
        int slash = name.lastIndexOf('/');
        return rig.queue(name.substring(0, slash), Integer.parseInt(name.substring(slash + 1)));
    }

    private static FaultDisk crashedAt(long operation, Witness witness, Durability durability) throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        disk.cutPowerAt(operation);
        try {
            work(new Rig(disk, config(durability)), witness);
        } catch (FaultDisk.PowerCut cut) {
            assertThat(disk.isDead()).isTrue();
        }
        return disk;
    }

    private static long operationsOfWork(Durability durability) throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        work(new Rig(disk, config(durability)), new Witness());
        return disk.operations();
    }

    /// The store serves again: what is sent now gets offsets that nobody has seen.
    private static void assertGoesOn(Rig rig, Witness witness, boolean confirmedSurvive, String when)
            throws OpenFailed {
        send(rig, witness, "orders", 0, 3, 40);
        send(rig, witness, "%RETRY%audit", 2, 5, 500);
        rig.pass(1500);
        assertNothingLost(rig, witness, confirmedSurvive, when + ", after more was sent");
        rig.store.close();
        assertSealsHold(rig, when);
    }

    /// No crash makes a seal that is of other bytes than the log has: it would look like rot. It may tear one,
    /// which is none then.
    private static void assertSealsHold(Rig rig, String when) throws OpenFailed {
        assertThat(rig.notices)
                .as(when)
                .noneMatch(text -> text.contains("seal") && !text.contains("it is thrown away"));
        assertThat(StoreVerifier.look(rig.disk, RecordView::tagsCode, (_, _) -> {})
                        .findings())
                .as(when)
                .noneMatch(finding ->
                        finding.what().contains("sealed when") || finding.what().contains("was sealed"));
    }

    @ParameterizedTest
    @EnumSource
    void killedProcessLosesNothingThatWasConfirmed(Durability durability) throws OpenFailed {
        long operations = operationsOfWork(durability);
        assertThat(operations).isGreaterThan(100);
        for (long k = 0; k <= operations; k++) {
            Witness witness = new Witness();
            FaultDisk disk = crashedAt(k, witness, durability).afterKill();
            Rig rig = new Rig(disk, config(durability));
            assertNothingLost(rig, witness, true, "killed at " + k);
            witness.look(rig.store);
            Rig unplugged = open(disk.afterPowerLoss(new SplittableRandom(k)), config(durability), "killed at " + k);
            assertNothingLost(
                    unplugged, witness, true, "what was shown after the kill at " + k + ", after a loss of power");
            assertGoesOn(rig, witness, true, "killed at " + k);
            Rig again = new Rig(disk.afterKill(), config(durability));
            assertThat(again.notices).as("a clean stop leaves nothing to tell").isEmpty();
            assertNothingLost(again, witness, true, "stopped after kill at " + k);
        }
    }

    @ParameterizedTest
    @EnumSource
    void powerLossLosesOnlyWhatItsDurabilityAllows(Durability durability) throws OpenFailed {
        long operations = operationsOfWork(durability);
        for (long k = 0; k <= operations; k++) {
            for (int seed = 0; seed < 3; seed++) {
                Witness witness = new Witness();
                FaultDisk disk =
                        crashedAt(k, witness, durability).afterPowerLoss(new SplittableRandom(k * 1000 + seed));
                String when = "power lost at " + k + " with seed " + seed;
                boolean survive = durability == Durability.SYNCED;
                Rig rig = open(disk, config(durability), when);
                assertNothingLost(rig, witness, survive, when);
                if (survive) {
                    assertGoesOn(rig, witness, true, when);
                    Rig again = open(disk.afterPowerLoss(new SplittableRandom(seed)), config(durability), when);
                    assertNothingLost(again, witness, true, when + ", after a clean stop and another loss of power");
                }
            }
        }
    }

    @Test
    void recoveryThatLosesPowerItselfIsSimplyRunAgain() throws OpenFailed {
        long operations = operationsOfWork(Durability.SYNCED);
        for (long k = 0; k <= operations; k += 3) {
            Witness witness = new Witness();
            FaultDisk crashed = crashedAt(k, witness, Durability.SYNCED);
            for (long j = 0; ; j++) {
                String when = "power lost at " + k + ", then at " + j + " of the recovery";
                FaultDisk disk = crashed.afterPowerLoss(new SplittableRandom(k));
                disk.cutPowerAt(j);
                try {
                    new Rig(disk, config(Durability.SYNCED));
                } catch (FaultDisk.PowerCut cut) {
                    FaultDisk twice = disk.afterPowerLoss(new SplittableRandom(k * 31 + j));
                    Rig rig = open(twice, config(Durability.SYNCED), when);
                    assertNothingLost(rig, witness, true, when);
                    continue;
                }
                break;
            }
        }
    }

    private static Rig open(FaultDisk disk, StoreConfig config, String when) {
        try {
            return new Rig(disk, config);
        } catch (OpenFailed e) {
            throw new AssertionError(when + ": " + e.getMessage(), e);
        }
    }
}
