package gantry.broker.legacy;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.broker.facts.StateFile;
import gantry.broker.session.Reply;
import gantry.broker.session.Request;
import gantry.broker.session.RequestHandler;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Answers what RocketMQ's slaves ask their master's client port: topics, groups, offsets, and what goes with them.
///
/// For:   a slave whose `config/` is ours, from what is confirmed.
/// Owner: none; the state has one.
/// Never: answers who is not named, so that nobody else can make the state be gathered again and again.
public final class SlaveTables implements RequestHandler {
    /// Gives the state as files in RocketMQ's shapes, without our own seals.
    public interface State {
        void gather(Consumer<Map<StateFile, byte[]>> taker, Consumer<String> failed);
    }

    /// The requests it answers.
    public static final Set<Integer> CODES = Set.of(
            RequestCodes.GET_ALL_TOPIC_CONFIG,
            RequestCodes.GET_ALL_SUBSCRIPTIONGROUP_CONFIG,
            RequestCodes.GET_ALL_CONSUMER_OFFSET,
            RequestCodes.GET_ALL_DELAY_OFFSET,
            RequestCodes.GET_ALL_MESSAGE_REQUEST_MODE,
            RequestCodes.GET_TIMER_METRICS,
            RequestCodes.GET_TIMER_CHECK_POINT,
            RequestCodes.GANTRY_HAND_OVER);

    /// There is no such state here, so it is empty.
    private static final byte[] NO_MODES = "{\"messageRequestModeMap\":{}}".getBytes(StandardCharsets.UTF_8);

    private static final byte[] NO_TIMERS =
            "{\"dataVersion\":{\"counter\":0,\"stateVersion\":0,\"timestamp\":0},\"timingCount\":{}}"
                    .getBytes(StandardCharsets.UTF_8);

    /// As RocketMQ's: times, offsets and versions, all of them 0.
    private static final int TIMER_CHECKPOINT_BYTES = 56;

    private final LegacySlaves slaves;
    private final State state;
    private final Clock clock;
    private final RequestHandler others;

    /// @param others answers the same requests for everybody else
    public SlaveTables(LegacySlaves slaves, State state, Clock clock, RequestHandler others) {
        this.slaves = slaves;
        this.state = state;
        this.clock = clock;
        this.others = others;
    }

    @Override
    public void handle(Request request) {
        int code = request.header().code();
        Endpoint from = request.link().remote();
        if (code == RequestCodes.GANTRY_HAND_OVER) {
            handOver(request);
        } else if (!slaves.names(from.host())) {
            others.handle(request);
        } else {
            switch (code) {
                case RequestCodes.GET_ALL_TOPIC_CONFIG -> give(request, StateFile.TOPICS);
                case RequestCodes.GET_ALL_SUBSCRIPTIONGROUP_CONFIG -> give(request, StateFile.GROUPS);
                case RequestCodes.GET_ALL_CONSUMER_OFFSET -> give(request, StateFile.OFFSETS);
                case RequestCodes.GET_ALL_DELAY_OFFSET -> give(request, StateFile.DELAY);
                case RequestCodes.GET_ALL_MESSAGE_REQUEST_MODE -> request.answer(ResponseCodes.SUCCESS, NO_MODES);
                case RequestCodes.GET_TIMER_METRICS -> request.answer(ResponseCodes.SUCCESS, NO_TIMERS);
                case RequestCodes.GET_TIMER_CHECK_POINT ->
                    request.answer(
                            ResponseCodes.SUCCESS,
                            ByteBuffer.allocate(TIMER_CHECKPOINT_BYTES).array());
                default -> others.handle(request);
            }
        }
    }

    private void handOver(Request request) {
        if (request.header().booleanOr(FieldNames.GANTRY_UNDO, false)) {
            slaves.handOver().undo(request.later());
        } else {
            slaves.handOver().ask(request.later());
        }
    }

    private void give(Request request, StateFile file) {
        int code = request.header().code();
        Endpoint from = request.link().remote();
        Reply reply = request.later();
        long askedNanos = clock.nanos();
        state.gather(
                files -> {
                    byte[] body = files.get(file);
                    if (body == null) {
                        reply.answer(ResponseCodes.SYSTEM_ERROR, "there is no " + file);
                    } else {
                        reply.answer(ResponseCodes.SUCCESS, body);
                        slaves.gaveTable(from, code, askedNanos);
                    }
                },
                why -> reply.answer(ResponseCodes.SYSTEM_ERROR, why));
    }
}
