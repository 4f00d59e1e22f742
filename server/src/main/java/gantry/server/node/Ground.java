package gantry.server.node;

import gantry.base.Clock;
import gantry.base.Entropy;
import gantry.base.Network;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.net.NetConfig;
import gantry.net.NettyNetwork;
import gantry.net.SystemClock;
import gantry.net.SystemEntropy;
import gantry.net.ThreadOffload;
import gantry.net.Ticker;
import gantry.server.watch.Sources;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The real seams that all parts of one process share.
///
/// For:   one network, one ticker and one clock in a process, however many roles it plays.
/// Owner: the process.
/// Never: roles.
record Ground(
        Parts parts,
        Clock clock,
        Entropy entropy,
        Offload offload,
        Notices notices,
        Sequencer.Faults faults,
        Network network,
        Ticker ticker,
        Pulse pulse) {
    /// Works that may block at once: cold reads, name look-ups, file deletion.
    private static final int OFFLOAD_THREADS = 64;

    private static final Duration OFFLOAD_LOOK = Duration.ofSeconds(1);

    /// What the admin port looks at, of the roles that this process plays.
    Sources watching(String role, @Nullable NameserverPart nameserver, @Nullable BrokerPart broker) {
        return new Sources(
                role,
                nameserver == null ? Optional::empty : () -> Optional.of(nameserver.view()),
                broker == null ? Optional::empty : () -> Optional.of(broker.view()),
                pulse::stuck,
                pulse::waiting,
                pulse::figures,
                clock);
    }

    static Ground make(Logs logs, Parts parts) {
        Notices notices = new LogNotices();
        Sequencer.Faults faults = new FaultsEndProcess(logs);
        NettyNetwork network = new NettyNetwork(NetConfig.DEFAULT, notices, faults);
        parts.add(Parts.Layer.NETWORK, "the network", network::close);
        Ticker ticker = new Ticker("ticks", notices);
        parts.add(Parts.Layer.TICKS, "the ticker", ticker::close);
        Watchdog watchdog = new Watchdog();
        for (int loop = 0; loop < network.loopCount(); loop++) {
            int one = loop;
            watchdog.watch("event loop " + loop, answer -> network.probe(one, answer));
        }
        watchdog.start();
        parts.add(Parts.Layer.TICKS, "the watchdog", watchdog::close);
        ThreadOffload offload = new ThreadOffload("offload", OFFLOAD_THREADS, notices);
        ticker.every(OFFLOAD_LOOK, "offload", offload::tick);
        return new Ground(
                parts,
                new SystemClock(),
                new SystemEntropy(),
                offload,
                notices,
                faults,
                network,
                ticker,
                new Pulse(watchdog, ticker, offload, network));
    }
}
