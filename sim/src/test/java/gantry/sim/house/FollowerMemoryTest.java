package gantry.sim.house;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import gantry.broker.BrokerConfig;
import gantry.broker.BrokerNode;
import gantry.broker.replica.ReplicaConfig;
import gantry.broker.replica.ReplicaRole;
import gantry.broker.replica.ReplicaStatus;
import gantry.replica.hello.Trust;
import gantry.replica.member.Limits;
import gantry.replica.member.MemberState;
import gantry.replica.member.Promise;
import gantry.sim.SimScheduler;
import gantry.sim.check.Ledger;
import gantry.sim.check.OffsetLedger;
import gantry.sim.net.SimNet;
import gantry.sim.net.Weather;
import gantry.store.Disk;
import gantry.store.FileId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/// Shows that a follower has on disk which reign it follows, also when the first write of that fails.
class FollowerMemoryTest {
    private static final Endpoint LEADER = new Endpoint("10.0.0.2", 10_911);
    private static final Endpoint FOLLOWER = new Endpoint("10.0.0.3", 10_911);
    private static final int HA_PORT = 10_912;

    private final SimScheduler scheduler = new SimScheduler(1, null);
    private final SimNet net = new SimNet(scheduler, Weather.FAIR.withOutbox(1 << 20, 32 << 20));
    private boolean failsNext;
    private int failed;

    private BrokerProcess broker(long id, Endpoint address, Lens lens) {
        ReplicaConfig replica = new ReplicaConfig(
                id == 0 ? ReplicaRole.LEADER : ReplicaRole.FOLLOWER,
                new Promise(1, false),
                Trust.bySecret("the secret of this house".getBytes(StandardCharsets.US_ASCII)),
                Limits.DEFAULTS,
                new TreeSet<>(List.of(1 - id)),
                new Endpoint(address.host(), HA_PORT),
                Optional.of(new Endpoint(LEADER.host(), HA_PORT)),
                true);
        BrokerConfig config = BrokerConfig.named("cluster", "broker-a", address.host(), List.of())
                .withStore(House.store(Plan.of(scheduler.fork("plan"))))
                .inGroup(id, replica);
        return new BrokerProcess(scheduler, net, address, config, lens, false, new Ledger(), new OffsetLedger());
    }

    /// The next draft of the file `member` cannot be written.
    private Disk failing(Disk real) {
        return (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (self, method, args) -> {
                    if (failsNext
                            && method.getName().equals("write")
                            && args[0] instanceof FileId file
                            && file.path().equals("member.tmp")) {
                        failsNext = false;
                        failed++;
                        return new Disk.Done.Failed(Disk.Done.Kind.IO, "a fault of the test");
                    }
                    try {
                        return method.invoke(real, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void until(BooleanSupplier holds) {
        long end = scheduler.nanos() + 60 * SimScheduler.SECOND;
        while (!holds.getAsBoolean()) {
            assertThat(scheduler.nanos()).isLessThan(end);
            scheduler.runUntil(scheduler.nanos() + 10 * SimScheduler.MILLI);
        }
    }

    private static ReplicaStatus status(BrokerProcess broker) {
        return Optional.ofNullable(broker.node()).flatMap(BrokerNode::replica).orElseThrow();
    }

    private static boolean isInSync(BrokerProcess follower) {
        return status(follower).members().stream().anyMatch(each -> each.state() instanceof MemberState.InSync);
    }

    @Test
    void reignThatCouldNotBeWrittenDownIsWrittenWhenTheLeaderComesAgain() {
        BrokerProcess leader = broker(0, LEADER, Lens.CLEAR);
        BrokerProcess follower = broker(1, FOLLOWER, new Lens() {
            @Override
            public Disk disk(Disk real) {
                return failing(real);
            }
        });
        leader.start();
        follower.start();
        until(() -> isInSync(follower));
        leader.kill();
        failsNext = true;
        leader.start();
        until(() -> failed == 1);
        until(() -> status(follower).epoch() == 2 && isInSync(follower));

        leader.kill();
        follower.kill();
        follower.start();
        until(() -> status(follower).end() >= 0 && status(follower).epoch() > 0);

        assertThat(status(follower).epoch()).isEqualTo(2);
        leader.disk.close();
        follower.disk.close();
    }
}
