package gantry.store;

import gantry.base.Notices;
import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A copy takes the store's place.
///
/// ```
///   gantryswitch:   gantry switch aside replaced-00000000000000012288-20261130081500123
///
///   (copy synced) ─▶ mark "aside": from here the copy is the log
///     aside: whatever lies in the store's place is the old one's ─▶ renamed into FOLDER, what is made from its log
/// deleted, folders synced
///   ─▶ mark "in"
///     in:    whatever lies in the copy ─▶ renamed into the store's place, folders synced
///   ─▶ mark deleted ─▶ what is left of the copy deleted
/// ```
/// In each of the two parts a file is where it was or where it goes, so each can be run again as often as it is
/// interrupted: `finish` does it, before anybody looks at the store.
///
/// For:   all of a copy or nothing, whenever the process or the power ends.
/// Owner: `SideStore`, and whoever opens the store; both hold its lock.
/// Never: deletes anything of the old log.
/// Holds: SWITCH-1 with the mark there is no way back, and the way on needs nothing but renames.
///
/// @param isAside whether old files are still in the store's place
/// @param folder for the old ones, once in the root and once in `commitlog`
record StoreSwitch(Disk disk, boolean isAside, String folder) {
    static final FileId FILE = new FileId("gantryswitch");

    private static final int MOST_BYTES = 256;
    private static final int TIME_DIGITS = 17;
    private static final Duration LONGEST_SYNC = Duration.ofMinutes(10);
    private static final Pattern TEXT =
            Pattern.compile("gantry switch (aside|in) ((?:replaced|kept)-[0-9]{20}-[0-9]{17})\\s*");
    private static final Pattern REPLACED = Pattern.compile(SideFiles.REPLACED + "[0-9]{20}-[0-9]{17}");

    /// What lies in the store's root and is told by its log; all of `config`, too.
    private static final List<FileId> ROOT_FILES = List.of(Checkpoint.FILE, QueueEnds.FILE, DroppedTopics.FILE);

    private static final String CONFIG = "config";

    /// What is made from the log.
    private static final List<String> MADE = List.of(QueueFiles.ROOT, IndexLayout.FOLDER, SealLayout.FOLDER);

    /// The copy is on disk. From here on it is the log.
    static StoreSwitch begin(Disk disk, StoreConfig config, boolean keepOld, long wallMillis) throws DiskFailed {
        long end = 0;
        for (FileEntry file : disk.list(Segments.FOLDER)) {
            end = Math.max(end, Names.offsetOf(file.name()) + 1);
        }
        long time = IndexFile.nameAt(wallMillis);
        String folder = nameOf(keepOld, Math.max(0, end - 1), time);
        while (!disk.list(folder).isEmpty()
                || !disk.list(Segments.FOLDER + "/" + folder).isEmpty()) {
            folder = nameOf(keepOld, Math.max(0, end - 1), ++time);
        }
        // The copy was not stopped cleanly: its end is looked at.
        SideFiles.check(new OpenMark(config.segmentBytes(), config.queueFileBytes()).leave(disk));
        StoreSwitch begun = new StoreSwitch(disk, true, folder);
        begun.leave();
        return begun;
    }

    private static String nameOf(boolean keepOld, long logOffset, long time) {
        String digits = Long.toString(time);
        return (keepOld ? SideFiles.KEPT : SideFiles.REPLACED) + Names.ofOffset(logOffset) + "-"
                + "0".repeat(Math.max(0, TIME_DIGITS - digits.length())) + digits;
    }

    /// Ends a switch that was interrupted, if there is one.
    static void finish(Disk disk, Notices notices) throws DiskFailed {
        StoreSwitch found = read(disk);
        if (found != null) {
            found.run(notices);
        }
    }

    /// @return null when none is under way
    static @Nullable StoreSwitch read(Disk disk) throws DiskFailed {
        ByteBuffer content = ByteBuffer.allocate(MOST_BYTES);
        if (disk.read(FILE, 0, content) instanceof Done.Failed failed) {
            if (failed.kind() == Done.Kind.MISSING) {
                return null;
            }
            throw new DiskFailed(failed);
        }
        Matcher matcher = TEXT.matcher(new String(content.array(), 0, content.position(), StandardCharsets.US_ASCII));
        if (!matcher.matches()) {
            throw new DiskFailed(new Done.Failed(
                    Done.Kind.IO,
                    disk.describe(FILE) + " does not say what it should: a copy was about to take the store's place."
                            + " Move that file away to go on with what lies in the store's folders now"));
        }
        return new StoreSwitch(disk, matcher.group(1).equals("aside"), matcher.group(2));
    }

    private void leave() throws DiskFailed {
        String text = "gantry switch " + (isAside ? "aside " : "in ") + folder + "\n";
        SideFiles.check(Export.overwrite(disk, FILE, text.getBytes(StandardCharsets.US_ASCII)));
    }

    void run(Notices notices) throws DiskFailed {
        if (isAside) {
            setAside();
            new StoreSwitch(disk, false, folder).leave();
        }
        bringIn();
        notices.warn("The leader's log was copied and is this member's from now on. What was here before is in "
                + disk.describe(new FileId(folder)) + " and "
                + disk.describe(new FileId(Segments.FOLDER + "/" + folder))
                + (folder.startsWith(SideFiles.KEPT)
                        ? ": it has messages that were confirmed and that the leader does not have. Look at them (gantry"
                                + " verify reads such a log when its files lie in a folder commitlog), then delete both folders."
                        : "; delete it when it is not needed: the next copy does if it needs the room."));
        SideFiles.check(disk.delete(FILE));
        SideFiles.check(disk.syncFolder(""));
        SideFiles.discard(disk);
    }

    private void setAside() throws DiskFailed {
        List<FileId> old = logFiles(Segments.FOLDER);
        Set<String> folders = new LinkedHashSet<>();
        for (FileId file : old) {
            move(file, new FileId(Segments.FOLDER + "/" + folder + "/" + file.name()), folders);
        }
        List<FileId> others = new ArrayList<>(SideFiles.tree(disk, CONFIG));
        others.addAll(ROOT_FILES);
        for (FileId file : SideFiles.tree(disk, SideFiles.ROOT)) {
            others.add(new FileId(file.path().substring(SideFiles.ROOT.length() + 1)));
        }
        for (FileId file : new LinkedHashSet<>(others)) {
            if (isThere(file)) {
                move(file, SideFiles.in(folder, file), folders);
            }
        }
        for (String made : MADE) {
            SideFiles.deleteTree(disk, made);
        }
        sync(folders);
    }

    private void bringIn() throws DiskFailed {
        Set<String> folders = new LinkedHashSet<>();
        for (FileId file : logFiles(SideFiles.LOG_FOLDER)) {
            move(file, new FileId(Segments.FOLDER + "/" + file.name()), folders);
        }
        for (FileId file : SideFiles.tree(disk, SideFiles.ROOT)) {
            move(file, new FileId(file.path().substring(SideFiles.ROOT.length() + 1)), folders);
        }
        sync(folders);
    }

    private List<FileId> logFiles(String in) throws DiskFailed {
        List<FileId> files = new ArrayList<>();
        for (FileEntry entry : disk.list(in)) {
            if (!entry.folder()) {
                files.add(new FileId(in + "/" + entry.name()));
            }
        }
        return files;
    }

    private boolean isThere(FileId file) throws DiskFailed {
        return disk.list(file.folder()).stream()
                .anyMatch(entry -> !entry.folder() && entry.name().equals(file.name()));
    }

    private void move(FileId from, FileId to, Set<String> folders) throws DiskFailed {
        SideFiles.check(disk.rename(from, to));
        folders.add(from.folder());
        folders.add(to.folder());
    }

    /// Also those in which an interrupted run has moved files.
    private void sync(Set<String> moved) throws DiskFailed {
        Set<String> folders = new LinkedHashSet<>(moved);
        for (String config : List.of("", "/" + CONFIG)) {
            folders.add(folder + config);
            folders.add(SideFiles.ROOT + config);
        }
        folders.addAll(List.of("", CONFIG, Segments.FOLDER, Segments.FOLDER + "/" + folder, SideFiles.LOG_FOLDER));
        SideFiles.check(disk.syncAll(List.of(), folders, LONGEST_SYNC));
    }

    /// Deletes the oldest log that was replaced, unless it is kept for an operator.
    ///
    /// @return whether there was one
    static boolean deleteReplaced(Disk disk, Notices notices) throws DiskFailed {
        boolean any = false;
        for (String root : List.of(Segments.FOLDER, "")) {
            for (FileEntry entry : disk.list(root)) {
                if (entry.folder() && REPLACED.matcher(entry.name()).matches()) {
                    String path = root.isEmpty() ? entry.name() : root + "/" + entry.name();
                    notices.info(disk.describe(new FileId(path)) + ", a log that was replaced by a copy, is deleted to"
                            + " make room for another copy.");
                    SideFiles.deleteTree(disk, path);
                    any = true;
                }
            }
        }
        return any;
    }
}
