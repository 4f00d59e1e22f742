package gantry.bench.load;

/// How a request's header is serialised.
///
/// For:   choosing between the two forms that every RocketMQ server reads.
/// Owner: none (immutable).
/// Never: answers; those say in their own frame what they are.
public enum Codec {
    /// What the official clients send unless told otherwise.
    JSON,
    /// The compact binary form.
    ROCKETMQ
}
