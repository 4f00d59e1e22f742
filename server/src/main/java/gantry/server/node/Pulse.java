package gantry.server.node;

import gantry.net.NetFigures;
import gantry.net.NettyNetwork;
import gantry.net.ThreadOffload;
import gantry.net.Ticker;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What must never wait in this process, and whether it does.
///
/// For:   health and metrics.
/// Owner: none; reads what others publish.
record Pulse(Watchdog watchdog, Ticker ticker, ThreadOffload offload, NettyNetwork network) {
    /// What gives no sign of life now, and everything else waits for: a sentence each.
    List<String> stuck() {
        List<String> all = new ArrayList<>(watchdog.stalled());
        add(all, ticker.stalled());
        return all;
    }

    /// What a disk or a name server does not answer; what needs it waits.
    List<String> waiting() {
        List<String> all = new ArrayList<>();
        add(all, offload.stalled());
        return all;
    }

    private static void add(List<String> all, @Nullable String sentence) {
        if (sentence != null) {
            all.add(sentence);
        }
    }

    NetFigures figures() {
        return network.figures();
    }
}
