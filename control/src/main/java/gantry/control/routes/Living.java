package gantry.control.routes;

import gantry.base.Published;
import gantry.wire.body.DataVersion;
import gantry.wire.body.Registration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// One living broker process.
///
/// For:   knowing until when it lives, on which link, and which of its tables was taken over.
/// Owner: the route table's.
final class Living {
    /// Who promises to be heard within so long beats, and is missed after half of it.
    private static final Duration SHORT_PROMISE = Duration.ofSeconds(30);

    /// So often the promise begins anew because we stood still, until it is heard; more would keep the dead alive.
    private static final int MOST_FORGIVEN = 3;

    /// No link: we let go of it ourselves.
    private static final long NO_SESSION = -1;

    final BrokerIdentity broker;
    final String haAddress;
    final DataVersion version;
    /// What it registered last.
    final Registration body;

    final long fingerprint;
    private final long timeoutNanos;
    private final long suspectNanos;
    /// When it was heard, time in which we stood still or not; the same object while the process lives.
    final Published heard;
    /// Since when its promise runs.
    private long promisedNanos;
    private int forgiven;
    /// Not heard for half of its promise.
    boolean suspect;
    /// The link that carries the broker: when it closes, the broker is gone.
    long session;
    /// The link on which it was heard last; takes over from a carrying link that closes.
    long heardOn;
    /// It sent its whole table at some time, not only topics that changed.
    boolean whole;
    /// The topics show what is in `body`; no longer when somebody else changed them.
    boolean shown;

    Living(BrokerRegistration event, Duration usual, @Nullable Living before, long session, long nowNanos) {
        this.broker = event.broker();
        this.haAddress = event.haAddress();
        this.version = event.version();
        this.body = event.body();
        this.fingerprint = event.fingerprint();
        Duration promise = event.timeout(usual);
        boolean beats = event.timeout() != null && promise.compareTo(SHORT_PROMISE) <= 0;
        this.timeoutNanos = promise.toNanos();
        this.suspectNanos = beats ? timeoutNanos / 2 : Long.MAX_VALUE;
        this.heard = before == null ? new Published(nowNanos) : before.heard;
        this.session = session;
        this.whole = isWhole(event);
        heard(session, nowNanos);
        follow(before);
    }

    /// Every broker has a topic of its own name; topics that changed come without it.
    static boolean isWhole(BrokerRegistration event) {
        return event.body().table().topics().containsKey(event.broker().brokerName());
    }

    /// Keeps what a new registration of the same process does not say.
    private void follow(@Nullable Living before) {
        if (before != null) {
            whole |= before.whole;
            shown = before.shown && before.body.equals(body);
        }
    }

    void heard(long on, long nowNanos) {
        heard.reset(nowNanos);
        promisedNanos = nowNanos;
        heardOn = on;
        forgiven = 0;
    }

    /// Nobody could be heard until now, and all links are let go of: its promise begins anew.
    void forgive(long nowNanos) {
        if (forgiven < MOST_FORGIVEN) {
            promisedNanos = nowNanos;
            forgiven++;
        }
        session = NO_SESSION;
        heardOn = NO_SESSION;
    }

    /// A link is gone that carries nobody, because we closed it.
    void letGo(long link) {
        session = session == link ? NO_SESSION : session;
        heardOn = heardOn == link ? NO_SESSION : heardOn;
    }

    boolean isMissed(long nowNanos) {
        return nowNanos - promisedNanos > suspectNanos;
    }

    boolean isExpired(long nowNanos) {
        return nowNanos - promisedNanos > timeoutNanos;
    }

    /// Since when nothing was heard of it, for people.
    Duration silence(long nowNanos) {
        return Duration.ofNanos(nowNanos - heard.read());
    }

    RouteImage.LivingProcess image() {
        return new RouteImage.LivingProcess(fingerprint, body, heard, suspect);
    }
}
