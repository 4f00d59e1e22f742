package gantry.broker.register;

import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Notices;
import gantry.base.Sequencer;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.ResponseCodes;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Keeps one nameserver told.
///
/// For:   registration, heartbeats and withdrawal at one address.
/// Owner: the registration sequencer; callbacks of the link only submit to it.
/// Never: waits for another nameserver.
///
/// A follower asks instead of beating: the answer to a registration, and nothing else, says where its leader is.
///
/// ```
///   Away ──retry time──▶ Asking ──SUCCESS──▶ Registered ──topics changed, or 30 s──▶ Asking
///    ▲                     │ refused, late, closed                │ closed
///    └─────────────────────┴───────────────────────────────────────┘
/// ```
final class NameserverContact {
    /// Between two tries to reach a nameserver that is away.
    static final long RETRY_NANOS = 1_000_000_000L;

    /// A nameserver that has answered heartbeats and does not answer so many of them hangs, or the way to it is cut.
    static final int MOST_BEATS_UNANSWERED = 3;

    /// A registration gets twice the time after each that was not answered, so many times.
    private static final int MOST_DOUBLINGS = 3;

    private static final long NOTHING = -1;
    private static final int NONE = 0;

    sealed interface State {
        record Away(long retryNanos) implements State {}

        /// @param known what it has confirmed on this link before; -1 when nothing
        record Asking(Link link, int correlationId, long deadlineNanos, long changes, long known, long nextFullNanos)
                implements State {}

        /// @param beat the first heartbeat without an answer, 0 when there is none
        /// @param unanswered how many heartbeats have gone out since the last answer
        record Registered(Link link, long changes, long nextFullNanos, long nextBeatNanos, int beat, int unanswered)
                implements State {}
    }

    private final Endpoint address;
    private final RegistrationConfig config;
    private final RegistrationFrames frames;
    private final Network network;
    private final Sequencer sequencer;
    private final Notices notices;
    private final Runnable progressed;
    private final LeaderNews leader;

    private State state = new State.Away(Long.MIN_VALUE);
    private int lastCorrelationId;
    private int late;
    /// The link on which it has answered a heartbeat; one that never does is not expected to.
    private long answersBeatsOn = NOTHING;
    /// What is wrong, told once; null while nothing is.
    private @Nullable String trouble;

    NameserverContact(
            Endpoint address,
            RegistrationConfig config,
            RegistrationFrames frames,
            Network network,
            Sequencer sequencer,
            Notices notices,
            Runnable progressed,
            LeaderNews leader) {
        this.address = address;
        this.config = config;
        this.frames = frames;
        this.network = network;
        this.sequencer = sequencer;
        this.notices = notices;
        this.progressed = progressed;
        this.leader = leader;
    }

    void tick(long nowNanos) {
        sequencer.requireInside();
        switch (state) {
            case State.Away away -> {
                if (away.retryNanos == Long.MIN_VALUE || nowNanos - away.retryNanos >= 0) {
                    askWhole(network.dial(address, Ear::new), NOTHING, nowNanos);
                }
            }
            case State.Asking asking -> {
                if (nowNanos - asking.deadlineNanos >= 0) {
                    trouble("did not answer the registration within "
                            + patience().toSeconds() + " s");
                    late = Math.min(late + 1, MOST_DOUBLINGS);
                    hangsUp(asking.link, nowNanos);
                }
            }
            case State.Registered registered -> {
                if (nowNanos - registered.nextFullNanos >= 0) {
                    askWhole(registered.link, registered.changes, nowNanos);
                } else if (frames.changes() != registered.changes) {
                    askPart(registered, nowNanos);
                } else if (nowNanos - registered.nextBeatNanos >= 0 && config.follows()) {
                    askPart(registered, nowNanos);
                } else if (nowNanos - registered.nextBeatNanos >= 0) {
                    beat(registered, nowNanos);
                }
            }
        }
    }

    /// Says that this broker lives, and gives up a link on which nothing comes back: what goes out may be lost as well.
    private void beat(State.Registered to, long nowNanos) {
        if (to.unanswered >= MOST_BEATS_UNANSWERED && answersBeatsOn == to.link.id()) {
            trouble("has not answered the last " + to.unanswered + " heartbeats");
            hangsUp(to.link, nowNanos);
            return;
        }
        int beat = ++lastCorrelationId;
        byte[] frame = frames.heartbeat(beat);
        to.link.send(frame, 0, frame.length);
        state = new State.Registered(
                to.link,
                to.changes,
                to.nextFullNanos,
                nowNanos + config.beat().toNanos(),
                to.beat == NONE ? beat : to.beat,
                to.unanswered + 1);
    }

    private void beatAnswered(State.Registered by, int correlationId, int code, long nowNanos) {
        if (by.beat == NONE || correlationId - by.beat < 0) {
            return;
        }
        answersBeatsOn = by.link.id();
        if (code == ResponseCodes.BROKER_NOT_EXIST) {
            // It has forgotten us, or let us go while we were silent.
            askWhole(by.link, NOTHING, nowNanos);
            return;
        }
        state = new State.Registered(by.link, by.changes, by.nextFullNanos, by.nextBeatNanos, NONE, 0);
    }

    /// Tells it now what it does not know yet, unless an answer is being waited for.
    void tellNews(long nowNanos) {
        sequencer.requireInside();
        if (state instanceof State.Registered registered && frames.changes() != registered.changes) {
            askPart(registered, nowNanos);
        }
    }

    boolean knowsOrIsAway(long changes) {
        return switch (state) {
            case State.Away _ -> true;
            case State.Asking asking -> asking.known >= changes;
            case State.Registered registered -> registered.changes >= changes;
        };
    }

    /// Who asks it again on the link on which it has confirmed before is known there meanwhile.
    boolean isRegistered() {
        return switch (state) {
            case State.Away _ -> false;
            case State.Asking asking -> asking.known != NOTHING;
            case State.Registered _ -> true;
        };
    }

    /// Why it does not know this broker, in a sentence; null while it does, or before anything was tried.
    @Nullable
    String trouble() {
        return trouble;
    }

    /// Says good-bye; the nameserver takes the broker out of its routes at once.
    void withdraw() {
        sequencer.requireInside();
        Link link = linkOf(state);
        if (link != null) {
            byte[] frame = frames.withdrawal(++lastCorrelationId);
            link.send(frame, 0, frame.length);
            link.close("the broker stops");
        }
        state = new State.Away(Long.MAX_VALUE);
    }

    private void askWhole(Link link, long known, long nowNanos) {
        long changes = frames.changes();
        long nextFullNanos = nowNanos + config.period().toNanos();
        ask(link, frames.registration(++lastCorrelationId, NOTHING, changes), changes, known, nextFullNanos, nowNanos);
    }

    private void askPart(State.Registered to, long nowNanos) {
        long changes = frames.changes();
        byte[] frame = frames.registration(++lastCorrelationId, to.changes, changes);
        ask(to.link, frame, changes, to.changes, to.nextFullNanos, nowNanos);
    }

    private void ask(Link link, byte[] frame, long changes, long known, long nextFullNanos, long nowNanos) {
        state = new State.Asking(
                link, lastCorrelationId, nowNanos + patience().toNanos(), changes, known, nextFullNanos);
        link.send(frame, 0, frame.length);
    }

    private void answered(
            Link link, int correlationId, int code, String remark, Optional<LeaderPlace> named, long nowNanos) {
        if (state instanceof State.Registered registered && registered.link.id() == link.id()) {
            beatAnswered(registered, correlationId, code, nowNanos);
            return;
        }
        if (!(state instanceof State.Asking asking)
                || asking.link.id() != link.id()
                || asking.correlationId != correlationId) {
            return;
        }
        late = 0;
        if (code == ResponseCodes.SUCCESS) {
            if (trouble != null) {
                notices.over("nameserver " + address + " answers again; this broker is registered there");
                trouble = null;
            }
            named.ifPresent(place -> leader.named(address, place, nowNanos));
            state = new State.Registered(
                    link,
                    asking.changes,
                    asking.nextFullNanos,
                    nowNanos + config.beat().toNanos(),
                    NONE,
                    0);
        } else {
            trouble("refused the registration with code " + code + ": " + remark);
            giveUp(link, nowNanos);
        }
        progressed.run();
    }

    private void closed(Link link, String reason, long nowNanos) {
        Link carried = linkOf(state);
        if (carried != null && carried.id() == link.id()) {
            trouble("closed the connection: " + reason);
            state = new State.Away(nowNanos + RETRY_NANOS);
            progressed.run();
        }
    }

    /// A link on which nothing comes back; the next one is made at once, before the nameserver suspects this broker.
    private void hangsUp(Link link, long nowNanos) {
        state = new State.Away(nowNanos);
        link.close("the nameserver does not answer");
    }

    /// Longer each time: it may be a long table on a slow way.
    private Duration patience() {
        return config.patience().multipliedBy(1L << late);
    }

    private void giveUp(Link link, long nowNanos) {
        state = new State.Away(nowNanos + RETRY_NANOS);
        link.close("the registration failed");
    }

    private void trouble(String what) {
        boolean first = trouble == null;
        String sentence = "nameserver " + address + " " + what
                + ". It is tried again every second; clients that know only this nameserver do not find this broker";
        trouble = sentence;
        if (first) {
            notices.warn(sentence);
        }
    }

    private static @Nullable Link linkOf(State state) {
        return switch (state) {
            case State.Away _ -> null;
            case State.Asking asking -> asking.link;
            case State.Registered registered -> registered.link;
        };
    }

    /// Hears what comes back on one link.
    private final class Ear implements Network.Session {
        private final Link link;
        private final HeaderReader header = new HeaderReader();

        Ear(Link link) {
            this.link = link;
        }

        @Override
        public void frame(ByteBuffer frame, int offset, int length) {
            if (!header.read(frame, offset, length)) {
                link.close("a malformed frame: " + header.fault());
                return;
            }
            if (header.isAnswer()) {
                int correlationId = header.correlationId();
                int code = header.code();
                String remark = String.valueOf(header.remark());
                Optional<LeaderPlace> named = !config.follows()
                        ? Optional.empty()
                        : LeaderPlace.read(
                                header.text(FieldNames.MASTER_ADDR),
                                header.text(FieldNames.HA_SERVER_ADDR),
                                config.address());
                sequencer.submitAlways(() -> answered(link, correlationId, code, remark, named, frames.nanos()));
            }
        }

        @Override
        public void burstEnded() {}

        @Override
        public void closed(String reason) {
            sequencer.submitAlways(() -> NameserverContact.this.closed(link, reason, frames.nanos()));
        }
    }
}
