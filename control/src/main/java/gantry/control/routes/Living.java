package gantry.control.routes;

import gantry.wire.body.DataVersion;
import gantry.wire.body.Registration;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One living broker process.
///
/// For:   knowing until when it lives, on which link, and which of its tables was taken over.
/// Owner: the route table's.
final class Living {
    final BrokerIdentity broker;
    final String haAddress;
    final DataVersion version;
    final List<String> filterServers;
    private final long timeoutNanos;
    long heardNanos;
    /// The link that carries the broker: when it closes, the broker is gone.
    long session;
    /// The link on which it was heard last; takes over from a carrying link that closes.
    long heardOn;
    /// It sent its whole table at some time, not only topics that changed.
    boolean whole;
    /// What stands in the topics for it: null until a registration was taken over, and again when somebody else changed
    /// these topics.
    @Nullable
    Registration taken;

    long fingerprint;

    Living(BrokerRegistration event, Duration timeout, long session, long nowNanos) {
        this.broker = event.broker();
        this.haAddress = event.haAddress();
        this.version = event.version();
        this.filterServers = event.body().filterServers();
        this.timeoutNanos = timeout.toNanos();
        this.heardNanos = nowNanos;
        this.session = session;
        this.heardOn = session;
        // Every broker has a topic of its own name; single topics that changed come without it.
        this.whole = event.body().table().topics().containsKey(broker.brokerName());
    }

    /// Keeps what a new registration of the same process does not say.
    void follow(@Nullable Living before) {
        if (before != null) {
            whole |= before.whole;
            taken = before.taken;
            fingerprint = before.fingerprint;
        }
    }

    boolean isExpired(long nowNanos) {
        return nowNanos - heardNanos > timeoutNanos;
    }

    RouteImage.LivingProcess image() {
        return new RouteImage.LivingProcess(filterServers, fingerprint, taken);
    }
}
