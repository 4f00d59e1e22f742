package gantry.broker;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import gantry.store.StoreConfig;
import gantry.store.disk.FileDisk;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a follower tells nameservers, and how it learns from their frames where its leader is.
class FollowerRegistrationTest {
    private static final Endpoint FIRST = new Endpoint("10.0.0.1", 9876);
    private static final Endpoint SECOND = new Endpoint("10.0.0.2", 9876);

    @TempDir
    Path folder;

    private BrokerKit kit;

    @BeforeEach
    void start() throws Exception {
        BrokerConfig config = BrokerConfig.named("DefaultCluster", "broker-a", "127.0.0.1", List.of(FIRST, SECOND))
                .withStore(StoreConfig.DEFAULT.withSegmentBytes(1 << 20))
                .withNumber(1, 10_912);
        kit = new BrokerKit(new FileDisk(folder), new BrokerKit.HandClock(), config);
    }

    @AfterEach
    void stop() {
        kit.stop();
    }

    @Test
    void followerRegistersUnderItsNumberAndTakesNoTopicAway() {
        Command told = kit.dialled(FIRST).heard.remove();
        assertThat(told.code()).isEqualTo(RequestCodes.REGISTER_BROKER);
        assertThat(told.field(FieldNames.BROKER_ID)).isEqualTo("1");
        assertThat(told.field(FieldNames.GANTRY_WHOLE)).isNull();
    }

    @Test
    void leaderIsKnownAsSoonAsANameserverNamesIt() {
        kit.dialled(FIRST).answer(ResponseCodes.SUCCESS);
        assertThat(kit.node.leaderHa()).isEmpty();
        kit.dialled(SECOND).answer(names("10.0.1.1"));
        assertThat(kit.node.leaderHa()).contains(new Endpoint("10.0.1.1", 10_912));
    }

    @Test
    void followerAsksEverySecondSoThatALeaderWhichComesLaterOrMovesIsFound() {
        BrokerKit.Nameserver nameserver = kit.dialled(FIRST);
        nameserver.answer(ResponseCodes.SUCCESS);
        nameserver.heard.clear();
        kit.pass(Duration.ofMillis(1_100));
        assertThat(nameserver.heard).extracting(Command::code).containsExactly(RequestCodes.REGISTER_BROKER);
        assertThat(nameserver.heard.remove().body().length)
                .as("a question does not carry the topics")
                .isLessThan(300);
        nameserver.answer(names("10.0.1.1"));
        assertThat(kit.node.leaderHa()).contains(new Endpoint("10.0.1.1", 10_912));
        kit.pass(Duration.ofMillis(1_100));
        nameserver.answer(names("10.0.1.2"));
        assertThat(kit.node.leaderHa()).contains(new Endpoint("10.0.1.2", 10_912));
    }

    @Test
    void leaderThatNameserversForgetIsForgottenOnlyAfterAMinute() {
        kit.dialled(FIRST).answer(names("10.0.1.1"));
        for (int second = 0; second < 58; second++) {
            kit.pass(Duration.ofSeconds(1));
            kit.dialled(FIRST).answer(ResponseCodes.SUCCESS);
        }
        assertThat(kit.node.leaderHa()).contains(new Endpoint("10.0.1.1", 10_912));
        kit.pass(Duration.ofSeconds(3));
        assertThat(kit.node.leaderHa()).isEmpty();
    }

    private static Command names(String host) {
        return Command.request(ResponseCodes.SUCCESS)
                .with(FieldNames.MASTER_ADDR, host + ":10911")
                .with(FieldNames.HA_SERVER_ADDR, host + ":10912");
    }
}
