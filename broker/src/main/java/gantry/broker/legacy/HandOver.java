package gantry.broker.legacy;

import gantry.base.Endpoint;
import gantry.base.Image;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.broker.session.Reply;
import gantry.store.Store;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Brings this broker to a state in which RocketMQ's slaves have all of it, and keeps it there.
///
/// ```
///   SERVING ── asked ──▶ LAST_COMMITS 6 s ──▶ SETTLING: the log stands still ──▶ DRAINING: bytes and tables ──▶ DONE
///      ▲                       │ sends and pulls refused   │ all changes refused      │                          │
///      └── undone, or not done within 60 s, or no slave ───┴──────────────────────────┘◀──── undone ─────────────┘
/// ```
/// For:   stopping this broker so that a slave of RocketMQ's goes on where it ended.
/// Owner: the sequencer of `LegacySlaves`.
/// Never: DONE while a slave lacks a byte or a table of what was acknowledged.
/// Holds: HAND-1 a table counts only if it was asked for after the log had come to its end.
public final class HandOver {
    /// Consumers commit every 5 s.
    static final long COMMITS_NANOS = 6_000_000_000L;

    /// The log has not grown for so long.
    static final long STILL_NANOS = 500_000_000L;

    /// RocketMQ 4.9's slaves ask every 10 s, 5.x's every 3 s for some and every 10 s for most.
    public static final long PATIENCE_NANOS = 60_000_000_000L;

    private static final Set<Integer> TABLES = Set.of(
            RequestCodes.GET_ALL_TOPIC_CONFIG,
            RequestCodes.GET_ALL_SUBSCRIPTIONGROUP_CONFIG,
            RequestCodes.GET_ALL_CONSUMER_OFFSET,
            RequestCodes.GET_ALL_DELAY_OFFSET);

    /// Who may ask at the same time.
    private static final int MOST_ASKERS = 16;

    private sealed interface State {
        record Serving() implements State {}

        record LastCommits(long sinceNanos) implements State {}

        record Settling(boolean settled, long end, long sinceNanos) implements State {}

        record Draining(long end, long sinceNanos) implements State {}

        record Done(long end) implements State {}
    }

    private final Runnable settle;
    private final Store store;
    private final Notices notices;
    private final Offload offload;
    private final Consumer<Runnable> sequencer;
    private final List<Reply> askers = new ArrayList<>();
    /// Which connections were given which table; a slave asks for topics on another one than for the rest.
    private final Map<Integer, Set<Endpoint>> given = new HashMap<>();
    private final Image<Optional<String>> refuses = new Image<>(Optional.empty());
    private final Image<Optional<String>> refusesCommits = new Image<>(Optional.empty());
    private State state = new State.Serving();
    private long beganNanos;
    private boolean wanted;

    /// @param settle gives the log what no fact carries yet; waits
    /// @param sequencer runs a command inside
    HandOver(Runnable settle, Store store, Notices notices, Offload offload, Consumer<Runnable> sequencer) {
        this.settle = settle;
        this.store = store;
        this.notices = notices;
        this.offload = offload;
        this.sequencer = sequencer;
    }

    /// Why nothing but a consumer's commit is taken now; empty while it is. Asked on any thread.
    public Optional<String> refuses() {
        return refuses.read();
    }

    /// The same of commits.
    public Optional<String> refusesCommits() {
        return refusesCommits.read();
    }

    /// Answered when it is done, or with why it is not.
    void ask(Reply reply) {
        sequencer.accept(() -> {
            if (state instanceof State.Done(long end)) {
                reply.answer(ResponseCodes.SUCCESS, doneSentence(end));
            } else if (askers.size() >= MOST_ASKERS) {
                reply.answer(ResponseCodes.SYSTEM_BUSY, "it is being handed over already: look at haStatus");
            } else {
                askers.add(reply);
                wanted = true;
            }
        });
    }

    /// Everything is taken again.
    void undo(Reply reply) {
        sequencer.accept(() -> {
            if (!(state instanceof State.Serving)) {
                goBack("somebody has taken the hand-over back");
            }
            reply.answer(ResponseCodes.SUCCESS, "sends are taken again");
        });
    }

    void tick(long nowNanos, List<SlaveFeed> feeds) {
        if (wanted) {
            wanted = false;
            if (state instanceof State.Serving) {
                begin(nowNanos, feeds);
            }
        }
        if (!(state instanceof State.Serving)
                && !(state instanceof State.Done)
                && nowNanos - beganNanos >= PATIENCE_NANOS) {
            goBack("not handed over within 60 s: " + lacks(feeds));
        }
        switch (state) {
            case State.Serving _, State.Done _ -> {}
            case State.LastCommits(long sinceNanos) -> {
                if (nowNanos - sinceNanos >= COMMITS_NANOS) {
                    settle(nowNanos);
                }
            }
            case State.Settling settling -> {
                if (settling.settled) {
                    lookStill(settling, nowNanos);
                }
            }
            case State.Draining draining -> {
                if (store.appended() != draining.end) {
                    // Somebody was late after all: what was counted so far counts no more.
                    state = new State.Settling(true, store.appended(), nowNanos);
                } else if (feeds.stream().anyMatch(SlaveFeed::isServed)
                        && lacks(feeds).isEmpty()) {
                    done(draining.end);
                }
            }
        }
    }

    private void begin(long nowNanos, List<SlaveFeed> feeds) {
        if (feeds.stream().noneMatch(SlaveFeed::isServed)) {
            answer(ResponseCodes.SYSTEM_ERROR, "no RocketMQ slave copies this broker now: haStatus shows why");
            return;
        }
        beganNanos = nowNanos;
        state = new State.LastCommits(nowNanos);
        refuse("this broker is being handed over to its RocketMQ slaves: try again in a moment");
        notices.info("The broker is being handed over to its RocketMQ slaves: no sends are taken any more");
    }

    private void settle(long nowNanos) {
        refusesCommits.publish(refuses.read());
        state = new State.Settling(false, -1, nowNanos);
        offload.run(() -> {
            settle.run();
            sequencer.accept(() -> {
                if (state instanceof State.Settling settling && !settling.settled) {
                    state = new State.Settling(true, store.appended(), settling.sinceNanos);
                }
            });
        });
    }

    private void lookStill(State.Settling settling, long nowNanos) {
        long end = store.appended();
        if (end != settling.end || store.confirmOffset() != end) {
            state = new State.Settling(true, end, nowNanos);
        } else if (nowNanos - settling.sinceNanos >= STILL_NANOS) {
            given.clear();
            state = new State.Draining(end, nowNanos);
        }
    }

    void gaveTable(Endpoint slave, int code, long askedNanos) {
        if (state instanceof State.Draining draining
                && askedNanos - draining.sinceNanos >= 0
                && TABLES.contains(code)) {
            given.computeIfAbsent(code, _ -> new HashSet<>()).add(slave);
        }
    }

    /// What is missing, in words; empty when nothing is.
    private String lacks(List<SlaveFeed> feeds) {
        List<String> missing = new ArrayList<>();
        Map<String, Integer> served = new HashMap<>();
        for (SlaveFeed feed : feeds) {
            if (feed.isServed()) {
                served.merge(feed.host(), 1, Integer::sum);
                if (feed.held() < store.appended()) {
                    missing.add(
                            "the slave at " + feed.address() + " lacks " + (store.appended() - feed.held()) + " bytes");
                }
            }
        }
        served.forEach((host, count) -> {
            long whole = TABLES.stream()
                    .mapToLong(code -> given.getOrDefault(code, Set.of()).stream()
                            .filter(asker -> asker.host().equals(host))
                            .count())
                    .min()
                    .orElse(0);
            if (whole < count) {
                missing.add((count - whole) + " of " + count + " slaves at " + host
                        + " have not asked for topics, groups and offsets since the log ended");
            }
        });
        return String.join("; ", missing);
    }

    private void done(long end) {
        state = new State.Done(end);
        refuse("this broker is handed over to its RocketMQ slaves: stop it and start one of them as the master, or take"
                + " it back with ./gantry admin handOver --undo");
        notices.info("The broker is handed over: " + doneSentence(end));
        answer(ResponseCodes.SUCCESS, doneSentence(end));
    }

    private static String doneSentence(long end) {
        return "the RocketMQ slaves have everything up to log offset " + end
                + ", and topics, groups and offsets: stop this broker, then a slave, and start that as the master";
    }

    private void goBack(String why) {
        state = new State.Serving();
        given.clear();
        refuses.publish(Optional.empty());
        refusesCommits.publish(Optional.empty());
        notices.warn("The broker takes sends again: " + why);
        answer(ResponseCodes.SYSTEM_ERROR, why);
    }

    private void refuse(String sentence) {
        refuses.publish(Optional.of(sentence));
    }

    private void answer(int code, String sentence) {
        askers.forEach(asker -> asker.answer(code, sentence));
        askers.clear();
    }
}
