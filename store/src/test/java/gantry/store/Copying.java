package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A member of a group in a test: a store with an owner that does what it is told to.
///
/// For:   feeding one store from another.
/// Owner: one test thread.
final class Copying implements LogOwner {
    final FaultDisk disk;
    final Rig rig;
    final MemberLog log;
    int readables;

    Copying(FaultDisk disk, StoreConfig config) throws OpenFailed {
        this.disk = disk;
        this.rig = new Rig(disk, config.withConfirmation(Confirmation.BY_OWNER));
        this.log = rig.store.ownedBy(this);
    }

    Copying leads() {
        log.submitAlways(log::lead);
        return this;
    }

    LogPiece read(long from, long to, int maxBytes) {
        LogPiece[] piece = new LogPiece[1];
        log.submitAlways(() -> piece[0] = log.read(from, to, maxBytes));
        return piece[0];
    }

    /// The bytes, however often they have to be asked for.
    byte[] bytes(long from, long to, int maxBytes) {
        for (int i = 0; i < 3; i++) {
            if (read(from, to, maxBytes) instanceof LogPiece.Whole whole) {
                byte[] copy = new byte[whole.bytes().remaining()];
                whole.bytes().get(whole.bytes().position(), copy);
                return copy;
            }
        }
        throw new AssertionError("not readable: " + read(from, to, maxBytes));
    }

    Copied copy(long offset, byte[] bytes) {
        Copied[] copied = new Copied[1];
        log.submitAlways(() -> copied[0] = log.copy(offset, ByteBuffer.wrap(bytes)));
        return copied[0];
    }

    void confirm(long offset) {
        log.submitAlways(() -> log.confirm(offset));
    }

    /// Takes everything that a leader has.
    void follow(Copying leader, int maxBytes) {
        while (log.end() < leader.log.end()) {
            Copied copied = copy(log.end(), leader.bytes(log.end(), leader.log.end(), maxBytes));
            assertThat(copied.isWhole()).as("%s", copied).isTrue();
        }
        confirm(leader.log.confirmOffset());
    }

    /// What is in the log, and in the queue files.
    static Map<String, List<Byte>> files(FaultDisk disk, String folder) {
        Map<String, List<Byte>> all = new TreeMap<>();
        for (String name : disk.files()) {
            if (name.startsWith(folder + "/")) {
                byte[] bytes = disk.bytes(name);
                int end = bytes.length;
                while (end > 0 && bytes[end - 1] == 0) {
                    end--;
                }
                List<Byte> content = new ArrayList<>();
                for (int i = 0; i < end; i++) {
                    content.add(bytes[i]);
                }
                if (end > 0) {
                    all.put(name, content);
                }
            }
        }
        return all;
    }

    @Override
    public void appended(long end) {}

    @Override
    public void durable(long end) {}

    @Override
    public void readable() {
        readables++;
    }

    @Override
    public void tick(long nowNanos) {}
}
