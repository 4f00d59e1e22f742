package gantry.sim.house;

import gantry.sim.SimScheduler;
import gantry.sim.net.Weather;
import gantry.store.Durability;
import java.util.EnumSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/// What one seed does to one house.
///
/// For:   making seeds differ: each has some faults and not others, much work or little.
/// Owner: none (immutable).
///
/// @param chaosNanos how long fate plays
/// @param everyNanos how long fate waits between two blows, on average
/// @param lateBlows fate may strike again while the house still recovers
record Plan(
        Durability durability,
        Weather weather,
        Set<Blow> blows,
        int producers,
        int queues,
        int largestPadding,
        long sendEveryNanos,
        long segmentBytes,
        long chaosNanos,
        long everyNanos,
        boolean lateBlows) {
    /// Of a record without its padding, about.
    private static final int RECORD_BYTES = 300;

    /// One kind of thing that goes wrong.
    enum Blow {
        KILL_BROKER,
        CUT_POWER_OF_BROKER,
        CRASH_IN_A_DISK_OPERATION,
        STOP_BROKER_CLEANLY,
        PAUSE_BROKER,
        KILL_NAMESERVER,
        PAUSE_NAMESERVER,
        BLOCK_ONE_PATH,
        ISOLATE_ONE_MACHINE,
        RESET_A_LINK,
        SILENCE_A_LINK,
        STEP_A_CLOCK,
        STALL_THE_DISK,
        FILL_THE_DISK,
        FAIL_WRITES,
        FAIL_READS,
        FAIL_SYNCS,
        RESTART_A_CONSUMER,
        LOSE_CONSUME_QUEUES
    }

    Plan with(Durability otherDurability, Set<Blow> otherBlows) {
        return new Plan(
                otherDurability,
                weather,
                otherBlows,
                producers,
                queues,
                largestPadding,
                sendEveryNanos,
                segmentBytes,
                chaosNanos,
                everyNanos,
                lateBlows);
    }

    /// What its producers send in a second, about.
    long bytesPerSecond() {
        return producers * (SimScheduler.SECOND / sendEveryNanos) * (largestPadding / 2 + RECORD_BYTES);
    }

    private long sendsPerSecond() {
        return producers * (SimScheduler.SECOND / sendEveryNanos);
    }

    /// The same, with pauses as long as it takes to send no more than that: all disks are in memory, and many quiet
    /// seeds show more than a few busy ones.
    Plan atMost(long bytesPerSecond, long sendsPerSecond) {
        long times = Math.max(
                Math.ceilDiv(bytesPerSecond(), bytesPerSecond), Math.ceilDiv(sendsPerSecond(), sendsPerSecond));
        return new Plan(
                durability,
                weather,
                blows,
                producers,
                queues,
                largestPadding,
                sendEveryNanos * Math.max(1, times),
                segmentBytes,
                chaosNanos,
                everyNanos,
                lateBlows);
    }

    static Plan of(RandomGenerator random) {
        Set<Blow> blows = EnumSet.noneOf(Blow.class);
        for (Blow blow : Blow.values()) {
            if (blow != Blow.LOSE_CONSUME_QUEUES && random.nextInt(3) == 0) {
                blows.add(blow);
            }
        }
        blows.add(random.nextBoolean() ? Blow.KILL_BROKER : Blow.CRASH_IN_A_DISK_OPERATION);
        Plan plan = new Plan(
                random.nextBoolean() ? Durability.SYNCED : Durability.WRITTEN,
                random.nextInt(3) == 0 ? Weather.FOUL : Weather.FAIR,
                blows,
                1 + random.nextInt(3),
                1 + random.nextInt(4),
                random.nextInt(4) == 0 ? 6000 : 600,
                (5 + random.nextInt(60)) * SimScheduler.MILLI,
                random.nextBoolean() ? 16 << 10 : 64 << 10,
                (3 + random.nextInt(10)) * SimScheduler.SECOND,
                (200 + random.nextInt(1500)) * SimScheduler.MILLI,
                random.nextBoolean());
        if (random.nextInt(8) < 3) {
            blows.add(Blow.LOSE_CONSUME_QUEUES);
        }
        return plan;
    }
}
