package gantry.broker.append;

import gantry.base.Pool;
import gantry.store.AppendBatch;
import gantry.store.ConsumeQueue;
import gantry.store.Refusal;
import gantry.store.Store;
import gantry.wire.message.RecordDraft;
import gantry.wire.message.RecordHost;
import gantry.wire.message.RecordWriter;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Appends single records.
///
/// For:   what the broker itself writes.
/// Owner: none (the store orders appends); safe from any thread.
/// Never: the messages of clients' sends, which go in bursts.
public final class RecordAppender {
    /// Batches kept for the next record.
    private static final int MOST_IDLE = 64;

    private static final int MOST_RECORD_BYTES = 8 * 1024 * 1024;

    private final Store store;
    private final RecordHost storeHost;
    private final Pool<Entry> pool = new Pool<>(MOST_IDLE, Entry::new);

    public RecordAppender(Store store, RecordHost storeHost) {
        this.store = store;
        this.storeHost = storeHost;
    }

    /// @param fill sets the parts of a clean draft; both hosts are the broker's unless it says otherwise
    public void append(ConsumeQueue queue, long tagsCode, Consumer<RecordDraft> fill, Outcome outcome) {
        pool.borrow().append(queue, tagsCode, false, fill, outcome);
    }

    /// As above, for what must go on while the disk is full: the store keeps room for it.
    public void appendOwnState(ConsumeQueue queue, long tagsCode, Consumer<RecordDraft> fill, Outcome outcome) {
        pool.borrow().append(queue, tagsCode, true, fill, outcome);
    }

    private final class Entry implements AppendBatch.Listener {
        private final AppendBatch batch = new AppendBatch(this, MOST_RECORD_BYTES);
        private final RecordDraft draft = store.draft();
        private Outcome outcome = Outcome.IGNORED;

        void append(ConsumeQueue queue, long tagsCode, boolean ownState, Consumer<RecordDraft> fill, Outcome told) {
            outcome = told;
            draft.clear().queueId(queue.queueId()).bornHost(storeHost).storeHost(storeHost);
            fill.accept(draft);
            batch.reset();
            batch.usesReserve(ownState);
            long needed = RecordWriter.sizeOf(draft);
            if (needed > MOST_RECORD_BYTES || !batch.room((int) needed)) {
                finish(new Refusal(
                        Refusal.Kind.TOO_LARGE, "a record of " + needed + " bytes is larger than is stored"));
                return;
            }
            int start = batch.staging().position();
            int size = RecordWriter.write(batch.staging(), draft);
            if (size < 0) {
                finish(new Refusal(
                        Refusal.Kind.TOO_LARGE, "the topic name or the properties of a record are too long"));
                return;
            }
            batch.add(queue, start, size, tagsCode, false);
            store.append(batch);
        }

        @Override
        public void written(AppendBatch b) {}

        @Override
        public void confirmed(AppendBatch b) {
            finish(null);
        }

        /// The record is in the log, but nobody may be told so yet.
        @Override
        public void late(AppendBatch b) {
            finish(new Refusal(
                    Refusal.Kind.LATE,
                    "it is in the commit log, and the disk or the other members have not confirmed it in time"));
        }

        @Override
        public void refused(AppendBatch b, Refusal why) {
            finish(why);
        }

        private void finish(@Nullable Refusal refusal) {
            Outcome told = outcome;
            outcome = Outcome.IGNORED;
            pool.giveBack(this);
            told.done(refusal);
        }
    }
}
