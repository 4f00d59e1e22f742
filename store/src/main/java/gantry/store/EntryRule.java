package gantry.store;

import gantry.wire.message.RecordView;

/// Says what the queue entry of a record carries beside its place.
///
/// For:   making entries again at recovery that differ from the code of the tag: those of delayed messages carry the
///        time at which they are due.
/// Owner: none (stateless).
public interface EntryRule {
    long tagsCode(RecordView record);
}
