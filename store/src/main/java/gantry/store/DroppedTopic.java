package gantry.store;

/// A topic that was dropped: what the log still has of it, and where a topic of that name goes on.
///
/// For:   telling the messages of a topic from those of an earlier one of the same name.
/// Owner: none (immutable).
///
/// @param logOffset messages of the topic below it are gone with it
/// @param begin the first queueOffset that a topic of that name may give, in every queue: the begin of a file that the
///              dropped topic never had
record DroppedTopic(String topic, long logOffset, long begin) {}
