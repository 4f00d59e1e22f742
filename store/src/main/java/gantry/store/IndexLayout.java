package gantry.store;

/// Where things stand in a file of the key index: RocketMQ's format since 3.0, unchanged in 5.5.
///
/// ```
///   0            8          16           24         32         36         40
///   ┌────────────┬──────────┬────────────┬──────────┬──────────┬──────────┬────────────────┬───────────────────┐
///   │ beginMillis│ endMillis│ beginOffset│ endOffset│ usedSlots│ nextEntry│ slots × int    │ entries × 20      │
///   └────────────┴──────────┴────────────┴──────────┴──────────┴──────────┴────────────────┴───────────────────┘
///
///   slot:   number of the newest entry of its chain, 0 for none         slot of a key = keyHash mod slots
///   entry:  0          4            12         16         20
///           ┌──────────┬────────────┬──────────┬──────────┐
///           │ keyHash  │ logOffset  │ seconds  │ previous │            number 0 is never used
///           └──────────┴────────────┴──────────┴──────────┘
/// ```
/// `seconds` counts from `beginMillis`; `previous` is the number of the chain's next older entry, 0 for none. An entry
/// never changes once it is written; chains go from new to old, so `previous` is always smaller than its own number.
///
/// For:   every place in a file that depends on the number of slots and entries.
/// Owner: none (immutable).
///
/// @param slots how many chains there are
/// @param entries how many entries have room, number 0 included
record IndexLayout(int slots, int entries) {
    static final String FOLDER = "index";

    static final int HEADER_BYTES = 40;
    static final int SLOT_BYTES = 4;
    static final int ENTRY_BYTES = 20;

    static final int ENTRY_LOG_OFFSET = 4;
    static final int ENTRY_SECONDS = 12;
    static final int ENTRY_PREVIOUS = 16;

    static long fileBytes(int slots, int entries) {
        return HEADER_BYTES + (long) SLOT_BYTES * slots + (long) ENTRY_BYTES * entries;
    }

    long fileBytes() {
        return fileBytes(slots, entries);
    }

    int slotOf(int keyHash) {
        return keyHash % slots;
    }

    long slotAt(int slot) {
        return HEADER_BYTES + (long) SLOT_BYTES * slot;
    }

    /// Where the slots end and entry 0 begins.
    long slotsEnd() {
        return HEADER_BYTES + (long) SLOT_BYTES * slots;
    }

    long entryAt(int number) {
        return slotsEnd() + (long) ENTRY_BYTES * number;
    }
}
