package gantry.store;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A disk in memory that loses power at a chosen operation.
///
/// For:   trying what the contract of `Disk` allows: un-synced writes that are lost, torn, or land in any
///        order; names that were not synced and are gone; a full or failing disk.
/// Owner: one test thread.
/// Never: real files.
final class FaultDisk implements Disk {
    private static final int SECTOR = 512;

    /// The power is gone; thrown by the operation at which it went, and by every one after it.
    static final class PowerCut extends Error {
        private static final long serialVersionUID = 1L;

        PowerCut() {
            super("power cut", null, false, false);
        }
    }

    /// A change of a file that no sync has covered yet; `bytes` is null for a change of length.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Change(long position, byte @Nullable [] bytes, long length) {}

    private static final class Content {
        /// Readers hold on to a mapping of it, so it is made once as large as it will get.
        byte[] now = new byte[0];

        byte[] synced = new byte[0];
        final List<Change> unsynced = new ArrayList<>();

        void apply(Change change) {
            now = applied(now, change);
            unsynced.add(change);
        }

        void sync(int changes) {
            for (Change change : unsynced.subList(0, changes)) {
                synced = applied(synced, change);
            }
            unsynced.subList(0, changes).clear();
        }

        private static byte[] applied(byte[] before, Change change) {
            if (change.bytes == null) {
                return change.length == before.length ? before : Arrays.copyOf(before, (int) change.length);
            }
            int end = (int) change.position + change.bytes.length;
            byte[] after = end > before.length ? Arrays.copyOf(before, end) : before;
            System.arraycopy(change.bytes, 0, after, (int) change.position, change.bytes.length);
            return after;
        }
    }

    private final TreeMap<String, Content> names = new TreeMap<>();
    private final TreeMap<String, Content> syncedNames = new TreeMap<>();
    private final ArrayDeque<Runnable> waitingSyncs = new ArrayDeque<>();
    private final List<String> poisoned = new ArrayList<>();
    private Predicate<FileId> failingReads = _ -> false;
    private boolean locked;
    private boolean dead;
    private boolean syncsWait;
    private long operations;
    private long cutAt = Long.MAX_VALUE;
    private int syncCount;
    private Space space = new Space(1L << 40, 1L << 39);
    private int joinedSyncs;
    private int closedMappings;
    private int aloneSyncs;
    private Duration stall = Duration.ZERO;
    private int writeCount;
    private String unreadable = "";
    private long unreadableFrom;
    private long unreadableTo;
    /// Reads of queue files so far.
    int queueReads;

    private Predicate<FileId> fullFor = file -> false;
    private Predicate<FileId> syncFailsFor = file -> false;

    /// The power goes at operation number `operation`, counted from now.
    void cutPowerAt(long operation) {
        cutAt = operations + operation;
    }

    boolean isDead() {
        return dead;
    }

    long operations() {
        return operations;
    }

    int syncCount() {
        return syncCount;
    }

    /// How often many files were synced together.
    int joinedSyncs() {
        return joinedSyncs;
    }

    /// How often somebody waited for the sync of one file or folder.
    int aloneSyncs() {
        return aloneSyncs;
    }

    int closedMappings() {
        return closedMappings;
    }

    /// From now on there is so much room, for whoever asks.
    void space(long totalBytes, long freeBytes) {
        space = new Space(totalBytes, freeBytes);
    }

    /// From now on syncs of many files together take so long.
    void stall(Duration time) {
        stall = time;
    }

    int writeCount() {
        return writeCount;
    }

    /// From now on `sync` is done when `runSyncs` is called.
    void letSyncsWait() {
        syncsWait = true;
    }

    int runSyncs() {
        int ran = 0;
        for (Runnable sync = waitingSyncs.poll(); sync != null; sync = waitingSyncs.poll()) {
            sync.run();
            ran++;
        }
        return ran;
    }

    /// Writes to these files put half of the bytes there and say that the disk is full.
    void fullFor(Predicate<FileId> files) {
        fullFor = files;
    }

    void failReadsOf(Predicate<FileId> files) {
        failingReads = files;
    }

    /// From now on the disk cannot read these bytes; a mapping still shows them, since a test cannot bear the signal.
    void failReads(String name, long from, long to) {
        unreadable = name;
        unreadableFrom = from;
        unreadableTo = to;
    }

    void failSyncsOf(Predicate<FileId> files) {
        syncFailsFor = files;
    }

    /// What is there after the process was killed, but the machine went on.
    FaultDisk afterKill() {
        FaultDisk next = new FaultDisk();
        Map<Content, Content> copies = new LinkedHashMap<>();
        names.forEach((name, content) -> next.names.put(name, copy(content, copies)));
        syncedNames.forEach((name, content) -> next.syncedNames.put(name, copy(content, copies)));
        return next;
    }

    private static Content copy(Content content, Map<Content, Content> copies) {
        return copies.computeIfAbsent(content, original -> {
            Content copy = new Content();
            copy.now = original.now.clone();
            copy.synced = original.synced.clone();
            copy.unsynced.addAll(original.unsynced);
            return copy;
        });
    }

    /// What is there after the machine lost power, as chance will have it.
    FaultDisk afterPowerLoss(RandomGenerator chance) {
        FaultDisk next = new FaultDisk();
        TreeSet<String> all = new TreeSet<>(names.keySet());
        all.addAll(syncedNames.keySet());
        Map<Content, byte[]> survived = new LinkedHashMap<>();
        for (String name : all) {
            Content before = syncedNames.get(name);
            Content after = names.get(name);
            Content kept = before == after || chance.nextBoolean() ? after : before;
            if (kept != null) {
                Content content = new Content();
                content.now = survived.computeIfAbsent(kept, lost -> afterPowerLoss(lost, chance))
                        .clone();
                content.synced = content.now.clone();
                next.names.put(name, content);
                next.syncedNames.put(name, content);
            }
        }
        // Renaming is one step: what had a name for certain, and was not deleted, still has one.
        names.forEach((name, content) -> {
            if (syncedNames.containsValue(content) && !survived.containsKey(content)) {
                Content kept = new Content();
                kept.now = afterPowerLoss(content, chance);
                kept.synced = kept.now.clone();
                survived.put(content, kept.now);
                next.names.put(name, kept);
                next.syncedNames.put(name, kept);
            }
        });
        return next;
    }

    private static byte[] afterPowerLoss(Content content, RandomGenerator chance) {
        byte[] bytes = content.synced.clone();
        List<Change> changes = content.unsynced;
        // Sometimes everything or nothing survives, else each change has its own fate.
        int mood = chance.nextInt(4);
        for (Change change : changes) {
            int fate = mood == 0 ? 0 : mood == 1 ? 1 : chance.nextInt(5);
            switch (fate) {
                case 0 -> {}
                case 1 -> bytes = Content.applied(bytes, change);
                default -> bytes = torn(bytes, change, fate, chance);
            }
        }
        return bytes;
    }

    private static byte[] torn(byte[] bytes, Change change, int fate, RandomGenerator chance) {
        if (change.bytes == null || change.bytes.length < 2) {
            return bytes;
        }
        int length = change.bytes.length;
        if (fate == 2) {
            byte[] prefix = Arrays.copyOf(change.bytes, chance.nextInt(1, length));
            return Content.applied(bytes, new Change(change.position, prefix, 0));
        }
        if (fate == 3) {
            int from = chance.nextInt(1, length);
            byte[] suffix = Arrays.copyOfRange(change.bytes, from, length);
            return Content.applied(bytes, new Change(change.position + from, suffix, 0));
        }
        byte[] after = bytes;
        for (int from = 0; from < length; ) {
            int to = (int) Math.min(length, ((change.position + from) / SECTOR + 1) * SECTOR - change.position);
            if (chance.nextBoolean()) {
                byte[] sector = Arrays.copyOfRange(change.bytes, from, to);
                after = Content.applied(after, new Change(change.position + from, sector, 0));
            }
            from = to;
        }
        return after;
    }

    byte[] bytes(String name) {
        return content(name).now.clone();
    }

    /// Changes a file behind everybody's back, durably.
    void overwrite(String name, long position, byte... bytes) {
        Content content = names.computeIfAbsent(name, _ -> new Content());
        syncedNames.put(name, content);
        content.apply(new Change(position, bytes, 0));
        content.sync(content.unsynced.size());
    }

    void setLength(String name, long length) {
        Content content = names.computeIfAbsent(name, _ -> new Content());
        syncedNames.put(name, content);
        content.apply(new Change(0, null, length));
        content.sync(content.unsynced.size());
    }

    void remove(String name) {
        names.remove(name);
        syncedNames.remove(name);
    }

    List<String> files() {
        return List.copyOf(names.keySet());
    }

    private Content content(String name) {
        Content content = names.get(name);
        if (content == null) {
            throw new IllegalStateException(name + " is not there, but " + names.keySet());
        }
        return content;
    }

    /// Counts an operation that changes something.
    private void operate() {
        if (dead || operations++ >= cutAt) {
            dead = true;
            throw new PowerCut();
        }
    }

    private void live() {
        if (dead) {
            throw new PowerCut();
        }
    }

    private Done.@Nullable Failed poison(FileId file) {
        return poisoned.contains(file.path())
                ? new Done.Failed(Done.Kind.POISONED, describe(file) + ": an earlier sync failed")
                : null;
    }

    private static Done missing(FileId file) {
        return new Done.Failed(Done.Kind.MISSING, "/store/" + file + ": there is no such file");
    }

    @Override
    public Done create(FileId file, long bytes) {
        Content content = names.computeIfAbsent(file.path(), _ -> new Content());
        operate();
        content.apply(new Change(0, null, bytes));
        return Done.Ok.NOTHING;
    }

    @Override
    public Done write(FileId file, long position, ByteBuffer bytes) {
        Content content = names.get(file.path());
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(bytes.position(), copy);
        Change change = new Change(position, copy, 0);
        if (content != null && !dead && operations == cutAt) {
            // The power may go while this very write is under way.
            content.apply(change);
        }
        operate();
        writeCount++;
        if (content == null) {
            return missing(file);
        }
        Done poison = poison(file);
        if (poison != null) {
            return poison;
        }
        if (fullFor.test(file)) {
            content.apply(new Change(position, Arrays.copyOf(copy, copy.length / 2), 0));
            return new Done.Failed(
                    Done.Kind.FULL,
                    describe(file) + ": writing " + copy.length + " bytes at " + position
                            + " failed: the disk is full");
        }
        content.apply(change);
        return new Done.Ok(copy.length);
    }

    @Override
    public void sync(FileId file, Consumer<Done> done) {
        live();
        if (syncsWait) {
            Content content = names.get(file.path());
            int covered = content == null ? 0 : content.unsynced.size();
            waitingSyncs.add(() -> done.accept(sync(file, covered)));
        } else {
            done.accept(syncNow(file));
        }
    }

    @Override
    public Done syncNow(FileId file) {
        aloneSyncs++;
        Content content = names.get(file.path());
        return sync(file, content == null ? 0 : content.unsynced.size());
    }

    private Done sync(FileId file, int covered) {
        operate();
        syncCount++;
        Content content = names.get(file.path());
        if (content == null) {
            return missing(file);
        }
        Done poison = poison(file);
        if (poison != null) {
            return poison;
        }
        if (syncFailsFor.test(file)) {
            poisoned.add(file.path());
            return new Done.Failed(Done.Kind.IO, describe(file) + ": syncing it failed: Input/output error");
        }
        content.sync(Math.min(covered, content.unsynced.size()));
        return Done.Ok.NOTHING;
    }

    /// One after the other, in an order that nobody may rely on; the power may go between any two.
    @Override
    public Done syncAll(Collection<FileId> files, Collection<String> folders, Duration limit) {
        live();
        joinedSyncs++;
        if (limit.compareTo(stall) < 0) {
            return new Done.Failed(Done.Kind.LATE, "/store: syncing has not come back in time");
        }
        List<FileId> backwards = new ArrayList<>(files);
        Collections.reverse(backwards);
        for (FileId file : backwards) {
            Content content = names.get(file.path());
            Done done = sync(file, content == null ? 0 : content.unsynced.size());
            if (done instanceof Done.Failed failed && failed.kind() != Done.Kind.MISSING) {
                return done;
            }
        }
        settle(new TreeSet<>(folders));
        return Done.Ok.NOTHING;
    }

    @Override
    public Done read(FileId file, long position, ByteBuffer into) {
        queueReads += file.path().startsWith("consumequeue/") ? 1 : 0;
        live();
        Content content = names.get(file.path());
        if (content == null) {
            return missing(file);
        }
        if (failingReads.test(file)) {
            return new Done.Failed(Done.Kind.IO, describe(file) + ": Input/output error");
        }
        int count = Math.clamp(content.now.length - position, 0, into.remaining());
        if (file.path().equals(unreadable) && position < unreadableTo && position + count > unreadableFrom) {
            return new Done.Failed(
                    Done.Kind.IO, describe(file) + ": reading at " + position + " failed: Input/output error");
        }
        into.put(content.now, (int) Math.min(position, content.now.length), count);
        return new Done.Ok(count);
    }

    @Override
    public Done cut(FileId file, long position) {
        Content content = names.get(file.path());
        if (content == null) {
            return missing(file);
        }
        int length = content.now.length;
        operate();
        content.unsynced.add(new Change(0, null, Math.min(position, length)));
        content.unsynced.add(new Change(0, null, length));
        // In place, because somebody may have it mapped.
        Arrays.fill(content.now, (int) Math.min(position, length), length, (byte) 0);
        return Done.Ok.NOTHING;
    }

    @Override
    public Mapping map(FileId file) throws DiskFailed {
        live();
        Content content = names.get(file.path());
        if (content == null) {
            throw new DiskFailed((Done.Failed) missing(file));
        }
        ByteBuffer bytes = ByteBuffer.wrap(content.now).asReadOnlyBuffer();
        return new Mapping() {
            @Override
            public ByteBuffer bytes() {
                return bytes;
            }

            @Override
            public void close() {
                closedMappings++;
            }
        };
    }

    @Override
    public Done rename(FileId from, FileId to) {
        Content content = names.get(from.path());
        if (content == null) {
            return missing(from);
        }
        operate();
        names.remove(from.path());
        names.put(to.path(), content);
        return Done.Ok.NOTHING;
    }

    @Override
    public Done delete(FileId file) {
        operate();
        names.remove(file.path());
        poisoned.remove(file.path());
        return Done.Ok.NOTHING;
    }

    /// Folders are there for as long as something is in them.
    @Override
    public Done deleteFolder(String folder) {
        operate();
        return Done.Ok.NOTHING;
    }

    @Override
    public Done syncFolder(String folder) {
        aloneSyncs++;
        settle(new TreeSet<>(List.of(folder)));
        return Done.Ok.NOTHING;
    }

    private void settle(Set<String> folders) {
        operate();
        syncedNames.keySet().removeIf(name -> folders.contains(folderOf(name)) && !names.containsKey(name));
        names.forEach((name, content) -> {
            if (folders.contains(folderOf(name))) {
                syncedNames.put(name, content);
            }
        });
    }

    private static String folderOf(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('/')));
    }

    @Override
    public Space space(String folder) {
        live();
        return space;
    }

    @Override
    public List<FileEntry> list(String folder) {
        live();
        String prefix = folder.isEmpty() ? "" : folder + "/";
        TreeMap<String, FileEntry> entries = new TreeMap<>();
        names.forEach((name, content) -> {
            if (name.startsWith(prefix)) {
                String rest = name.substring(prefix.length());
                int slash = rest.indexOf('/');
                String entry = slash < 0 ? rest : rest.substring(0, slash);
                entries.put(entry, new FileEntry(entry, slash < 0 ? content.now.length : 0, slash >= 0));
            }
        });
        return List.copyOf(entries.values());
    }

    @Override
    public Optional<Lock> lock() {
        live();
        if (locked) {
            return Optional.empty();
        }
        locked = true;
        return Optional.of(() -> locked = false);
    }

    @Override
    public String describe(FileId file) {
        return "/store/" + file;
    }
}
