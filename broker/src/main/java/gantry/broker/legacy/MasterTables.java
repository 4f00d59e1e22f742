package gantry.broker.legacy;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network;
import gantry.broker.facts.StateFile;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.json.JsonFault;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Asks a RocketMQ master for what its slaves ask: settings, figures, topics, groups, offsets; and where queues go on
/// of which our log has nothing.
///
/// ```
///   Away ── time ──▶ Asking 26 ▶ 28 ▶ 21 ▶ 201 ▶ 43 ▶ 45 ▶ a round is whole ▶ 30 … 30 ▶ 28 ──▶ Resting ── 5 s ──▶ …
///    ▲                 │ late, refused, no sense                                               │ closed
///    └─────────────────┴───────────────────────────────────────────────────────────────────────┘
/// ```
/// For:   one whole round of answers after another, each from one connection.
/// Owner: the log sequencer of the follower; callbacks of the link submit to it.
/// Never: a round of which an answer is missing.
final class MasterTables {
    /// Between two rounds; RocketMQ's slaves take 10 s.
    static final long PERIOD_NANOS = 5_000_000_000L;

    /// Before the master is tried again.
    static final long RETRY_NANOS = 2_000_000_000L;

    /// How long one answer may take.
    static final long PATIENCE_NANOS = 5_000_000_000L;

    /// The requests of a round, in order; each table is asked for after the figures, so the log is the older one.
    enum Step {
        SETTINGS(RequestCodes.GET_BROKER_CONFIG, null),
        FIGURES(RequestCodes.GET_BROKER_RUNTIME_INFO, null),
        TOPICS(RequestCodes.GET_ALL_TOPIC_CONFIG, StateFile.TOPICS),
        GROUPS(RequestCodes.GET_ALL_SUBSCRIPTIONGROUP_CONFIG, StateFile.GROUPS),
        OFFSETS(RequestCodes.GET_ALL_CONSUMER_OFFSET, StateFile.OFFSETS),
        DELAY(RequestCodes.GET_ALL_DELAY_OFFSET, StateFile.DELAY),
        /// Behind a round, for each queue in question.
        QUEUE(RequestCodes.GET_MAX_OFFSET, null),
        /// Behind those.
        END(RequestCodes.GET_BROKER_RUNTIME_INFO, null);

        private final int code;
        private final @Nullable StateFile file;

        Step(int code, @Nullable StateFile file) {
            this.code = code;
            this.file = file;
        }

        @Nullable
        Step next() {
            return switch (this) {
                case SETTINGS -> FIGURES;
                case FIGURES -> TOPICS;
                case TOPICS -> GROUPS;
                case GROUPS -> OFFSETS;
                case OFFSETS -> DELAY;
                case DELAY, QUEUE, END -> null;
            };
        }
    }

    /// All answers of one round.
    ///
    /// @param answers by the file in which they would stand
    record Round(MasterFigures figures, Map<StateFile, byte[]> answers) {}

    private sealed interface State {
        record Away(long retryNanos) implements State {}

        record Asking(Link link, Step step, int correlationId, long deadlineNanos) implements State {}

        record Resting(Link link, long nextNanos) implements State {}
    }

    private final Endpoint master;
    private final Clock clock;
    private final Consumer<Runnable> sequencer;
    private final Consumer<Round> done;
    private final IdleQueues queues;
    private final Map<StateFile, byte[]> answers = new EnumMap<>(StateFile.class);
    private Map<String, String> settings = new TreeMap<>();
    private @Nullable MasterFigures figures;
    private State state;
    private int lastCorrelationId;
    private @Nullable LegacyFault fault;

    /// @param sequencer runs a command inside the log sequencer
    /// @param done is given each whole round, inside the log sequencer
    MasterTables(Endpoint master, Clock clock, Consumer<Runnable> sequencer, Consumer<Round> done, IdleQueues queues) {
        this.master = master;
        this.clock = clock;
        this.sequencer = sequencer;
        this.done = done;
        this.queues = queues;
        this.state = new State.Away(clock.nanos());
    }

    /// Why there is no newer round; null while all is well.
    @Nullable
    LegacyFault fault() {
        return fault;
    }

    void tick(Network network, long nowNanos) {
        switch (state) {
            case State.Away(long retryNanos) -> {
                if (nowNanos - retryNanos >= 0) {
                    ask(network.dial(master, Ear::new), Step.SETTINGS, nowNanos);
                }
            }
            case State.Asking asking -> {
                if (nowNanos - asking.deadlineNanos >= 0) {
                    giveUp(
                            asking.link,
                            LegacyCause.SILENT,
                            "did not answer request " + asking.step.code + " within " + PATIENCE_NANOS / 1_000_000_000L
                                    + " s",
                            nowNanos);
                }
            }
            case State.Resting(Link link, long nextNanos) -> {
                if (nowNanos - nextNanos >= 0) {
                    ask(link, Step.SETTINGS, nowNanos);
                }
            }
        }
    }

    private void ask(Link link, Step step, long nowNanos) {
        ask(link, step, Command.request(step.code), nowNanos);
    }

    private void ask(Link link, Step step, Command request, long nowNanos) {
        state = new State.Asking(link, step, ++lastCorrelationId, nowNanos + PATIENCE_NANOS);
        byte[] frame = request.withCorrelationId(lastCorrelationId).encode();
        link.send(frame, 0, frame.length);
    }

    /// Behind a round: the queues, and then where the log ends.
    private void askBehind(Link link, long nowNanos) {
        IdleQueues.Place place = queues.next();
        if (place != null) {
            Command request = Command.request(Step.QUEUE.code)
                    .with(FieldNames.TOPIC, place.topic())
                    .with(FieldNames.QUEUE_ID, place.queueId());
            ask(link, Step.QUEUE, request, nowNanos);
        } else if (queues.waitsForEnd()) {
            ask(link, Step.END, nowNanos);
        } else {
            state = new State.Resting(link, nowNanos + PERIOD_NANOS);
        }
    }

    private void answered(Link link, Command answer) {
        if (!(state instanceof State.Asking asking)
                || asking.link.id() != link.id()
                || asking.correlationId != answer.correlationId()) {
            return;
        }
        long nowNanos = clock.nanos();
        String wrong = null;
        if (answer.code() != ResponseCodes.SUCCESS) {
            wrong = "refused request " + asking.step.code + " with code " + answer.code() + ": " + answer.remark();
        } else {
            try {
                take(asking.step, answer);
            } catch (JsonFault e) {
                wrong = "answered request " + asking.step.code + " with what makes no sense: " + e.sentence();
            }
        }
        if (wrong != null && asking.step == Step.QUEUE) {
            // One queue holds no other up.
            queues.refused(new LegacyFault(LegacyCause.TABLES, master + " " + wrong + " (" + queues.next() + ")"));
        } else if (wrong != null) {
            giveUp(link, LegacyCause.TABLES, wrong, nowNanos);
            return;
        }
        Step next = asking.step.next();
        if (next != null) {
            ask(link, next, nowNanos);
            return;
        }
        MasterFigures whole = figures;
        if (asking.step == Step.DELAY && whole != null) {
            fault = null;
            done.accept(new Round(whole, Map.copyOf(answers)));
            answers.clear();
            queues.list(whole.end());
        }
        askBehind(link, nowNanos);
    }

    private void take(Step step, Command answer) throws JsonFault {
        byte[] body = answer.body();
        switch (step) {
            case QUEUE -> queues.goesOnAt(offset(answer.field(FieldNames.OFFSET)));
            case END -> queues.masterEnd(MasterFigures.of(settings, body).end());
            case SETTINGS -> settings = MasterFigures.settings(body);
            case FIGURES -> figures = MasterFigures.of(settings, body);
            case TOPICS, GROUPS, OFFSETS, DELAY -> {
                StateFile file = step.file;
                if (file != null) {
                    answers.put(file, body);
                }
            }
        }
    }

    private static long offset(@Nullable String text) throws JsonFault {
        try {
            long offset = Long.parseLong(String.valueOf(text));
            if (offset >= 0) {
                return offset;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw JsonFault.of("offset is " + text);
    }

    private void giveUp(Link link, LegacyCause cause, String what, long nowNanos) {
        away(cause, what, nowNanos);
        link.close(what);
    }

    private void away(LegacyCause cause, String what, long nowNanos) {
        fault = new LegacyFault(cause, master + " " + what);
        if (state instanceof State.Asking asking && (asking.step == Step.QUEUE || asking.step == Step.END)) {
            queues.refused(fault);
        }
        state = new State.Away(nowNanos + RETRY_NANOS);
        answers.clear();
    }

    private void closed(Link link, String reason) {
        boolean ours = switch (state) {
            case State.Away _ -> false;
            case State.Asking asking -> asking.link.id() == link.id();
            case State.Resting resting -> resting.link.id() == link.id();
        };
        if (ours) {
            away(LegacyCause.SILENT, "has no connection: " + reason, clock.nanos());
        }
    }

    void stop() {
        State before = state;
        state = new State.Away(Long.MAX_VALUE);
        switch (before) {
            case State.Away _ -> {}
            case State.Asking asking -> asking.link.close("the broker stops");
            case State.Resting resting -> resting.link.close("the broker stops");
        }
    }

    private final class Ear implements Network.Session {
        private final Link link;

        Ear(Link link) {
            this.link = link;
        }

        @Override
        public void frame(ByteBuffer frame, int offset, int length) {
            Command command = Command.decode(frame, offset, length);
            if (command == null) {
                link.close("a malformed frame");
            } else if (command.isAnswer()) {
                sequencer.accept(() -> answered(link, command));
            }
        }

        @Override
        public void burstEnded() {}

        @Override
        public void closed(String reason) {
            sequencer.accept(() -> MasterTables.this.closed(link, reason));
        }
    }
}
