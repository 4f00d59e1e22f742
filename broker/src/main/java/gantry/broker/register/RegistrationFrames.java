package gantry.broker.register;

import gantry.base.Clock;
import gantry.broker.topic.Catalogue;
import gantry.wire.body.DataVersion;
import gantry.wire.body.Registration;
import gantry.wire.body.TopicConfig;
import gantry.wire.body.TopicTable;
import gantry.wire.frame.Codec;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FrameFlags;
import gantry.wire.frame.FrameWriter;
import gantry.wire.frame.RequestCodes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Writes what a broker says to nameservers.
///
/// For:   the frames 103, 104 and 904 with this broker's identity and topics in them.
/// Owner: none (reads what others publish).
/// Never: links.
final class RegistrationFrames {
    /// More deleted topics are not named one by one, to keep the header short: the whole table says it, too.
    static final int MOST_GONE = 64;

    private final RegistrationConfig config;
    private final Catalogue catalogue;
    private final Clock clock;
    private final LongSupplier epoch;

    /// @param epoch of the reign; 0 without one
    RegistrationFrames(RegistrationConfig config, Catalogue catalogue, Clock clock, LongSupplier epoch) {
        this.epoch = epoch;
        this.config = config;
        this.catalogue = catalogue;
        this.clock = clock;
    }

    long changes() {
        return catalogue.changes();
    }

    long nanos() {
        return clock.nanos();
    }

    /// Everything, or as Apache's brokers do only the topics that changed, when the nameserver knows the others.
    ///
    /// @param known what it knows, as a value of `changes()`; -1 for everything
    /// @param changes what it shall know
    byte[] registration(int correlationId, long known, long changes) {
        Optional<Catalogue.Changes> news = known < 0
                ? Optional.empty()
                : catalogue
                        .changedSince(known, changes)
                        .filter(few -> few.gone().size() <= MOST_GONE);
        Map<String, TopicConfig> topics = news.map(Catalogue.Changes::topics).orElseGet(catalogue::topicConfigs);
        byte[] body = new Registration(new TopicTable(version(changes), topics), List.of())
                .toJson()
                .getBytes(StandardCharsets.UTF_8);
        FrameWriter writer = begin(RequestCodes.REGISTER_BROKER, FrameFlags.REQUEST, correlationId);
        writer.field(FieldNames.HA_SERVER_ADDR, config.haAddress());
        writer.field(FieldNames.HEARTBEAT_TIMEOUT_MILLIS, config.promise().toMillis());
        writer.field(FieldNames.ENABLE_ACTING_MASTER, false);
        writer.field(FieldNames.COMPRESSED, false);
        // A follower may be behind: it never takes away a topic that its leader has told.
        if (news.isEmpty() && !config.follows()) {
            writer.field(FieldNames.GANTRY_WHOLE, true);
        } else if (news.isPresent() && !news.get().gone().isEmpty()) {
            writer.field(FieldNames.GANTRY_GONE, String.join(",", news.get().gone()));
        }
        writer.field(FieldNames.BODY_CRC32, Registration.checksum(body));
        writer.end(body);
        return taken(writer);
    }

    /// Of two processes with one name and id a nameserver takes the one with the higher state version: the newer reign,
    /// or without reigns the process that started later. So one that wakes up late takes nothing back.
    private DataVersion version(long changes) {
        DataVersion topics = catalogue.topicVersion(changes);
        long reign = epoch.getAsLong();
        return new DataVersion(
                reign > 0 ? reign : topics.timestampMillis(), topics.timestampMillis(), topics.counter());
    }

    byte[] heartbeat(int correlationId) {
        FrameWriter writer = begin(RequestCodes.BROKER_HEARTBEAT, FrameFlags.REQUEST, correlationId);
        writer.field(FieldNames.HEARTBEAT_TIMEOUT_MILLS, config.promise().toMillis());
        writer.end(0);
        return taken(writer);
    }

    byte[] withdrawal(int correlationId) {
        FrameWriter writer = begin(RequestCodes.UNREGISTER_BROKER, FrameFlags.REQUEST, correlationId);
        writer.end(0);
        return taken(writer);
    }

    private FrameWriter begin(int code, int flags, int correlationId) {
        FrameWriter writer = new FrameWriter();
        writer.begin(Codec.JSON, code, flags, correlationId);
        writer.field(FieldNames.BROKER_NAME, config.brokerName());
        writer.field(FieldNames.BROKER_ADDR, config.address());
        writer.field(FieldNames.CLUSTER_NAME, config.clusterName());
        writer.field(FieldNames.BROKER_ID, config.brokerId());
        return writer;
    }

    private static byte[] taken(FrameWriter writer) {
        return Arrays.copyOf(writer.bytes(), writer.size());
    }
}
