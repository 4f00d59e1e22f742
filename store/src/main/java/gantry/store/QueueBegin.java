package gantry.store;

import gantry.store.Disk.Done;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Lets a queue without messages begin in the middle.
///
/// ```
///   file:  │ filler │ filler │ … │ filler │ first entry │
///          └─ offsets that others have given ─┘
/// ```
/// For:   a log whose older messages somebody else has had.
/// Owner: the log sequencer; waits for no sync.
/// Never: touches a queue that has entries.
record QueueBegin(Disk disk, ConsumeQueue queue, Begun begun) {
    /// Told that a file has been made, and that everything in it is a filler.
    interface Begun {
        /// @param given how many offsets the queue now counts as its own
        void begun(ConsumeQueue queue, long given);
    }

    /// A queue that claims to have given more is not believed.
    private static final long MOST_GIVEN = 1L << 40;

    /// @return what went wrong; null when the next message gets `queueOffset`
    @Nullable
    String at(long queueOffset) {
        if (queueOffset > MOST_GIVEN) {
            return "queue " + queue + " would begin at " + queueOffset + ", where " + MOST_GIVEN + " are believed";
        }
        FileId file = queue.files.fileOf(queueOffset);
        Done done = disk.create(file, queue.files.fileBytes());
        ByteBuffer fillers = ByteBuffer.allocate((int) queue.files.positionOf(queueOffset));
        while (fillers.hasRemaining()) {
            fillers.putLong(0).putInt(QueueFiles.FILLER_SIZE).putLong(0);
        }
        done = done.isOk() ? disk.write(file, 0, fillers.flip()) : done;
        if (done instanceof Done.Failed failed) {
            return "queue " + queue + " could not be made: " + failed.sentence();
        }
        queue.recover(queueOffset, queueOffset);
        begun.begun(queue, queueOffset);
        return null;
    }
}
