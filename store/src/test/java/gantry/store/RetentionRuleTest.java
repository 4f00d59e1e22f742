package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Shows which files go, and when sends are refused, by age, size and room.
class RetentionRuleTest {
    private static final long GIB = 1L << 30;
    private static final long HOUR = Duration.ofHours(1).toMillis();
    private static final Disk.Space ROOMY = new Disk.Space(1000 * GIB, 900 * GIB);

    /// 04:30 of some day.
    private static final long AT_FOUR = 20_000L * 24 * HOUR + 4 * HOUR + HOUR / 2;

    private static final long AT_NOON = AT_FOUR + 8 * HOUR;
    private static final RetentionConfig USUAL = RetentionConfig.DEFAULT.withFreeBytes(10 * GIB, GIB);

    private static List<RetentionRule.Old> closed(long nowMillis, long... hoursAgo) {
        return Arrays.stream(hoursAgo)
                .mapToObj(hours -> new RetentionRule.Old(0, nowMillis - hours * HOUR))
                .toList();
    }

    private static int count(RetentionConfig config, Disk.Space space, long nowMillis, long... hoursAgo) {
        return new RetentionRule(config, GIB)
                .judge(closed(nowMillis, hoursAgo), hoursAgo.length + 1, space, nowMillis)
                .count();
    }

    @Test
    void expiredFilesGoOldestFirstInTheirHourOnly() {
        assertThat(count(USUAL, ROOMY, AT_FOUR, 90, 80, 70, 60)).isEqualTo(2);
        assertThat(count(USUAL, ROOMY, AT_NOON, 90, 80, 70, 60)).isZero();
        assertThat(count(USUAL.deletingAt(Set.of(6), ZoneOffset.ofHours(2)), ROOMY, AT_FOUR, 90))
                .isEqualTo(1);
    }

    @Test
    void expiredFilesGoAtAnyHourOnceTheDiskIsThreeQuartersUsedAndNotEnoughIsFree() {
        assertThat(count(USUAL, new Disk.Space(30 * GIB, 7 * GIB), AT_NOON, 90, 80, 70))
                .as("until it is less used")
                .isEqualTo(1);
        assertThat(count(USUAL, new Disk.Space(1000 * GIB, 100 * GIB), AT_NOON, 90))
                .as("90 % used, but 100 GiB are free")
                .isZero();
    }

    @Test
    void whatIsNotExpiredGoesBeforeSendsAreRefused() {
        RetentionRule rule = new RetentionRule(USUAL, GIB);
        Disk.Space tight = new Disk.Space(20 * GIB, 3 * GIB - 1);

        assertThat(rule.roomBytes(tight)).as("sends are taken").isPositive();
        assertThat(count(USUAL, tight, AT_NOON, 2, 1)).isEqualTo(2);
        assertThat(count(USUAL.withShares(0.75, 0.85, 0.90, false), tight, AT_NOON, 2, 1))
                .as("not when cleanFileForciblyEnable is false")
                .isZero();
    }

    @Test
    void noMoreGoesThanIsNeeded() {
        assertThat(count(USUAL, new Disk.Space(1000 * GIB, 3 * GIB + 1), AT_NOON, 4, 3, 2, 1))
                .as("below four reserves, and above 85 %, until 10 GiB are free: all four may go")
                .isEqualTo(4);
        assertThat(count(USUAL.withShares(1, 1, 1, true), new Disk.Space(1000 * GIB, 3 * GIB + 1), AT_NOON, 3, 2, 1))
                .as("below four reserves only")
                .isEqualTo(1);
    }

    @Test
    void logThatIsTooLongLosesItsOldestFiles() {
        assertThat(count(USUAL.keeping(Duration.ofDays(3), 3 * GIB), ROOMY, AT_NOON, 4, 3, 2, 1))
                .isEqualTo(2);
    }

    @Test
    void aRoundTakesTenFilesAtMostAndNeverMoreThanItWasOffered() {
        assertThat(count(USUAL, ROOMY, AT_FOUR, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99))
                .isEqualTo(RetentionRule.MOST_PER_ROUND);
        assertThat(count(USUAL.keeping(Duration.ofHours(1), 1), ROOMY, AT_FOUR)).isZero();
    }

    @Test
    void fileWhoseEndHasNoKnownTimeIsNotExpired() {
        RetentionRule.Old unknown = new RetentionRule.Old(0, Long.MAX_VALUE);

        assertThat(new RetentionRule(USUAL, GIB)
                        .judge(List.of(unknown), 2, ROOMY, AT_FOUR)
                        .count())
                .isZero();
    }

    /// R066: nine tenths of a disk are not full when there is enough room.
    @Test
    void sendsAreRefusedAboveTheShareOnlyWhenNotEnoughIsFreeAndAlwaysInTheReserve() {
        RetentionRule rule = new RetentionRule(USUAL, GIB);

        assertThat(rule.roomBytes(new Disk.Space(1000 * GIB, 50 * GIB))).isEqualTo(40 * GIB);
        assertThat(rule.roomBytes(new Disk.Space(20 * GIB, 3 * GIB))).isEqualTo(GIB);
        assertThat(rule.roomBytes(new Disk.Space(20 * GIB, 2 * GIB))).isLessThanOrEqualTo(0);
        assertThat(rule.roomBytes(new Disk.Space(4 * GIB, GIB - 1))).isNegative();
        assertThat(new RetentionRule(USUAL.withShares(1, 1, 1, true), GIB).roomBytes(new Disk.Space(20 * GIB, 3 * GIB)))
                .isEqualTo(2 * GIB);
    }

    @Test
    void limitsThatContradictEachOtherAreNotTaken() {
        assertThatThrownBy(() -> USUAL.withShares(0.75, 0.95, 0.90, true))
                .hasMessageContaining("diskSpaceCleanForciblyRatio");
        assertThatThrownBy(() -> USUAL.deletingAt(Set.of(24), ZoneOffset.UTC)).hasMessageContaining("deleteWhen");
    }
}
