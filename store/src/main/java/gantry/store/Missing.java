package gantry.store;

/// A part of a queue whose entries are being made again from the log.
///
/// For:   telling a consumer to ask again, instead of that there is nothing.
/// Owner: none (immutable).
///
/// @param from the first offset whose entry is not there yet
/// @param to the first offset behind, exclusive
record Missing(long from, long to) {
    static final Missing NOTHING = new Missing(-1, -1);

    boolean covers(long queueOffset) {
        return queueOffset >= from && queueOffset < to;
    }

    boolean isNothing() {
        return from < 0;
    }
}
