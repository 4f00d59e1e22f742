package gantry.store;

import java.util.List;

/// What a start leaves to be made again while the store serves.
///
/// For:   handing it from recovery to `QueueRebuild`.
/// Owner: none (immutable).
///
/// @param queues whose entries below `to` are missing
/// @param to a place in the log; entries of records from there on are not missing
/// @param rule what their entries say
record Rebuild(List<ConsumeQueue> queues, long to, EntryRule rule) {
    static final Rebuild NOTHING = new Rebuild(List.of(), 0, gantry.wire.message.RecordView::tagsCode);
}
