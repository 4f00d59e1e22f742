package gantry.broker.register;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.base.Image;
import gantry.base.Network;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Published;
import gantry.base.Sequencer;
import gantry.broker.topic.Catalogue;
import gantry.broker.topic.RouteNews;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Keeps every nameserver told, each by itself.
///
/// For:   registering with any number of nameservers in parallel.
/// Owner: its sequencer.
/// Never: makes the broker wait for a nameserver; who creates a topic waits for its route, at most `TELL_NANOS`.
public final class Registrations implements RouteNews {
    /// How long a new topic waits until the nameservers that can be reached have heard of it.
    static final long TELL_NANOS = 1_000_000_000L;

    /// More than this many wait no longer at all.
    static final int MOST_WAITING = 1_024;

    private record Waiting(long changes, long deadlineNanos, Runnable then) {}

    private final Sequencer sequencer;
    private final Clock clock;
    private final List<NameserverContact> contacts;
    private final Published registered = new Published(0);
    private final Image<List<String>> troubles = new Image<>(List.of());
    private final LeaderNews leader = new LeaderNews();
    private List<Waiting> waiting = new ArrayList<>();
    private boolean withdrawn;

    /// @param epoch of the reign in which this broker leads; 0 without one
    public Registrations(
            RegistrationConfig config,
            Catalogue catalogue,
            LongSupplier epoch,
            Network network,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer.Faults faults) {
        this.clock = clock;
        this.sequencer = new Sequencer("registration", offload, faults);
        RegistrationFrames frames = new RegistrationFrames(config, catalogue, clock, epoch);
        this.contacts = config.nameservers().stream()
                .map(address -> new NameserverContact(
                        address, config, frames, network, sequencer, notices, this::progressed, leader))
                .toList();
    }

    public void tick() {
        sequencer.submitAlways(() -> {
            long now = clock.nanos();
            contacts.forEach(contact -> contact.tick(now));
            release(now);
            leader.tick(now);
            registered.reset(
                    contacts.stream().filter(NameserverContact::isRegistered).count());
            troubles.publish(contacts.stream()
                    .map(NameserverContact::trouble)
                    .filter(Objects::nonNull)
                    .toList());
        });
    }

    @Override
    public void whenTold(long changes, Runnable then) {
        sequencer.submitAlways(() -> {
            long now = clock.nanos();
            if (waiting.size() >= MOST_WAITING) {
                sequencer.after(then);
                return;
            }
            waiting.add(new Waiting(changes, now + TELL_NANOS, then));
            contacts.forEach(contact -> contact.tellNews(now));
            release(now);
        });
    }

    /// A nameserver has answered, or is gone.
    private void progressed() {
        sequencer.requireInside();
        if (!waiting.isEmpty()) {
            long now = clock.nanos();
            contacts.forEach(contact -> contact.tellNews(now));
            release(now);
        }
    }

    private void release(long nowNanos) {
        List<Waiting> still = new ArrayList<>();
        for (Waiting one : waiting) {
            if (withdrawn
                    || nowNanos - one.deadlineNanos >= 0
                    || contacts.stream().allMatch(contact -> contact.knowsOrIsAway(one.changes))) {
                sequencer.after(one.then);
            } else {
                still.add(one);
            }
        }
        waiting = still;
    }

    /// How many nameservers know this broker, as of the last tick.
    public long registered() {
        return registered.read();
    }

    /// Which nameservers do not know this broker, and why, as of the last tick: a sentence each.
    public List<String> troubles() {
        return troubles.read();
    }

    public int nameservers() {
        return contacts.size();
    }

    /// Where the leader's clients connect, as nameservers say; empty when none has said so in the last minute, and
    /// always for a broker whose brokerId is 0.
    public Optional<Endpoint> leaderAddress() {
        return leader.newest().map(LeaderPlace::clients);
    }

    /// Where the leader's followers connect.
    public Optional<Endpoint> leaderHa() {
        return leader.newest().map(LeaderPlace::followers);
    }

    public void withdraw() {
        sequencer.submitAlways(() -> {
            withdrawn = true;
            contacts.forEach(NameserverContact::withdraw);
            release(clock.nanos());
        });
    }
}
