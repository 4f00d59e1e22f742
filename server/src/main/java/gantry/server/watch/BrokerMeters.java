package gantry.server.watch;

import gantry.broker.query.BrokerView;
import gantry.broker.session.Traffic;
import gantry.store.State;
import gantry.store.StoreFigures;
import gantry.store.Trouble;
import java.util.Locale;

/// The metrics of a broker: clients, messages, log, disk.
///
/// For:   `/metrics`.
/// Owner: none (stateless).
final class BrokerMeters {
    private BrokerMeters() {}

    static void add(Meters out, BrokerView broker) {
        Meters.Rows names = new Meters.Rows();
        names.put(1, "broker", broker.brokerName(), "broker_id", Long.toString(broker.brokerId()));
        out.gauge("gantry_broker", "Which broker this is; always 1.", names);
        traffic(out, broker.traffic());
        out.gauge("gantry_clients", "Connections of clients that are open.", broker.clients());
        out.gauge("gantry_parked_pulls", "Pulls that wait for a message.", broker.parked());
        out.gauge("gantry_topics", "Topics, the system's own included.", broker.topics());
        out.gauge(
                "gantry_nameservers",
                "Nameservers that the broker registers with.",
                broker.nameservers().count());
        out.gauge(
                "gantry_nameservers_registered",
                "Those of them that know it now.",
                broker.nameservers().known());
        log(out, broker.store());
        disk(out, broker);
    }

    private static void traffic(Meters out, Traffic.Figures traffic) {
        out.counter("gantry_messages_in", "Messages that were acknowledged.", traffic.messagesIn());
        out.counter("gantry_messages_in_bytes", "Bytes of their stored records.", traffic.bytesIn());
        out.counter(
                "gantry_messages_refused",
                "Messages that the log did not take: full disk, too few members in sync, busy, fenced.",
                traffic.refused());
        out.counter("gantry_messages_out", "Messages that were given to pulls.", traffic.messagesOut());
        out.counter("gantry_messages_out_bytes", "Bytes of their stored records.", traffic.bytesOut());
    }

    private static void log(Meters out, StoreFigures store) {
        out.gauge("gantry_log_begin_bytes", "Log offset of the oldest kept byte.", store.begin());
        out.gauge("gantry_log_end_bytes", "Log offset behind the last written byte.", store.end());
        out.gauge("gantry_log_confirm_bytes", "Log offset below which nothing can be taken back.", store.confirm());
        out.gauge("gantry_log_durable_bytes", "Log offset below which everything is on disk.", store.durable());
        out.gauge("gantry_log_indexed_bytes", "Log offset below which messages are found by key.", store.indexed());
        out.gauge("gantry_log_size_bytes", "Bytes of the log that are kept.", store.end() - store.begin());
        out.gauge(
                "gantry_log_unflushed_bytes",
                "Bytes of the log that are written and not on disk yet.",
                Math.max(0, store.end() - store.durable()));
        out.gauge(
                "gantry_log_unconfirmed_bytes",
                "Bytes of the log that could still be taken back, and are shown to nobody.",
                Math.max(0, store.end() - store.confirm()));
        out.counter(
                "gantry_log_damaged_places",
                "Places in old messages that have changed on disk, found since the start.",
                store.scrub().damageCount());
    }

    private static void disk(Meters out, BrokerView broker) {
        if (broker.store().space().totalBytes() > 0) {
            out.gauge(
                    "gantry_disk_free_bytes",
                    "Free bytes of the commit log's disk.",
                    broker.store().space().freeBytes());
            out.gauge(
                    "gantry_disk_size_bytes",
                    "Size of the commit log's disk.",
                    broker.store().space().totalBytes());
        }
        out.gauge(
                "gantry_store_fenced",
                "1 once the store has stepped aside because of its disk, and takes nothing until a restart.",
                broker.state() instanceof State.Fenced);
        Meters.Rows troubles = new Meters.Rows();
        for (Trouble.Kind kind : Trouble.Kind.values()) {
            boolean there = broker.troubles().stream().anyMatch(trouble -> trouble.kind() == kind);
            troubles.put(there ? 1 : 0, "kind", kind.name().toLowerCase(Locale.ROOT));
        }
        out.gauge("gantry_store_trouble", "1 while the store has this trouble, else 0.", troubles);
    }
}
