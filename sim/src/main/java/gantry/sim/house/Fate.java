package gantry.sim.house;

import gantry.sim.Life;
import gantry.sim.SimScheduler;
import gantry.sim.net.SimNet;
import java.util.List;
import java.util.random.RandomGenerator;

/// Lets things go wrong, and in the end right again.
///
/// For:   all faults of a plan, in random order, at random times.
/// Owner: the scheduler's thread.
/// Never: does what no promise covers: in mode WRITTEN it tells the ledger when the power goes.
final class Fate {
    private static final long MILLI = SimScheduler.MILLI;
    private static final long SECOND = SimScheduler.SECOND;

    private final SimScheduler scheduler;
    private final SimNet net;
    private final House house;
    private final Plan plan;
    private final Life life = new Life("fate", 0);
    private final RandomGenerator random;
    private final List<Plan.Blow> blows;
    private boolean healed;
    private int fenced;

    Fate(SimScheduler scheduler, SimNet net, House house, Plan plan) {
        this.scheduler = scheduler;
        this.net = net;
        this.house = house;
        this.plan = plan;
        this.random = scheduler.fork("fate");
        this.blows = List.copyOf(plan.blows());
    }

    void begin() {
        watch();
        next();
    }

    private void next() {
        later(plan.everyNanos() * 2, "next blow", () -> {
            if (!healed) {
                strike(blows.get(random.nextInt(blows.size())));
                next();
            }
        });
    }

    /// A broker that has stepped aside is started again by its operator.
    private void watch() {
        scheduler.every(SECOND, life, "the operator looks", () -> {
            if (house.broker().isFenced()) {
                repair();
            }
        });
    }

    private void repair() {
        fenced++;
        house.broker().disk.faults().heal();
        house.broker().kill();
        restart(house.broker());
    }

    /// From now on nothing goes wrong any more, and everybody is started who is not running.
    void heal() {
        scheduler.note("fate heals everything");
        healed = true;
        net.unblockAll();
        BrokerProcess broker = house.broker();
        broker.disk.crashAt(Long.MAX_VALUE, () -> {});
        broker.disk.faults().heal();
        if (broker.isFenced()) {
            repair();
        }
        broker.start();
        house.nameserver().start();
    }

    /// How often the broker had stepped aside.
    int fenced() {
        return fenced;
    }

    private void strike(Plan.Blow blow) {
        scheduler.note("fate: " + blow);
        BrokerProcess broker = house.broker();
        switch (blow) {
            case KILL_BROKER -> {
                broker.kill();
                restart(broker);
            }
            case CUT_POWER_OF_BROKER -> {
                broker.powerCut();
                restart(broker);
            }
            case CRASH_IN_A_DISK_OPERATION -> crashInAnOperation(broker);
            case STOP_BROKER_CLEANLY -> {
                broker.stopCleanly(random.nextBoolean());
                restart(broker);
            }
            case PAUSE_BROKER -> pause(broker);
            case KILL_NAMESERVER -> {
                house.nameserver().kill();
                restart(house.nameserver());
            }
            case PAUSE_NAMESERVER -> pause(house.nameserver());
            case BLOCK_ONE_PATH -> blockOnePath();
            case ISOLATE_ONE_MACHINE -> isolate();
            case RESET_A_LINK -> net.resetOne();
            case SILENCE_A_LINK -> net.silenceOne();
            case STEP_A_CLOCK -> {
                SimProcess any = random.nextBoolean() ? broker : house.nameserver();
                any.clock.stepWall(random.nextLong(-3_600_000, 3_600_000));
            }
            case STALL_THE_DISK -> {
                broker.disk.faults().stall(random.nextLong(8 * SECOND));
                healDiskSoon();
            }
            case FILL_THE_DISK -> {
                broker.disk.fill(random.nextInt(40) * 4096L);
                healDiskSoon();
            }
            case FAIL_WRITES -> {
                broker.disk.faults().writesFail(1 + random.nextInt(30));
                healDiskSoon();
            }
            case FAIL_READS -> {
                broker.disk.faults().readsFail(1 + random.nextInt(10));
                healDiskSoon();
            }
            case FAIL_SYNCS -> {
                broker.disk.faults().syncsFail(1 + random.nextInt(20));
                healDiskSoon();
            }
            case LOSE_CONSUME_QUEUES -> {
                broker.kill();
                broker.disk.lose("consumequeue");
                restart(broker);
            }
            case RESTART_A_CONSUMER -> house.restartConsumer(random);
        }
    }

    private void restart(SimProcess process) {
        long away = random.nextInt(3) == 0 ? 6 * SECOND : 500 * MILLI;
        later(away, "somebody starts " + process.address, process::start);
        if (plan.lateBlows() && random.nextInt(3) == 0) {
            later(away + 300 * MILLI, "again", () -> {
                if (!healed && process == house.broker()) {
                    crashInAnOperation(house.broker());
                }
            });
        }
    }

    private void crashInAnOperation(BrokerProcess broker) {
        long ahead = 1L + random.nextInt(random.nextBoolean() ? 10 : 300);
        boolean power = plan.blows().contains(Plan.Blow.CUT_POWER_OF_BROKER) && random.nextBoolean();
        broker.disk.crashAt(broker.disk.operations() + ahead, () -> {
            if (power) {
                broker.powerCut();
            } else {
                broker.kill();
            }
            restart(broker);
        });
    }

    private void pause(SimProcess process) {
        process.life().pauseUntil(scheduler.nanos() + 1 + random.nextLong(8 * SECOND));
    }

    private void blockOnePath() {
        List<String> hosts = house.hosts();
        String from = hosts.get(random.nextInt(hosts.size()));
        String to = hosts.get(random.nextInt(hosts.size()));
        net.block(from, to);
        unblockSoon();
    }

    private void isolate() {
        List<String> hosts = house.hosts();
        String alone = hosts.get(random.nextInt(hosts.size()));
        for (String other : hosts) {
            if (!other.equals(alone)) {
                net.block(alone, other);
                net.block(other, alone);
            }
        }
        unblockSoon();
    }

    private void unblockSoon() {
        later(8 * SECOND, "paths are open again", net::unblockAll);
    }

    private void healDiskSoon() {
        later(
                6 * SECOND,
                "the disk works again",
                () -> house.broker().disk.faults().heal());
    }

    private void later(long mostNanos, String what, Runnable work) {
        scheduler.after(1 + random.nextLong(mostNanos), life, what, work);
    }
}
