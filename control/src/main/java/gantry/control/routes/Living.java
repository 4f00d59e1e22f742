package gantry.control.routes;

import gantry.wire.body.DataVersion;
import gantry.wire.body.Registration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// One living broker process.
///
/// For:   knowing until when it lives, on which link, and which of its tables was taken over.
/// Owner: the route table's.
final class Living {
    final BrokerIdentity broker;
    final String haAddress;
    final DataVersion version;
    /// What it registered last.
    final Registration body;

    final long fingerprint;
    private final long timeoutNanos;
    private long heardNanos;
    /// Time in which we stood still was given once since it was heard; a second time would keep the dead alive.
    private boolean forgiven;
    /// The link that carries the broker: when it closes, the broker is gone.
    long session;
    /// The link on which it was heard last; takes over from a carrying link that closes.
    long heardOn;
    /// It sent its whole table at some time, not only topics that changed.
    boolean whole;
    /// The topics show what is in `body`; no longer when somebody else changed them.
    boolean shown;

    Living(BrokerRegistration event, Duration timeout, long session, long nowNanos) {
        this.broker = event.broker();
        this.haAddress = event.haAddress();
        this.version = event.version();
        this.body = event.body();
        this.fingerprint = event.fingerprint();
        this.timeoutNanos = timeout.toNanos();
        this.heardNanos = nowNanos;
        this.session = session;
        this.heardOn = session;
        this.whole = isWhole(event);
    }

    /// Every broker has a topic of its own name; topics that changed come without it.
    static boolean isWhole(BrokerRegistration event) {
        return event.body().table().topics().containsKey(event.broker().brokerName());
    }

    /// Keeps what a new registration of the same process does not say.
    void follow(@Nullable Living before) {
        if (before != null) {
            whole |= before.whole;
            shown = before.shown && before.body.equals(body);
        }
    }

    void heard(long on, long nowNanos) {
        heardNanos = nowNanos;
        heardOn = on;
        forgiven = false;
    }

    /// Gives the time again in which nobody could be heard.
    void forgive(long nanos, long nowNanos) {
        if (!forgiven) {
            heardNanos = Math.min(heardNanos + nanos, nowNanos);
            forgiven = true;
        }
    }

    long heardNanos() {
        return heardNanos;
    }

    boolean isExpired(long nowNanos) {
        return nowNanos - heardNanos > timeoutNanos;
    }

    RouteImage.LivingProcess image() {
        return new RouteImage.LivingProcess(fingerprint, body);
    }
}
