package gantry.broker.legacy;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.base.Image;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.broker.replica.MemberStatus;
import gantry.broker.replica.ReplicaStatus;
import gantry.replica.frame.Cause;
import gantry.replica.member.MemberState;
import gantry.store.Store;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Lets RocketMQ's own slaves copy this broker's log.
///
/// ```
///   connection ── an address that is named? ──▶ SlaveFeed ── is over ──▶ the address is shown as SILENT or REFUSED
///       └ no: closed, counted                       └ served: CATCHING_UP n bytes ◀──▶ IN_SYNC
/// ```
/// For:   a way back to RocketMQ while the broker runs.
/// Owner: its sequencer; what is read of the log is read outside.
/// Never: touches the log sequencer; counts for anything that a send waits for; sends what is not confirmed.
public final class LegacySlaves implements Network.Acceptor {
    /// A slave says where it is every 5 s.
    static final long SILENCE_NANOS = 10_000_000_000L;

    /// RocketMQ's slaves say nothing in the first 5 s of a connection.
    static final long FIRST_REPORT_NANOS = 10_000_000_000L;

    /// How long a stop waits for slaves that take what is confirmed: a part of the ten seconds in which a process ends.
    public static final Duration LEAVE_PATIENCE = Duration.ofSeconds(2);

    private static final long NOTICE_NANOS = 60_000_000_000L;
    private static final long SHOW_NANOS = 200_000_000L;

    /// Connections of one address: slaves on one machine, or a slave whose old connection is not known to be gone.
    static final int MOST_OF_ONE = 4;

    private final LegacyDoor door;
    private final Store store;
    private final Clock clock;
    private final Offload offload;
    private final Notices notices;
    private final Sequencer sequencer;
    private final Map<Long, SlaveFeed> feeds = new LinkedHashMap<>();
    private final Map<LegacyCause, Long> toldNanos = new EnumMap<>(LegacyCause.class);
    private final Map<Integer, Departed> departed = new TreeMap<>();
    private final Image<List<MemberStatus>> shown;
    private final Image<Long> refused = new Image<>(0L);
    private final Image<Optional<Network.Listener>> listener = new Image<>(Optional.empty());
    private final HandOver handOver;
    private final List<Runnable> waitForLast = new ArrayList<>();
    private long shownNanos;
    private boolean leaving;
    private boolean stopped;

    /// Why the last connection with a number ended.
    private record Departed(String host, LegacyFault why, long heardNanos) {}

    /// @param settle gives the log what no fact carries yet, before a hand-over; waits
    public LegacySlaves(
            LegacyDoor door,
            Runnable settle,
            Store store,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer.Faults faults) {
        this.door = door;
        this.store = store;
        this.clock = clock;
        this.offload = offload;
        this.notices = notices;
        this.sequencer = new Sequencer("RocketMQ's slaves", offload, faults);
        this.shown = new Image<>(statuses(clock.nanos()));
        this.handOver = new HandOver(settle, store, notices, offload, sequencer::submitAlways);
    }

    /// Listens.
    ///
    /// @return where
    public Endpoint start(Network network) throws Network.ListenFailed {
        Network.Listener opened = network.listen(door.listen(), this);
        listener.publish(Optional.of(opened));
        return opened.local();
    }

    @Override
    public Network.Session accept(Link link) {
        link.takeAsItComes();
        String host = link.remote().host();
        int place = door.hosts().indexOf(host);
        if (place < 0) {
            link.close("nobody at " + host + " is a slave of this broker");
            sequencer.submit(() ->
                    tell(new LegacyFault(LegacyCause.STRANGER, link.remote() + " was closed, and was told nothing")));
            return new Deaf();
        }
        SlaveFeed feed = new SlaveFeed(link, store, clock, offload, this::run, this::depart);
        sequencer.submitAlways(() -> enter(feed, place));
        return feed.session();
    }

    /// Inside, for a slave.
    private void run(Runnable command) {
        sequencer.submitAlways(() -> {
            command.run();
            if (leaving) {
                lookForLast();
            }
        });
    }

    private void enter(SlaveFeed feed, int place) {
        int slot = 0;
        while (slot < MOST_OF_ONE && isTaken(number(place, slot))) {
            slot++;
        }
        if (leaving || stopped) {
            feed.close("the broker stops");
        } else if (slot == MOST_OF_ONE) {
            feed.close("there is no place for this connection");
            tell(new LegacyFault(
                    LegacyCause.TOO_MANY, feed.address() + " is one more than " + MOST_OF_ONE + " of its address"));
        } else {
            feed.number(number(place, slot));
            feeds.put(feed.id(), feed);
        }
    }

    /// Below 0: a slave of RocketMQ's is no member of the group.
    private static int number(int place, int slot) {
        return -1 - place * MOST_OF_ONE - slot;
    }

    private boolean isTaken(int number) {
        return feeds.values().stream().anyMatch(feed -> feed.number() == number);
    }

    private void depart(SlaveFeed feed, LegacyFault why) {
        feeds.remove(feed.id());
        if (leaving) {
            tellLack(feed);
        }
        if (!stopped) {
            departed.put(feed.number(), new Departed(feed.host(), why, feed.heardNanos()));
            tell(why);
            shown.publish(statuses(clock.nanos()));
        }
    }

    /// Once a minute for each cause.
    private void tell(LegacyFault why) {
        refused.publish(refused.read() + 1);
        long nowNanos = clock.nanos();
        Long before = toldNanos.get(why.cause());
        if (before == null || nowNanos - before >= NOTICE_NANOS) {
            toldNanos.put(why.cause(), nowNanos);
            notices.warn("a RocketMQ slave is not served: " + why.sentence());
        }
    }

    public void tick() {
        sequencer.submit(() -> {
            long nowNanos = clock.nanos();
            for (SlaveFeed feed : List.copyOf(feeds.values())) {
                feed.tick(nowNanos);
            }
            handOver.tick(nowNanos, List.copyOf(feeds.values()));
            if (nowNanos - shownNanos >= SHOW_NANOS) {
                shownNanos = nowNanos;
                shown.publish(statuses(nowNanos));
            }
        });
    }

    private List<MemberStatus> statuses(long nowNanos) {
        List<MemberStatus> all = new ArrayList<>();
        for (int place = 0; place < door.hosts().size(); place++) {
            String host = door.hosts().get(place);
            List<SlaveFeed> here = feeds.values().stream()
                    .filter(feed -> feed.host().equals(host))
                    .toList();
            departed.values()
                    .removeIf(last -> last.host.equals(host)
                            && here.stream()
                                    .anyMatch(feed -> feed.isServed() && feed.openedNanos() - last.heardNanos >= 0));
            boolean isEmpty = true;
            for (int slot = 0; slot < MOST_OF_ONE; slot++) {
                int number = number(place, slot);
                Departed last = departed.get(number);
                Optional<SlaveFeed> there =
                        here.stream().filter(feed -> feed.number() == number).findFirst();
                if (last != null) {
                    all.add(away(number, host, last, nowNanos));
                } else {
                    there.ifPresent(feed -> all.add(feed.status(nowNanos)));
                }
                isEmpty &= last == null && there.isEmpty();
            }
            if (isEmpty) {
                all.add(away(number(place, 0), host, null, nowNanos));
            }
        }
        return List.copyOf(all);
    }

    private static MemberStatus away(int number, String host, @Nullable Departed last, long nowNanos) {
        if (last == null) {
            return new MemberStatus(
                    number,
                    host,
                    new MemberState.NeverSeen(),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.empty());
        }
        MemberState state = last.why.cause() == LegacyCause.SLAVE_SILENT
                ? new MemberState.Silent(nowNanos - last.heardNanos)
                : new MemberState.Refused(last.why.shown());
        return new MemberStatus(
                number,
                host,
                state,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.of((nowNanos - last.heardNanos) / 1_000_000));
    }

    /// The same view of a group, with RocketMQ's slaves in it.
    public ReplicaStatus in(ReplicaStatus group) {
        List<MemberStatus> members = new ArrayList<>(group.members());
        members.addAll(shown.read());
        SortedMap<Cause, Long> causes = new TreeMap<>(group.refused());
        long count = refused.read();
        if (count > 0) {
            causes.put(Cause.LEGACY, count);
        }
        ReplicaStatus seen = group.with(members, causes);
        return seen.refusesSends() == null
                ? handOver.refuses().map(seen::refusing).orElse(seen)
                : seen;
    }

    /// The step by which everything goes to the slaves.
    public HandOver handOver() {
        return handOver;
    }

    /// Whether somebody at this address may ask for what a slave asks.
    boolean names(String host) {
        return door.hosts().contains(host);
    }

    /// A slave has been given one of the tables.
    void gaveTable(Endpoint slave, int code, long askedNanos) {
        sequencer.submitAlways(() -> handOver.gaveTable(slave, code, askedNanos));
    }

    /// Lets nobody in any more; those who are served are sent what is confirmed by now.
    public void leave() {
        listener.read().ifPresent(Network.Listener::close);
        sequencer.submitAlways(() -> {
            leaving = true;
            List.copyOf(feeds.values()).forEach(SlaveFeed::goOn);
        });
    }

    /// Runs `then` once all who are served have reported all that is confirmed, or it is over; after `leave`.
    public void whenTaken(Runnable then) {
        sequencer.submitAlways(() -> {
            waitForLast.add(then);
            lookForLast();
        });
    }

    private void lookForLast() {
        boolean isTaken = feeds.values().stream().allMatch(feed -> !feed.isServed() || feed.lacks() == 0);
        if (isTaken || stopped) {
            waitForLast.forEach(sequencer::after);
            waitForLast.clear();
        }
    }

    /// Every connection is closed; what a slave lacks is told.
    public void stop() {
        leave();
        sequencer.submitAlways(() -> {
            if (!stopped) {
                stopped = true;
                feeds.values().forEach(this::tellLack);
                feeds.values().forEach(feed -> feed.close("the broker stops"));
                feeds.clear();
                lookForLast();
            }
        });
    }

    private void tellLack(SlaveFeed feed) {
        if (!feed.isServed()) {
            notices.warn("the broker stops, and the RocketMQ slave at " + feed.address()
                    + " had only just connected: it has what it had before");
        } else if (feed.lacks() > 0) {
            notices.warn("the broker stops, and the RocketMQ slave at " + feed.address() + " lacks the last "
                    + feed.lacks() + " bytes of what is confirmed, from log offset " + feed.held()
                    + " on. Next: start this broker again before you make that slave the master");
        } else {
            notices.info("the broker stops, and the RocketMQ slave at " + feed.address()
                    + " has all messages, up to log offset " + feed.held());
        }
    }

    /// Hears nothing; for strangers, whose link is being closed.
    private static final class Deaf implements Network.Session {
        @Override
        public void frame(ByteBuffer frame, int offset, int length) {}

        @Override
        public void burstEnded() {}

        @Override
        public void closed(String reason) {}
    }
}
