package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Shows that the scrubber finds what has changed on disk, at its rate, without standing in anybody's way. `SealTest`
/// shows what it finds by seals.
class ScrubTest {
    private static final String FIRST = "commitlog/" + Names.ofOffset(0);
    private static final long RATE = 10_000;

    private final FaultDisk disk = new FaultDisk();

    private static StoreConfig config() {
        return Rig.TINY.withIntegrity(IntegrityConfig.DEFAULT.withSeals(false).withScrub(RATE));
    }

    /// Three segments, all durable.
    private Rig fill(StoreConfig config) throws OpenFailed {
        Rig rig = new Rig(disk, config);
        for (int i = 0; i < 24; i++) {
            rig.sendTagged(rig.queue("a", 0), "t", "m" + i + "-" + "x".repeat(300));
        }
        rig.pass(600);
        assertThat(rig.store.durable()).isEqualTo(rig.store.appended());
        return rig;
    }

    private static void passSeconds(Rig rig, int seconds) {
        for (int i = 0; i < seconds * 10; i++) {
            rig.pass(100);
        }
    }

    private static void flip(FaultDisk disk, String file, int at) {
        disk.overwrite(file, at, (byte) (disk.bytes(file)[at] ^ 1));
    }

    @Test
    void wholeLogIsReadOnceARoundAndFoundGood() throws OpenFailed {
        Rig rig = fill(config());
        passSeconds(rig, 10);
        assertThat(rig.store.scrub()).returns(1L, ScrubState::rounds).returns("waiting", ScrubState::phase);
        passSeconds(rig, 60);
        assertThat(rig.store.scrub().rounds())
                .as("no second round on the same day")
                .isEqualTo(1);
        rig.pass(Duration.ofDays(1).toMillis());
        passSeconds(rig, 10);
        assertThat(rig.store.scrub().rounds()).isEqualTo(2);
        assertThat(rig.notices).isEmpty();
    }

    @Test
    void changedBitIsAnAlarmWithFileByteAndMessageAndTheRestIsReadToo() throws OpenFailed {
        Rig rig = fill(config());
        flip(disk, FIRST, 200);
        flip(disk, "commitlog/" + Names.ofOffset(4096), 200);
        passSeconds(rig, 20);

        assertThat(rig.notices).hasSize(2);
        assertThat(rig.notices.getFirst())
                .startsWith("ALARM Bit rot")
                .contains("/store/" + FIRST + ": from byte 0 to ", "checksum does not match", "a/0 offset 0");
        assertThat(rig.store.scrub()).returns(2L, ScrubState::damageCount).returns(1L, ScrubState::rounds);
        assertThat(rig.store.state()).isInstanceOf(State.Serving.class);
    }

    /// Nobody else has the message: what is left is a copy of the file.
    @Test
    void rotOfABrokerAloneIsATroubleThatSaysWhatToDo() throws OpenFailed {
        Rig rig = fill(config());
        flip(disk, FIRST, 200);
        flip(disk, "commitlog/" + Names.ofOffset(4096), 200);
        passSeconds(rig, 20);
        assertThat(rig.store.troubles())
                .singleElement()
                .returns(Trouble.Kind.BIT_ROT, Trouble::kind)
                .satisfies(trouble -> assertThat(trouble.sentence())
                        .startsWith("2 places of the commit log changed on disk: /store/" + FIRST + ": from byte 0")
                        .contains("Nobody else has a copy", "run gantry verify", "restore the file")
                        .doesNotContain("another member"));
    }

    @Test
    void readsNoMoreThanItsRate() throws OpenFailed {
        Rig rig = fill(config().withScrub(1_000));
        passSeconds(rig, 4);
        // A piece is started only when its bytes are saved up.
        assertThat(rig.store.scrub().logOffset()).isZero();
        passSeconds(rig, 10);
        assertThat(rig.store.scrub()).returns(1L, ScrubState::rounds);
    }

    @Test
    void storeThatIsFencedIsNotRead() throws OpenFailed {
        Rig rig = fill(config());
        disk.failSyncsOf(file -> file.path().startsWith("commitlog"));
        rig.send(rig.queue("a", 0), "more");
        passSeconds(rig, 1);
        assertThat(rig.store.state()).isInstanceOf(State.Fenced.class);
        long before = rig.store.scrub().rounds();
        rig.notices.clear();
        rig.pass(Duration.ofDays(1).toMillis());
        flip(disk, FIRST, 200);
        passSeconds(rig, 20);

        assertThat(rig.notices).noneMatch(text -> text.contains("Bit rot"));
        assertThat(rig.store.scrub()).returns(before, ScrubState::rounds).returns("fenced", ScrubState::phase);
    }

    @Test
    void finishedRoundIsNotBegunAnewByTheNextStart() throws OpenFailed {
        Rig rig = fill(config());
        passSeconds(rig, 10);
        rig.store.close();
        Rig again = new Rig(disk, config());
        again.wallMillis = rig.wallMillis;
        passSeconds(again, 10);

        assertThat(again.store.scrub().rounds()).as("rounds over both lives").isEqualTo(1);
        assertThat(disk.files()).contains("config/gantryScrub.json");
    }

    @Test
    void roundThatWasInterruptedGoesOnWhereItWas() throws OpenFailed {
        Rig rig = fill(config().withScrub(1 << 20));
        assertThat(rig.store.scrub().logOffset()).as("one file is read").isEqualTo(4096);
        rig.store.close();
        assertThat(new Rig(disk, config()).store.scrub().logOffset()).isEqualTo(4096);
    }

    @Test
    void diskThatAnswersSlowlyIsLeftAloneForNineTimesAsLong() throws OpenFailed {
        Rig rig = fill(config().withScrub(1 << 20));
        rig.offloadWaits = true;
        rig.pass(100);
        rig.nanos += Duration.ofSeconds(2).toNanos();
        rig.runOffloaded();
        rig.offloadWaits = false;
        assertThat(rig.store.scrub().logOffset()).isEqualTo(8192);
        passSeconds(rig, 17);
        assertThat(rig.store.scrub()).returns(8192L, ScrubState::logOffset).returns(0L, ScrubState::rounds);
        passSeconds(rig, 2);
        assertThat(rig.store.scrub().rounds()).isEqualTo(1);
    }

    @Test
    void rateOfZeroIsOff() throws OpenFailed {
        Rig rig = fill(config().withScrub(0));
        flip(disk, FIRST, 200);
        passSeconds(rig, 20);
        assertThat(rig.notices).isEmpty();
        assertThat(rig.store.scrub().phase()).isEqualTo("off");
    }
}
