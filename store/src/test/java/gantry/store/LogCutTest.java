package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.store.LogCut.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Shows that a log is cut back as if the tail had never been, that the tail is kept, and that nothing that is
/// confirmed is ever cut; the process or the power goes at every operation of it.
class LogCutTest {
    private static final long WALL_MILLIS = 1_700_000_100_000L;

    private static Outcome cut(FaultDisk disk, long end, List<String> told) throws OpenFailed {
        return LogCut.at(disk, TailedLog.CONFIG, end, (level, text) -> told.add(level + " " + text), WALL_MILLIS);
    }

    private static Outcome cut(FaultDisk disk, long end) throws OpenFailed {
        return cut(disk, end, new ArrayList<>());
    }

    /// R013: what goes on after a cut numbers its messages by the cut log alone.
    @Test
    void logIsCutAtEveryPlaceAboveTheCheckpointAsIfTheTailHadNeverBeen() throws OpenFailed, DiskFailed {
        TailedLog log = TailedLog.of(40, 20, 300);
        int files = 0;
        for (long place : log.places.tailSet(log.proven())) {
            FaultDisk disk = log.disk.afterKill();
            List<String> told = new ArrayList<>();
            Outcome outcome = cut(disk, place, told);
            if (place == log.end) {
                assertThat(outcome).isEqualTo(new Outcome.Cut(place, 0, ""));
            } else {
                assertThat(outcome).isInstanceOfSatisfying(Outcome.Cut.class, cut -> {
                    assertThat(cut.end()).isEqualTo(place);
                    assertThat(cut.kept()).startsWith("/store/gantrycut/" + Names.ofOffset(place) + "-");
                    assertThat(told).singleElement().asString().contains(cut.kept(), "cut back to " + place);
                });
                assertThat(TailedLog.kept(disk, 0))
                        .isEqualTo(TailedLog.trimmed(TailedLog.bytes(log.disk, place, log.end)));
                files++;
            }
            log.assertCut(disk, place, "cut at " + place);
        }
        assertThat(files).as("the tail reaches over several files").isGreaterThan(10);
    }

    @Test
    void interruptedCutEndsWellWhetherItIsCalledAgainOrNot() throws OpenFailed, DiskFailed {
        interruptEverywhere(TailedLog.of(36, 24, 300), 0.5);
    }

    @Test
    void interruptedCutOfWhatWasIndexedEndsWell() throws OpenFailed, DiskFailed {
        interruptEverywhere(TailedLog.of(30, 0, 700, 15), 0);
    }

    private static void interruptEverywhere(TailedLog log, double part) throws OpenFailed, DiskFailed {
        List<Long> above = new ArrayList<>(log.places.tailSet(log.proven()));
        long place = above.get((int) (above.size() * part));
        FaultDisk whole = log.disk.afterKill();
        assertThat(cut(whole, place)).isInstanceOf(Outcome.Cut.class);
        long operations = whole.operations();
        assertThat(operations).isGreaterThan(12);
        for (long k = 0; k < operations; k++) {
            FaultDisk disk = log.disk.afterKill();
            disk.cutPowerAt(k);
            assertThatThrownBy(() -> cut(disk, place)).isInstanceOf(FaultDisk.PowerCut.class);
            String when = "cut at " + place + ", interrupted at " + k;
            log.assertUsable(disk.afterKill(), place, when + ", killed");
            assertFinished(log, disk.afterKill(), place, when + ", killed");
            for (int fate = 0; fate < 2; fate++) {
                SplittableRandom chance = new SplittableRandom(k * 2 + fate);
                FaultDisk after = disk.afterPowerLoss(chance);
                log.assertUsable(after.afterKill(), place, when + ", power lost");
                assertFinished(log, after, place, when + ", power lost");
            }
        }
    }

    private static void assertFinished(TailedLog log, FaultDisk disk, long place, String when) throws OpenFailed {
        assertThat(cut(disk, place))
                .as(when)
                .isInstanceOfSatisfying(
                        Outcome.Cut.class, cut -> assertThat(cut.end()).isEqualTo(place));
        assertThat(disk.files().stream().filter(name -> name.startsWith("gantrycut/")))
                .as(when)
                .hasSize(1);
        assertThat(TailedLog.kept(disk, 0))
                .as(when)
                .isEqualTo(TailedLog.trimmed(TailedLog.bytes(log.disk, place, log.end)));
        log.assertCut(disk, place, when);
    }

    /// Keys of messages that are cut stood in the index file, ahead of what the checkpoint says of it.
    @Test
    void indexFileWhoseSlotsLeadToCutMessagesIsMadeAgain() throws OpenFailed, DiskFailed {
        TailedLog log = TailedLog.of(30, 0, 700, 15);
        long proven = log.proven();
        FaultDisk disk = log.disk.afterKill();
        String file =
                disk.files().stream().filter(name -> name.startsWith("index/")).reduce("", (_, newest) -> newest);
        long place = log.places.ceiling(proven);
        assertThat(Written.above(disk, place)).anyMatch(text -> text.startsWith("index/"));
        assertThat(Written.above(disk, place)).as("sealed, too").anyMatch(text -> text.startsWith("seals"));
        FaultDisk untouched = disk.afterKill();
        assertThat(cut(disk, place)).isInstanceOf(Outcome.Cut.class);
        assertThat(disk.files()).doesNotContain(file);
        log.assertCut(disk, place, "index ahead");

        FaultDisk above = untouched.afterKill();
        assertThat(cut(above, log.places.lower(log.end))).isInstanceOf(Outcome.Cut.class);
        assertThat(above.files()).as("no slot leads above the cut").contains(file);
    }

    /// R023: nothing is cut below what is proven to be confirmed.
    @Test
    void whatIsConfirmedOrNoPlaceOfAMessageIsRefusedAndNothingChanges() throws OpenFailed, DiskFailed {
        TailedLog log = TailedLog.of(30, 12, 700);
        long proven = log.proven();
        assertThat(proven).isPositive();
        FaultDisk disk = log.disk.afterKill();
        assertThat(cut(disk, log.places.lower(proven))).isInstanceOfSatisfying(Outcome.Refused.class, refused -> {
            assertThat(refused.sentence()).contains("/store/checkpoint", "up to " + proven, "Nothing was changed");
        });
        long middle = log.places.ceiling(proven) + 10;
        assertThat(cut(disk, middle)).isInstanceOfSatisfying(Outcome.Refused.class, refused -> {
            assertThat(refused.sentence()).contains("no message begins there");
        });
        assertThat(cut(disk, log.end + 5000)).isEqualTo(new Outcome.Cut(log.end, 0, ""));
        disk.remove("checkpoint");
        disk.remove("checkpoint.queues");
        assertThat(cut(disk, log.end - 1)).isInstanceOfSatisfying(Outcome.Refused.class, refused -> {
            assertThat(refused.sentence()).contains("does not say how far it is confirmed");
        });
        assertThat(Copying.files(disk, "commitlog")).isEqualTo(Copying.files(log.disk, "commitlog"));
        assertThat(disk.files()).noneMatch(name -> name.startsWith("gantrycut"));

        FaultDisk served = log.disk.afterKill();
        new Copying(served, TailedLog.CONFIG);
        assertThatThrownBy(() -> cut(served, log.end))
                .isInstanceOf(OpenFailed.class)
                .hasMessageContaining("in use");
    }

    /// That a topic was deleted is written down only once the log is confirmed up to there.
    @Test
    void cutBelowADeletionOfATopicIsRefused() throws OpenFailed, DiskFailed {
        TailedLog log = TailedLog.of(30, 12, 700);
        FaultDisk disk = log.disk.afterKill();
        DroppedTopics dropped = new DroppedTopics();
        dropped.put(new DroppedTopic("gone", log.end, 10), 3);
        Export.overwrite(disk, DroppedTopics.FILE, dropped.encode());
        assertThat(cut(disk, log.places.lower(log.end))).isInstanceOfSatisfying(Outcome.Refused.class, refused -> {
            assertThat(refused.sentence()).contains("topic gone", String.valueOf(log.end), "copy of the leader's");
        });
    }

    @Test
    void withoutRoomForTheTailTheLogStaysAsItIs() throws OpenFailed, DiskFailed {
        TailedLog log = TailedLog.of(30, 12, 700);
        long place = log.places.ceiling(log.proven());
        FaultDisk small = log.disk.afterKill();
        small.space(1 << 20, 100);
        assertThat(cut(small, place))
                .isInstanceOfSatisfying(
                        Outcome.NoRoom.class,
                        none -> assertThat(none.sentence())
                                .contains(
                                        "/store/gantrycut",
                                        "needs " + (log.end - place) + " bytes; 100 are free",
                                        "Make room"));
        FaultDisk full = log.disk.afterKill();
        full.fullFor(file -> file.path().startsWith("gantrycut/"));
        assertThat(cut(full, place))
                .isInstanceOfSatisfying(
                        Outcome.NoRoom.class,
                        none -> assertThat(none.sentence()).contains("the disk is full", "Make room"));
        for (FaultDisk disk : List.of(small, full)) {
            assertThat(Copying.files(disk, "commitlog")).isEqualTo(Copying.files(log.disk, "commitlog"));
            assertThat(disk.files()).noneMatch(name -> name.startsWith("gantrycut"));
            log.assertUsable(disk.afterKill(), log.end, "no room");
        }
        small.space(1L << 40, 1L << 39);
        full.fullFor(_ -> false);
        for (FaultDisk disk : List.of(small, full)) {
            assertThat(cut(disk, place)).isInstanceOf(Outcome.Cut.class);
            log.assertCut(disk, place, "room again");
        }
    }

    @Test
    void onlyTheNewestTailsAreKept() throws OpenFailed {
        TailedLog log = TailedLog.of(30, 20, 700);
        FaultDisk disk = log.disk;
        List<Long> places = new ArrayList<>(log.places.descendingSet());
        for (int i = 1; i <= KeptTail.MOST_KEPT + 2; i++) {
            assertThat(cut(disk, places.get(i))).isInstanceOf(Outcome.Cut.class);
        }
        List<String> kept = disk.files().stream()
                .filter(name -> name.startsWith("gantrycut/"))
                .toList();
        assertThat(kept).hasSize(KeptTail.MOST_KEPT);
        assertThat(kept).noneMatch(name -> name.contains(Names.ofOffset(places.get(1))));
        assertThat(kept).anyMatch(name -> name.contains(Names.ofOffset(places.get(KeptTail.MOST_KEPT + 2))));
    }
}
