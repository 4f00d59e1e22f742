package gantry.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.broker.query.BrokerView;
import gantry.broker.query.Health;
import gantry.broker.replica.ReplicaStatus;
import gantry.broker.replica.StateComparison;
import gantry.net.http.Page;
import gantry.replica.frame.Cause;
import gantry.replica.frame.Fault;
import gantry.replica.member.MemberState;
import gantry.store.State;
import gantry.store.Trouble;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What the health pages say of each state: whether, why, and what to do.
class HealthPageTest {
    private static final State SERVING = new State.Serving();

    @Test
    void brokerThatServesIsWellOnAllPages() {
        BrokerView view = Views.broker(SERVING, List.of(), Views.leader(null));
        for (String path : List.of("/health", "/health/live", "/health/ready")) {
            assertThat(page(view, path).status()).as(path).isEqualTo(Page.OK);
        }
        assertThat(text(page(view, "/health"))).contains("\"verdict\":\"well\"", "\"reasons\":[]");
    }

    @Test
    void silentFollowerIsNamedWithItsNextStepAndWhatIsNotKnownIsSaidSo() {
        BrokerView view =
                Views.broker(SERVING, List.of(), Views.leader(null, Views.unknown(1, new MemberState.Silent(0))));
        Page health = page(view, "/health");
        assertThat(health.status()).isEqualTo(Page.UNAVAILABLE);
        assertThat(text(health))
                .contains("\"verdict\":\"not well\"")
                .contains(
                        "\"part\":\"broker a/0: follower 1\",\"state\":\"SILENT\",\"why\":\"never heard: look whether")
                .contains(
                        "\"lagBytes\":\"unknown\"",
                        "\"lagMessages\":\"unknown\"",
                        "\"lagSeconds\":\"unknown\"",
                        "\"heardSecondsAgo\":\"never\"")
                .contains("\"refused\":{\"PROOF_WRONG\":3}", "\"strangers\":2");
        assertThat(page(view, "/health/ready").status()).as("sends are taken").isEqualTo(Page.OK);
    }

    @Test
    void leaderThatRefusesSendsIsNotReady() {
        Page ready = page(Views.broker(SERVING, List.of(), Views.leader("0 of them are in sync")), "/health/ready");
        assertThat(ready.status()).isEqualTo(Page.UNAVAILABLE);
        assertThat(text(ready)).contains("\"state\":\"too few members in sync\"", "0 of them are in sync");
    }

    @Test
    void followerThatIsNotInSyncIsNotReadyAndSaysWhy() {
        Page ready = page(
                Views.broker(
                        SERVING, List.of(), Views.follower(Views.known(0, new MemberState.Silent(0), 5, 6, 7_000))),
                "/health/ready");
        assertThat(ready.status()).isEqualTo(Page.UNAVAILABLE);
        assertThat(text(ready))
                .contains("\"part\":\"broker a/0: its master\",\"state\":\"SILENT\"")
                .contains("last heard 7.0 s ago (10.0.0.7:40000): look whether");
    }

    @Test
    void fencedStoreIsNotReadyButLive() {
        BrokerView view = Views.broker(new State.Fenced("file x: move it back"), List.of(), null);
        assertThat(text(page(view, "/health/ready"))).contains("\"ready\":false", "file x: move it back");
        assertThat(page(view, "/health/live").status()).isEqualTo(Page.OK);
    }

    @Test
    void fullDiskClosesTheDoorAndQueuesThatAreMadeAgainDoNot() {
        BrokerView full = Views.broker(SERVING, List.of(new Trouble(Trouble.Kind.DISK_FULL, "make room")), null);
        assertThat(text(page(full, "/health/ready"))).contains("\"ready\":false", "make room");
        BrokerView queues = Views.broker(SERVING, List.of(new Trouble(Trouble.Kind.REBUILDING, "it goes on")), null);
        assertThat(page(queues, "/health/ready").status()).isEqualTo(Page.OK);
        assertThat(text(page(queues, "/health"))).contains("\"verdict\":\"not well\"", "it goes on");
    }

    @Test
    void rotOfABrokerAloneIsAReasonAndItServesOn() {
        BrokerView view = Views.broker(SERVING, List.of(new Trouble(Trouble.Kind.BIT_ROT, "restore the file")), null);
        assertThat(text(page(view, "/health")))
                .contains("\"part\":\"broker a/0\",\"state\":\"bit rot\",\"why\":\"restore the file\"");
        assertThat(page(view, "/health/ready").status()).isEqualTo(Page.OK);
    }

    @Test
    void stateThatIsNotTheLeadersIsAReasonWithItsPartsItsBeginAndANextStep() {
        StateComparison differs = StateComparison.NONE
                .next(700, 1, List.of())
                .next(800, 2, List.of("topics", "offsets"))
                .next(900, 3, List.of("topics"));
        ReplicaStatus group = Views.follower(Views.known(0, new MemberState.InSync(), 0, 0, 100));
        BrokerView view = Views.broker(
                SERVING, List.of(), group.comparing(group.comparison().with(differs)));
        assertThat(text(page(view, "/health")))
                .contains("\"state\":\"state differs\",\"why\":\"The topics of this slave are not its master's since")
                .contains("since log offset 800, and were the same at 700", "an empty folder")
                .contains("\"outcome\":\"differs\",\"logOffset\":900", "\"parts\":[\"topics\"]");
        assertThat(page(view, "/health/ready").status()).isEqualTo(Page.OK);
    }

    @Test
    void stateThatIsNotComparedIsAReasonWithACauseAndANextStep() {
        ReplicaStatus group = Views.leader(null);
        BrokerView view = Views.broker(
                SERVING,
                List.of(),
                group.comparing(group.comparison()
                        .with(StateComparison.told(750, 9_000).lacking("For 10 minutes no export has ended"))));
        assertThat(text(page(view, "/health")))
                .contains("\"state\":\"state is not compared\",\"why\":\"For 10 minutes no export has ended. Topics")
                .contains("look at the log files", "\"outcome\":\"told\",\"logOffset\":750")
                .contains("\"notCompared\":\"For 10 minutes no export has ended\"");
        assertThat(page(view, "/health/ready").status()).isEqualTo(Page.OK);
    }

    @Test
    void comparisonUnderWayShowsHowFarItIs() {
        assertThat(text(page(Views.broker(SERVING, List.of(), Views.leader(null)), "/health")))
                .contains("\"lastComparisonEndedSecondsAgo\":2.5,\"comparedTo\":300,\"comparesTo\":700")
                .contains("\"lastComparisonEndedSecondsAgo\":\"never\"}")
                .contains("\"state\":{\"outcome\":\"told\",\"logOffset\":750");
    }

    @Test
    void processThatIsStuckIsNotLive() {
        AdminPages pages =
                new AdminPages(Views.sources(null, List.of("event loop 0 has not answered for 9 s")), Map::of);
        Page live = pages.page("/health/live", "");
        assertThat(live.status()).isEqualTo(Page.UNAVAILABLE);
        assertThat(text(live)).contains("event loop 0 has not answered for 9 s. If this stays, restart the process");
        assertThat(pages.page("/health/ready", "").status()).isEqualTo(Page.UNAVAILABLE);
    }

    /// R008: also that it has never connected.
    @Test
    void everyStateOfAMemberButOneIsAReasonWithANextStep() {
        List<MemberState> notWell = List.of(
                new MemberState.NeverSeen(),
                new MemberState.Connecting(),
                new MemberState.CatchingUp(40),
                new MemberState.Diverged(40),
                new MemberState.Reseeding(41, 100),
                new MemberState.Silent(0),
                new MemberState.Refused(new Fault(Cause.SAME_ID, "1")));
        for (MemberState state : notWell) {
            BrokerView view = Views.broker(SERVING, List.of(), Views.leader(null, Views.unknown(1, state)));
            assertThat(Health.of(view)).as(state.words()).singleElement().satisfies(reason -> {
                assertThat(reason.state()).isEqualTo(state.words());
                assertThat(reason.sentence()).matches("never heard: .{20,}\\.");
            });
        }
        assertThat(Health.of(Views.broker(
                        SERVING, List.of(), Views.leader(null, Views.unknown(1, new MemberState.InSync())))))
                .isEmpty();
    }

    @Test
    void nameserverThatDoesNotKnowTheBrokerIsNamed() {
        BrokerView view = Views.notRegistered(2, 1, "nameserver 10.0.0.9:9876 closed the connection: refused");
        assertThat(text(page(view, "/health"))).contains("not registered everywhere", "10.0.0.9:9876 closed");
        assertThat(page(view, "/health/ready").status())
                .as("another one knows it")
                .isEqualTo(Page.OK);
        assertThat(page(Views.notRegistered(1, 0, "nameserver x is away"), "/health/ready")
                        .status())
                .isEqualTo(Page.UNAVAILABLE);
    }

    @Test
    void copyOfAWholeLogShowsItsProgress() {
        BrokerView view = Views.broker(
                SERVING, List.of(), Views.leader(null, Views.unknown(1, new MemberState.Reseeding(41, 100))));
        assertThat(text(page(view, "/health")))
                .contains("RESEEDING 41 %")
                .contains("\"reseed\":{\"doneBytes\":41,\"totalBytes\":100,\"bytesPerSecond\":\"unknown\"}");
    }

    @Test
    void rateOfACopyIsThatOfTheLastSeconds() {
        CopyRates rates = new CopyRates();
        for (int second = 0; second <= 30; second++) {
            rates.sample(copying(second < 20 ? 0 : (second - 20) * 1_000L), second * 1_000_000_000L);
        }
        assertThat(rates.of(1)).hasValue(1_000);
        rates.sample(Views.broker(SERVING, List.of(), Views.leader(null)), 31_000_000_000L);
        assertThat(rates.of(1)).as("once the copy is over").isEmpty();
    }

    private static BrokerView copying(long done) {
        return Views.broker(
                SERVING, List.of(), Views.leader(null, Views.unknown(1, new MemberState.Reseeding(done, 100_000))));
    }

    private static Page page(@Nullable BrokerView view, String path) {
        return new AdminPages(Views.sources(view, List.of()), Map::of).page(path, "");
    }

    private static String text(Page page) {
        return new String(page.body(), StandardCharsets.UTF_8);
    }
}
