package gantry.sim.house;

import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network;
import gantry.sim.SimFailure;
import gantry.store.ConsumeQueue;
import gantry.store.Disk;
import gantry.store.DiskFailed;
import gantry.store.FileId;
import gantry.store.Store;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.message.Check;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Brokers that break one promise each, made from the honest one by lying to it or for it.
final class Flaws {
    private Flaws() {}

    /// Acknowledges before the write: a sync is reported as done when it has not begun, and never begins.
    static Lens acknowledgesBeforeTheSync() {
        return new Lens() {
            @Override
            public Disk disk(Disk real) {
                return new DiskLens(real) {
                    @Override
                    public void sync(FileId file, Consumer<Done> done) {
                        done.accept(isLog(file) ? Done.Ok.NOTHING : real.syncNow(file));
                    }
                };
            }
        };
    }

    /// Acknowledges before the write: what is written to the log stays in the process until the next write.
    static Lens acknowledgesBeforeTheWrite() {
        return new Lens() {
            @Override
            public Disk disk(Disk real) {
                return new LateDisk(real);
            }
        };
    }

    /// Says that the key index is written, and writes nothing of it.
    static Lens forgetsKeys() {
        return new Lens() {
            @Override
            public Disk disk(Disk real) {
                return new DiskLens(real) {
                    @Override
                    public Done write(FileId file, long position, ByteBuffer bytes) {
                        boolean index = file.path().startsWith("index/") && position >= 40;
                        return index ? new Done.Ok(bytes.remaining()) : real.write(file, position, bytes);
                    }
                };
            }
        };
    }

    private static final class LateDisk extends DiskLens {
        private Runnable late = () -> {};

        LateDisk(Disk real) {
            super(real);
        }

        @Override
        public Done write(FileId file, long position, ByteBuffer bytes) {
            if (!isLog(file)) {
                return real.write(file, position, bytes);
            }
            late.run();
            ByteBuffer copy = ByteBuffer.allocate(bytes.remaining())
                    .put(bytes.duplicate())
                    .flip();
            late = () -> real.write(file, position, copy);
            return new Done.Ok(copy.remaining());
        }
    }

    /// Uses a queue offset again: every start forgets the last message of the log, whose offset goes to the next one.
    static Lens usesAQueueOffsetAgain() {
        return new Lens() {
            @Override
            public Disk disk(Disk real) {
                forgetTheLastMessage(real);
                return real;
            }
        };
    }

    private static void forgetTheLastMessage(Disk disk) {
        try {
            for (Disk.FileEntry entry : disk.list("commitlog").reversed()) {
                FileId file = new FileId("commitlog/" + entry.name());
                long last = lastRecord(disk, file, (int) entry.bytes());
                if (last >= 0) {
                    disk.cut(file, last);
                    disk.syncNow(file);
                    return;
                }
            }
        } catch (DiskFailed e) {
            throw new SimFailure("the flaw could not be made", e);
        }
    }

    private static long lastRecord(Disk disk, FileId file, int bytes) {
        ByteBuffer content = ByteBuffer.allocate(bytes);
        disk.read(file, 0, content);
        RecordView view = new RecordView();
        long last = -1;
        for (int at = 0; view.wrap(content, at, bytes, true) == Check.OK; at += view.size()) {
            last = view.topic().equals(House.TOPIC) ? at : -1;
        }
        return last;
    }

    /// Shows what lies above `confirmOffset`: a pull at the end of its queue is answered with what the log has there.
    static Lens showsWhatIsNotConfirmed() {
        return new Lens() {
            @Override
            public Network network(Network real, Disk disk, Supplier<Store> store) {
                return new Network() {
                    @Override
                    public Listener listen(Endpoint here, Acceptor acceptor) throws ListenFailed {
                        return real.listen(here, link -> new EagerSession(link, acceptor.accept(link), disk, store));
                    }

                    @Override
                    public Link dial(Endpoint there, Acceptor acceptor) {
                        return real.dial(there, acceptor);
                    }
                };
            }
        };
    }

    private record EagerSession(Link link, Network.Session honest, Disk disk, Supplier<Store> store)
            implements Network.Session {
        @Override
        public void frame(ByteBuffer frame, int offset, int length) {
            Command command = Command.decode(frame, offset, length);
            byte[] record = command == null || command.code() != RequestCodes.PULL_MESSAGE ? null : find(command);
            if (command == null || record == null) {
                honest.frame(frame, offset, length);
                return;
            }
            long next = Long.parseLong(command.fieldOr(FieldNames.QUEUE_OFFSET, "")) + 1;
            byte[] answer = Command.answer(command, ResponseCodes.SUCCESS)
                    .with(FieldNames.NEXT_BEGIN_OFFSET, next)
                    .withBody(record)
                    .encode();
            link.send(answer, 0, answer.length);
        }

        @SuppressWarnings("ByteBufferBackingArray") // segmentOf gives buffers over arrays of their own
        private byte @Nullable [] find(Command pull) {
            String topic = pull.fieldOr(FieldNames.TOPIC, "");
            int queueId =
                    Integer.parseInt(pull.fieldOr(FieldNames.QUEUE_ID, "-1").replaceAll("[^0-9-]", "0"));
            ConsumeQueue queue = store.get().find(topic, queueId);
            if (queue == null || !pull.fieldOr(FieldNames.QUEUE_OFFSET, "").equals(Long.toString(queue.maxOffset()))) {
                return null;
            }
            RecordView view = new RecordView();
            long confirmed = store.get().confirmOffset();
            ByteBuffer segment = segmentOf(confirmed);
            int at = (int) (confirmed % Math.max(segment.limit(), 1));
            while (view.wrap(segment, at, segment.limit(), true) == Check.OK) {
                if (view.topic().equals(topic)
                        && view.queueId() == queueId
                        && view.queueOffset() == queue.maxOffset()) {
                    return Arrays.copyOfRange(segment.array(), at, at + view.size());
                }
                at += view.size();
            }
            return null;
        }

        private ByteBuffer segmentOf(long logOffset) {
            try {
                for (Disk.FileEntry entry : disk.list("commitlog")) {
                    long base = Long.parseLong(entry.name());
                    if (base <= logOffset && logOffset < base + entry.bytes()) {
                        ByteBuffer content = ByteBuffer.allocate((int) entry.bytes());
                        disk.read(new FileId("commitlog/" + entry.name()), 0, content);
                        return content.flip();
                    }
                }
                return ByteBuffer.allocate(0);
            } catch (DiskFailed e) {
                return ByteBuffer.allocate(0);
            }
        }

        @Override
        public void burstEnded() {
            honest.burstEnded();
        }

        @Override
        public void closed(String reason) {
            honest.closed(reason);
        }
    }
}
