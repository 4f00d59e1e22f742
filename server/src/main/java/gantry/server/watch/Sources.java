package gantry.server.watch;

import gantry.base.Clock;
import gantry.broker.query.BrokerView;
import gantry.net.NetFigures;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Where health and metrics are read.
///
/// For:   the pages of one process; asking waits for nobody.
/// Owner: none (immutable).
///
/// @param role    of the process: standalone, nameserver, broker
/// @param routes  what the nameserver of this process knows; empty without one
/// @param broker  of this process, if it has one
/// @param stuck   what gives no sign of life, a sentence each
/// @param waiting what a disk or a name server does not answer, a sentence each
public record Sources(
        String role,
        Supplier<Optional<RoutesView>> routes,
        Supplier<Optional<BrokerView>> broker,
        Supplier<List<String>> stuck,
        Supplier<List<String>> waiting,
        Supplier<NetFigures> network,
        Clock clock) {}
