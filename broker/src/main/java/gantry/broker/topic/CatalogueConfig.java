package gantry.broker.topic;

import gantry.base.Require;

/// How topics and groups come to be.
///
/// For:   the settings of `Catalogue`.
/// Owner: none (immutable).
/// Never: per-topic settings.
///
/// @param brokerName     also the name of a topic of this broker alone
/// @param clusterName    also the name of a topic that every broker of the cluster has
/// @param createTopics   whether a send to an unknown topic creates it (`autoCreateTopicEnable`)
/// @param createGroups   whether an unknown consumer group is created when it is first heard
///                       (`autoCreateSubscriptionGroup`)
/// @param defaultQueues  queues of a topic that a send creates, at most (`defaultTopicQueueNums`)
public record CatalogueConfig(
        String brokerName, String clusterName, boolean createTopics, boolean createGroups, int defaultQueues) {
    public CatalogueConfig {
        Require.that(!brokerName.isBlank(), "brokerName must not be empty");
        Require.that(!clusterName.isBlank(), "brokerClusterName must not be empty");
        Require.that(
                defaultQueues > 0 && defaultQueues <= 1024,
                "defaultTopicQueueNums is " + defaultQueues + ", it must be between 1 and 1024");
    }

    /// Whether every broker of this name has the topic by itself, as its own settings say: no fact need speak of it.
    public boolean isGiven(String topic) {
        return TopicNames.isSystem(topic) || topic.equals(brokerName) || topic.equals(clusterName);
    }
}
