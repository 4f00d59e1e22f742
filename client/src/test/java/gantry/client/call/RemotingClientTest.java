package gantry.client.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gantry.base.Endpoint;
import gantry.net.NetConfig;
import gantry.net.NettyNetwork;
import gantry.wire.frame.Command;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Shows that every call ends in time, with its own answer or with a sentence that says what went wrong where.
final class RemotingClientTest {
    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final int ANY = RequestCodes.GET_MAX_OFFSET;

    private final List<Throwable> broken = new CopyOnWriteArrayList<>();
    private final NettyNetwork network = new NettyNetwork(
            NetConfig.DEFAULT.withEventLoops(1), (level, text) -> {}, (name, cause) -> broken.add(cause));
    private final HandClock clock = new HandClock();
    private final RemotingClient client = new RemotingClient(network, clock, (name, cause) -> broken.add(cause));

    @AfterEach
    void close() {
        client.close();
        network.close();
        assertThat(broken).isEmpty();
    }

    private static Command ok(Command request) {
        return Command.answer(request, ResponseCodes.SUCCESS).withBody(request.body());
    }

    private static String failure(CompletableFuture<Command> call) {
        await().until(call::isDone);
        Throwable cause = call.exceptionNow();
        assertThat(cause).isInstanceOf(CallFailed.class);
        return ((CallFailed) cause).sentence();
    }

    /// Time goes by in steps of 100 ms, as with a ticker.
    private void pass(Duration time) {
        for (long left = time.toMillis(); left > 0; left -= 100) {
            clock.move(Duration.ofMillis(100));
            client.tick();
        }
    }

    private CompletableFuture<Command> longPoll(FakeServer server) {
        return client.ask(server.local(), Command.request(ANY), Duration.ofMinutes(1));
    }

    @Test
    void aPeerThatDoesNotEvenAnswerAPingLosesItsLongPollsWithinThreeSeconds() throws Exception {
        try (FakeServer server = new FakeServer().hangs()) {
            CompletableFuture<Command> poll = longPoll(server);
            await().until(() -> server.asked.size() == 1);
            pass(Duration.ofMillis(2900));
            assertThat(poll).isNotDone();
            pass(Duration.ofMillis(200));
            assertThat(failure(poll)).contains("the peer has said nothing for", "it hangs, or the way to it is cut");
            await().until(server.links::isEmpty);
        }
    }

    @Test
    void aPeerThatHangsLosesItsConnectionAlsoWhenEveryCallGivesUpSooner() throws Exception {
        try (FakeServer server = new FakeServer().hangs()) {
            for (int i = 0; i < 7; i++) {
                client.ask(server.local(), Command.request(ANY), Duration.ofMillis(300));
                if (i == 0) {
                    await().until(() -> server.asked.size() == 1);
                }
                pass(Duration.ofMillis(500));
            }
            await().until(() -> server.accepted() == 2);
        }
    }

    @Test
    void aPeerThatAnswersPingsKeepsItsLongPolls() throws Exception {
        try (FakeServer server = new FakeServer()) {
            CompletableFuture<Command> poll = longPoll(server);
            for (int pings = 1; pings <= 5; pings++) {
                int seen = pings;
                pass(Duration.ofMillis(1100));
                await().until(() -> server.pings() >= seen);
                // The answer is heard on an event loop; a call behind it shows that it was.
                server.on(RequestCodes.GET_MIN_OFFSET, RemotingClientTest::ok);
                client.call(server.local(), Command.request(RequestCodes.GET_MIN_OFFSET), LIMIT);
            }
            assertThat(poll).isNotDone();
            assertThat(server.links).hasSize(1);
        }
    }

    @Test
    void aClientThatStoodStillItselfCutsNobodyForIt() throws Exception {
        try (FakeServer server = new FakeServer()) {
            CompletableFuture<Command> poll = longPoll(server);
            await().until(() -> server.asked.size() == 1);
            clock.move(Duration.ofSeconds(30));
            client.tick();
            pass(Duration.ofMillis(900));
            assertThat(poll).isNotDone();
            assertThat(server.links).hasSize(1);
        }
    }

    @Test
    void whatAPeerAsksIsAnsweredByWhoeverSaidSo() throws Exception {
        try (FakeServer server = new FakeServer().on(ANY, RemotingClientTest::ok)) {
            client.answer(
                    RequestCodes.GET_MIN_OFFSET,
                    (from, request, reply) -> reply.accept(ok(request).withRemark("to " + from)));
            client.call(server.local(), Command.request(ANY), LIMIT);
            server.send(
                    server.links.getFirst(),
                    Command.request(RequestCodes.GET_MIN_OFFSET).withCorrelationId(77));
            await().until(() -> server.answers.size() == 1);
            assertThat(server.answers.getFirst().correlationId()).isEqualTo(77);
            assertThat(server.answers.getFirst().remark()).isEqualTo("to " + server.local());
        }
    }

    @Test
    void answersFindTheirCallsInAnyOrder() throws Exception {
        List<Command> held = new ArrayList<>();
        try (FakeServer server = new FakeServer()) {
            server.on(ANY, request -> {
                held.add(request);
                if (held.size() == 100) {
                    for (Command one : held.reversed()) {
                        server.send(server.links.getFirst(), ok(one));
                    }
                }
                return null;
            });
            List<CompletableFuture<Command>> calls = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                calls.add(client.ask(server.local(), Command.request(ANY).withBody(new byte[] {(byte) i}), LIMIT));
            }
            for (int i = 0; i < 100; i++) {
                CompletableFuture<Command> call = calls.get(i);
                await().until(call::isDone);
                assertThat(call.resultNow().body()).containsExactly(i);
            }
            assertThat(server.links).hasSize(1);
        }
    }

    @Test
    void aRefusedConnectionFailsTheCallWithWhatWhereAndWhy() throws Exception {
        int port;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = taken.getLocalPort();
        }
        assertThatThrownBy(() -> client.call(new Endpoint("127.0.0.1", port), Command.request(ANY), LIMIT))
                .isInstanceOf(CallFailed.class)
                .hasMessage("query of the largest offset (30) to 127.0.0.1:%d: cannot connect to 127.0.0.1:%d: refused"
                        .formatted(port, port));
    }

    @Test
    void aCallWithoutAnswerFailsAtItsDeadlineAndNotBefore() throws Exception {
        try (FakeServer server = new FakeServer()) {
            CompletableFuture<Command> call = client.ask(server.local(), Command.request(ANY), LIMIT);
            await().until(() -> server.asked.size() == 1);
            clock.move(LIMIT.minusMillis(1));
            client.tick();
            assertThat(call).isNotDone();
            clock.move(Duration.ofMillis(1));
            client.tick();
            assertThat(failure(call))
                    .isEqualTo("query of the largest offset (30) to " + server.local() + ": no answer within 3000 ms");
            assertThat(call.exceptionNow())
                    .as("in a table whose row names the peer")
                    .extracting(cause -> ((CallFailed) cause).why())
                    .isEqualTo("no answer within 3000 ms");
        }
    }

    @Test
    void aPeerThatSaysNothingLosesItsConnectionAndTheNextCallGetsANewOne() throws Exception {
        try (FakeServer server = new FakeServer().hangs()) {
            CompletableFuture<Command> hung = client.ask(server.local(), Command.request(ANY), LIMIT);
            CompletableFuture<Command> behind = client.ask(server.local(), Command.request(ANY), LIMIT.plusMinutes(1));
            await().until(() -> server.asked.size() == 2);
            pass(LIMIT);
            assertThat(failure(hung)).contains("no answer within 3000 ms");
            assertThat(failure(behind)).contains("the peer has stopped answering");
            server.wakes();
            server.on(ANY, RemotingClientTest::ok);
            await().until(() -> server.links.isEmpty());
            assertThat(client.call(server.local(), Command.request(ANY), LIMIT).code())
                    .isZero();
        }
    }

    @Test
    void aSlowRequestDoesNotCostTheConnectionOfAPeerThatAnswersOthers() throws Exception {
        try (FakeServer server = new FakeServer()) {
            server.on(RequestCodes.GET_MIN_OFFSET, RemotingClientTest::ok);
            CompletableFuture<Command> slow = client.ask(server.local(), Command.request(ANY), LIMIT);
            CompletableFuture<Command> pull = client.ask(server.local(), Command.request(ANY), LIMIT.plusMinutes(1));
            clock.move(Duration.ofSeconds(1));
            client.call(server.local(), Command.request(RequestCodes.GET_MIN_OFFSET), LIMIT);
            clock.move(LIMIT);
            client.tick();
            assertThat(failure(slow)).contains("no answer within 3000 ms");
            assertThat(pull).isNotDone();
            assertThat(server.links).hasSize(1);
        }
    }

    @Test
    void aVeryShortLimitProvesNothingAboutThePeer() throws Exception {
        try (FakeServer server = new FakeServer()) {
            CompletableFuture<Command> hasty = client.ask(server.local(), Command.request(ANY), Duration.ofMillis(50));
            CompletableFuture<Command> patient = client.ask(server.local(), Command.request(ANY), LIMIT);
            clock.move(Duration.ofMillis(60));
            client.tick();
            assertThat(failure(hasty)).contains("no answer within 50 ms");
            assertThat(patient).isNotDone();
        }
    }

    @Test
    void anAnswerThatComesTooLateIsDropped() throws Exception {
        try (FakeServer server = new FakeServer()) {
            server.on(RequestCodes.GET_MIN_OFFSET, RemotingClientTest::ok);
            CompletableFuture<Command> late = client.ask(server.local(), Command.request(ANY), Duration.ofMillis(50));
            await().until(() -> server.asked.size() == 1);
            clock.move(Duration.ofMillis(60));
            client.tick();
            failure(late);
            server.send(server.links.getFirst(), ok(server.asked.getFirst()));
            Command next = client.call(server.local(), Command.request(RequestCodes.GET_MIN_OFFSET), LIMIT);
            assertThat(next.correlationId())
                    .isNotEqualTo(server.asked.getFirst().correlationId());
        }
    }

    @Test
    void aCutConnectionFailsEveryCallOnItAndTheNextCallDialsAgain() throws Exception {
        try (FakeServer server = new FakeServer()) {
            CompletableFuture<Command> one = client.ask(server.local(), Command.request(ANY), LIMIT);
            CompletableFuture<Command> two = client.ask(server.local(), Command.request(ANY), LIMIT);
            await().until(() -> server.asked.size() == 2);
            server.links.getFirst().close("test");
            assertThat(failure(one)).contains("the other side closed the connection");
            assertThat(failure(two)).contains("the other side closed the connection");
            server.on(ANY, RemotingClientTest::ok);
            assertThat(client.call(server.local(), Command.request(ANY), LIMIT).code())
                    .isZero();
        }
    }

    @Test
    void aMalformedAnswerEndsTheConnection() throws Exception {
        try (FakeServer server = new FakeServer()) {
            CompletableFuture<Command> call = client.ask(server.local(), Command.request(ANY), LIMIT);
            await().until(() -> server.asked.size() == 1);
            server.links.getFirst().send(new byte[] {0, 0, 0, 8, 9, 0, 0, 1, 2, 3, 4, 5}, 0, 12);
            assertThat(failure(call)).contains("the peer sent a malformed frame");
        }
    }

    @Test
    void aRequestOfThePeerIsRefusedAndHarmsNothing() throws Exception {
        try (FakeServer server = new FakeServer()) {
            server.on(RequestCodes.GET_MIN_OFFSET, RemotingClientTest::ok);
            client.call(server.local(), Command.request(RequestCodes.GET_MIN_OFFSET), LIMIT);
            server.send(server.links.getFirst(), Command.request(40).withCorrelationId(77));
            await().until(() -> server.answers.size() == 1);
            Command refusal = server.answers.getFirst();
            assertThat(refusal.correlationId()).isEqualTo(77);
            assertThat(refusal.code()).isEqualTo(ResponseCodes.REQUEST_CODE_NOT_SUPPORTED);
            server.send(server.links.getFirst(), Command.request(40).oneway());
            client.call(server.local(), Command.request(RequestCodes.GET_MIN_OFFSET), LIMIT);
            assertThat(server.answers).hasSize(1);
        }
    }

    @Test
    void aOnewayRequestIsDoneOnceItIsOnItsWay() throws Exception {
        try (FakeServer server = new FakeServer()) {
            client.call(server.local(), Command.request(ANY).oneway(), LIMIT);
            await().until(() -> server.asked.size() == 1);
            assertThat(server.asked.getFirst().isOneway()).isTrue();
        }
    }

    @Test
    void onlySuccessIsGoodForCallOk() throws Exception {
        try (FakeServer server = new FakeServer()) {
            server.on(ANY, request -> Command.answer(request, 29).withRemark("no such queue"));
            assertThat(client.call(server.local(), Command.request(ANY), LIMIT).code())
                    .isEqualTo(29);
            assertThatThrownBy(() -> client.callOk(server.local(), Command.request(ANY), LIMIT))
                    .isInstanceOfSatisfying(
                            CallFailed.class, e -> assertThat(e.code()).isEqualTo(29))
                    .hasMessageContaining("answered with code 29, no such queue");
        }
    }

    @Test
    void aClosedClientFailsItsCallsAndTakesNoNewOnes() throws Exception {
        try (FakeServer server = new FakeServer()) {
            CompletableFuture<Command> call = client.ask(server.local(), Command.request(ANY), LIMIT);
            await().until(() -> server.asked.size() == 1);
            client.close();
            assertThat(failure(call)).contains("this client was closed");
            assertThat(failure(client.ask(server.local(), Command.request(ANY), LIMIT)))
                    .contains("this client is closed");
            await().until(() -> server.links.isEmpty());
        }
    }

    @Test
    void aBlockingCallEndsEvenIfNobodyTicks() throws Exception {
        try (FakeServer server = new FakeServer()) {
            assertThatThrownBy(() -> client.call(server.local(), Command.request(ANY), Duration.ofMillis(1)))
                    .hasMessageContaining("no answer within 1 ms");
        }
    }

    @Test
    void aClientWithItsOwnThreadsKeepsTimeByItself() throws Exception {
        try (FakeServer server = new FakeServer();
                RemotingClient own = RemotingClient.open()) {
            CompletableFuture<Command> call = own.ask(server.local(), Command.request(ANY), Duration.ofMillis(100));
            assertThat(failure(call)).contains("no answer within 100 ms");
        }
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .filter(name -> name.startsWith("client-tick")))
                .isEmpty());
    }
}
