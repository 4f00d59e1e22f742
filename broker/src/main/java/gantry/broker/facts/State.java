package gantry.broker.facts;

import gantry.wire.body.DataVersion;
import gantry.wire.body.SubscriptionGroup;
import gantry.wire.body.TopicConfig;
import java.util.Map;
import java.util.SortedMap;

/// Everything that facts say, folded together, at one moment.
///
/// For:   what the exported files hold.
/// Owner: none (immutable).
/// Never: what only the log has: messages, and facts that are younger.
///
/// @param topicVersion grows with every change of a topic
/// @param version of everything else
/// @param topics by name
/// @param groups by name
/// @param offsets `topic@group` → queue → consumed offset
/// @param delay level → how far it has been delivered
public record State(
        DataVersion topicVersion,
        DataVersion version,
        Map<String, TopicConfig> topics,
        Map<String, SubscriptionGroup> groups,
        Map<String, SortedMap<Integer, Long>> offsets,
        SortedMap<Integer, Long> delay) {}
