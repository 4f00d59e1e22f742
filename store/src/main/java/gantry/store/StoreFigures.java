package gantry.store;

/// Where a store stands, at one moment.
///
/// For:   metrics and health.
/// Owner: none (immutable).
/// Never: exact across its fields; they are read one after another.
///
/// @param begin   log offset of the oldest kept byte
/// @param end     log offset behind the last written byte
/// @param confirm below it nothing can be taken back
/// @param durable below it everything is on disk
/// @param indexed below it messages are found by key
/// @param space   of the disk of the commit log, as retention saw it last; `totalBytes` is 0 before it has looked
public record StoreFigures(
        long begin, long end, long confirm, long durable, long indexed, Disk.Space space, ScrubState scrub) {}
