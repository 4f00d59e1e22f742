package gantry.client.route;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.QueueLayout;
import gantry.wire.body.TopicRoute;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Shows whom a client asks for a route, in which order, and what it makes of silence.
final class RouteBookTest {
    private static final Endpoint A = new Endpoint("a", 9876);
    private static final Endpoint B = new Endpoint("b", 9876);
    private static final Endpoint C = new Endpoint("c", 9876);
    private static final TopicRoute ROUTE = route("one");

    /// Two are asked at once here, so that there is somebody left to turn to.
    private static final RouteLimits LIMITS = new RouteLimits(
            Duration.ofSeconds(1),
            Duration.ofMillis(250),
            Duration.ofSeconds(30),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofSeconds(16),
            Duration.ofMinutes(10),
            2,
            10_000);

    private final RouteBook book = new RouteBook(LIMITS, List.of(A, B, C), 0);
    private long now = 1_000_000_000_000L;

    private static TopicRoute route(String brokerName) {
        return new TopicRoute(
                List.of(new QueueLayout(brokerName, 4, 4, 6, 0)),
                List.of(new BrokerAddresses("C", brokerName, new TreeMap<>(Map.of(0L, "h:1")), false, null)));
    }

    private RouteView view(Endpoint from, TopicRoute route) {
        return new RouteView(from, route, Map.of(), 0, now);
    }

    private void pass(long millis) {
        now += millis * 1_000_000;
        book.tick(now);
    }

    private List<String> steps() {
        return book.takeSteps().stream().map(RouteBookTest::text).toList();
    }

    private static String text(RouteStep step) {
        return switch (step) {
            case RouteStep.Ask(Endpoint nameserver, String topic, long inquiry) ->
                "ask " + nameserver.host() + " " + topic + " " + inquiry;
            case RouteStep.Settled(String topic, TopicRoute route) ->
                "settled " + topic + " "
                        + (route == null ? "-" : route.brokers().getFirst().brokerName());
            case RouteStep.Failed(String topic, String sentence) -> "failed " + topic + ": " + sentence;
            case RouteStep.Close(Endpoint nameserver) -> "close " + nameserver.host();
        };
    }

    @Test
    void twoAreAskedAtOnceAndTheFirstAnswerServes() {
        book.want("T", now);
        assertThat(steps()).containsExactly("ask a T 1", "ask b T 1");
        book.answered(view(B, ROUTE), "T", 1, now);
        assertThat(steps()).containsExactly("settled T one");
        pass(1000);
        assertThat(steps()).as("the hung one holds up nobody").isEmpty();
    }

    @Test
    void whenNeitherAnswersInAQuarterOfASecondTheThirdIsAsked() {
        book.want("T", now);
        steps();
        pass(200);
        assertThat(steps()).isEmpty();
        pass(60);
        assertThat(steps()).containsExactly("ask c T 1");
        book.answered(view(C, ROUTE), "T", 1, now);
        assertThat(steps()).containsExactly("settled T one");
    }

    @Test
    void aNameserverThatMissedOneAnswerIsAskedLastUntilItHasAnswered() {
        book.missed(A, "T", 0, "silent", now);
        book.want("T", now);
        assertThat(steps()).containsExactly("ask b T 1", "ask c T 1");
        book.answered(view(B, ROUTE), "T", 1, now);
        book.answered(view(C, ROUTE), "T", 1, now);
        steps();
        book.heard(A);
        book.want("U", now);
        assertThat(steps()).containsExactly("ask a U 2", "ask b U 2");
    }

    @Test
    void aFreshRouteIsNotAskedForAgain() {
        settle("T");
        pass(29_000);
        book.want("T", now);
        assertThat(steps()).containsExactly("settled T one");
        pass(1_000);
        assertThat(steps()).as("it is used, so it is asked for by itself").containsExactly("ask a T 2", "ask b T 2");
    }

    @Test
    void aRouteInDoubtIsAskedForAtOnceButNotMoreThanTwiceASecond() {
        settle("T");
        pass(1_000);
        book.doubt("T", now);
        assertThat(steps()).containsExactly("ask a T 2", "ask b T 2");
        book.answered(view(A, route("two")), "T", 2, now);
        book.answered(view(B, route("two")), "T", 2, now);
        assertThat(steps()).containsExactly("settled T two", "settled T two");
        book.doubt("T", now);
        assertThat(steps()).isEmpty();
        pass(500);
        assertThat(steps()).containsExactly("ask a T 3", "ask b T 3");
    }

    @Test
    void whenNobodyAnswersWhatWasKnownServesAndIsAskedForAgain() {
        settle("T");
        pass(31_000);
        steps();
        book.want("T", now);
        assertThat(steps()).isEmpty();
        book.missed(A, "T", 2, "a is silent", now);
        assertThat(steps()).containsExactly("ask c T 2");
        book.missed(B, "T", 2, "b is silent", now);
        book.missed(C, "T", 2, "c is silent", now);
        assertThat(steps()).containsExactly("settled T one");
        pass(600);
        assertThat(steps()).hasSize(2);
    }

    @Test
    void whenNobodyAnswersAndNothingWasKnownTheFailureSaysWhatEachDid() {
        book.want("T", now);
        book.missed(A, "T", 1, "a is silent", now);
        book.missed(B, "T", 1, "b is silent", now);
        book.useless(C, "T", 1, "c has just started", now);
        assertThat(steps())
                .last()
                .isEqualTo("failed T: no nameserver answered: a is silent; b is silent; c has just started");
    }

    @Test
    void aTopicThatNoneOfThemKnowsDoesNotExist() {
        book.want("T", now);
        book.unknown(A, "T", 1, now);
        assertThat(steps()).contains("ask c T 1").doesNotContain("settled T -");
        book.unknown(B, "T", 1, now);
        book.unknown(C, "T", 1, now);
        assertThat(steps()).containsExactly("settled T -");
    }

    @Test
    void aTopicThatOneHasNotHeardOfYetIsWhereTheOtherSays() {
        book.want("T", now);
        book.unknown(A, "T", 1, now);
        book.answered(view(B, ROUTE), "T", 1, now);
        assertThat(steps()).contains("settled T one").doesNotContain("settled T -");
    }

    @Test
    void aRouteIsNotForgottenBecauseOneDoesNotKnowItWhileTheOthersAreSilent() {
        settle("T");
        pass(31_000);
        steps();
        book.unknown(A, "T", 2, now);
        book.missed(B, "T", 2, "b is silent", now);
        book.missed(C, "T", 2, "c is silent", now);
        assertThat(steps()).last().isEqualTo("settled T one");
    }

    @Test
    void whoLeavesTheListIsClosedAndBelievedNoMore() {
        book.want("T", now);
        steps();
        book.nameservers(List.of(B, C));
        assertThat(steps()).containsExactly("close a");
        book.answered(view(A, ROUTE), "T", 1, now);
        assertThat(steps()).isEmpty();
    }

    @Test
    void aRouteFromTheLastRunServesWhenNobodyAnswers() {
        book.remember("T", ROUTE);
        book.want("T", now);
        book.missed(A, "T", 1, "a", now);
        book.missed(B, "T", 1, "b", now);
        book.missed(C, "T", 1, "c", now);
        assertThat(steps()).last().isEqualTo("settled T one");
    }

    private void settle(String topic) {
        book.want(topic, now);
        book.answered(view(A, ROUTE), topic, 1, now);
        book.answered(view(B, ROUTE), topic, 1, now);
        steps();
    }
}
