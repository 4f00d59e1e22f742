package gantry.sim.house;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import gantry.broker.BrokerConfig;
import gantry.broker.BrokerNode;
import gantry.broker.replica.ReplicaConfig;
import gantry.broker.replica.ReplicaRole;
import gantry.replica.hello.Trust;
import gantry.replica.member.Limits;
import gantry.replica.member.Promise;
import gantry.sim.Life;
import gantry.sim.SimScheduler;
import gantry.sim.check.Ledger;
import gantry.sim.check.OffsetLedger;
import gantry.sim.net.SimNet;
import gantry.sim.net.Weather;
import gantry.wire.body.FreshRoute;
import gantry.wire.body.Heard;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A nameserver that restarts or stands still, and brokers that wake up when another has their place.
class NameserverReturnsTest {
    private static final Endpoint NAMESERVER = new Endpoint("10.0.0.1", 9876);
    private static final long SECOND = SimScheduler.SECOND;
    private static final long STEP = 50 * SimScheduler.MILLI;
    private static final String TOPIC = "broker-a";

    private final SimScheduler scheduler = new SimScheduler(1, null);
    private final SimNet net = new SimNet(scheduler, Weather.FAIR.withOutbox(1 << 20, 32 << 20));
    private final NameserverProcess nameserver = new NameserverProcess(scheduler, net, NAMESERVER);
    private final List<BrokerProcess> brokers = new ArrayList<>();
    private int askers;

    @AfterEach
    void close() {
        brokers.forEach(broker -> broker.disk.close());
    }

    @Test
    void routesAreBackWithinTwoSecondsOfARestart() {
        nameserver.start();
        broker("10.0.0.2", Optional.empty()).start();
        pass(5 * SECOND);
        assertThat(code()).isEqualTo(ResponseCodes.SUCCESS);

        for (long down : List.of(1L, 700 * SimScheduler.MILLI, 30 * SECOND)) {
            nameserver.kill();
            pass(down);
            nameserver.start();
            long begin = scheduler.nanos();
            int code = code();
            while (code != ResponseCodes.SUCCESS) {
                assertThat(code).as("an unknown topic so soon").isEqualTo(ResponseCodes.SYSTEM_ERROR);
                assertThat(scheduler.nanos() - begin).isLessThan(2 * SECOND);
                pass(STEP);
                code = code();
            }
        }
    }

    /// R026, R031: no route vanishes, whatever came first when it woke up.
    @Test
    void aNameserverThatStoodStillKeepsItsRoutesAndHearsTheBrokersAgainWithinTwoSeconds() throws JsonFault {
        nameserver.start();
        broker("10.0.0.2", Optional.empty()).start();
        pass(5 * SECOND);
        for (long still : List.of(4 * SECOND, 11 * SECOND, 600 * SECOND)) {
            nameserver.life().pauseUntil(scheduler.nanos() + still);
            pass(still);
            for (long passed = 0; passed < 15 * SECOND; passed += STEP) {
                assertThat(code()).isEqualTo(ResponseCodes.SUCCESS);
                pass(STEP);
            }
            assertThat(heard().millis()).isLessThan(2_000);
        }
    }

    @Test
    void aBrokerThatWakesUpLateTakesNoRouteBack() {
        nameserver.start();
        BrokerProcess old = broker("10.0.0.2", Optional.empty());
        old.start();
        pass(2 * SECOND);
        old.life().pauseUntil(scheduler.nanos() + 60 * SECOND);
        broker("10.0.0.3", Optional.empty()).start();
        pass(59 * SECOND);
        assertThat(masters()).isEqualTo("10.0.0.3");

        for (int second = 0; second < 90; second++) {
            pass(SECOND);
            assertThat(masters()).isEqualTo("10.0.0.3");
        }
        BrokerNode woken = Objects.requireNonNull(old.node());
        assertThat(woken.view().nameservers().troubles())
                .hasSize(1)
                .first()
                .asString()
                .contains("is outdated");
    }

    /// By the reign, not by who started last.
    @Test
    void aLeaderOfAnOlderReignTakesNoRouteFromOneOfANewer() {
        nameserver.start();
        BrokerProcess newer = broker("10.0.0.3", Optional.of("10.0.0.3"));
        newer.start();
        pass(2 * SECOND);
        newer.kill();
        newer.start();
        pass(2 * SECOND);
        broker("10.0.0.2", Optional.of("10.0.0.2")).start();

        for (int second = 0; second < 40; second++) {
            pass(SECOND);
            assertThat(masters()).isEqualTo("10.0.0.3");
        }
    }

    /// @param group the host to lead a group at, if it does
    private BrokerProcess broker(String host, Optional<String> group) {
        BrokerConfig alone = BrokerConfig.named("cluster", "broker-a", host, List.of(NAMESERVER))
                .withStore(House.store(Plan.of(scheduler.fork("plan"))));
        BrokerConfig config = group.map(leader -> alone.inGroup(
                        0,
                        new ReplicaConfig(
                                ReplicaRole.LEADER,
                                new Promise(1, false),
                                Trust.bySecret("the secret of this house".getBytes(StandardCharsets.US_ASCII)),
                                Limits.DEFAULTS,
                                new TreeSet<>(List.of(1L)),
                                new Endpoint(leader, 10_912),
                                Optional.empty(),
                                true)))
                .orElse(alone);
        BrokerProcess broker = new BrokerProcess(
                scheduler,
                net,
                new Endpoint(host, 10_911),
                config,
                Lens.CLEAR,
                false,
                new Ledger(),
                new OffsetLedger());
        brokers.add(broker);
        return broker;
    }

    private void pass(long nanos) {
        scheduler.runUntil(scheduler.nanos() + nanos);
    }

    /// The answer to who has the broker's own topic, on a connection of its own.
    private Command ask() {
        Life life = new Life("10.0.9.1", ++askers);
        Conversation asker = new Conversation(scheduler, life, net.network(life), NAMESERVER);
        List<Command> answers = new ArrayList<>();
        asker.ask(Requests.route(TOPIC).with(FieldNames.GANTRY_FRESHNESS, true), SECOND, answer -> {
            if (answer != null) {
                answers.add(answer);
            }
        });
        for (int i = 0; answers.isEmpty() && i < 20; i++) {
            pass(STEP);
        }
        life.end();
        net.processEnded(life);
        assertThat(answers).as("an answer").hasSize(1);
        return answers.getFirst();
    }

    private int code() {
        return ask().code();
    }

    private Heard heard() throws JsonFault {
        return Objects.requireNonNull(
                route().heard().getOrDefault("broker-a", new TreeMap<>()).get(0L));
    }

    private String masters() {
        try {
            SortedMap<Long, String> addresses =
                    route().route().brokers().getFirst().addresses();
            return Endpoint.parse(addresses.getOrDefault(0L, "none:1")).host();
        } catch (JsonFault e) {
            throw new AssertionError(e);
        }
    }

    private FreshRoute route() throws JsonFault {
        return FreshRoute.fromJson(Json.read(ask().body()));
    }
}
