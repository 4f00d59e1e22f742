package gantry.client.produce;

/// Where a message is, once a broker has confirmed it.
///
/// For:   the result of a send.
/// Owner: none (immutable).
///
/// @param messageId       the name that it was given here
/// @param offsetMessageId where it lies: the broker's address and its place in the log
/// @param asSafeAsAsked   false when it is stored, but the broker could not make it as safe as it was told to
public record SendReceipt(
        String messageId,
        String offsetMessageId,
        String topic,
        String brokerName,
        int queueId,
        long queueOffset,
        boolean asSafeAsAsked) {}
