package gantry.server.node;

import gantry.server.config.StartRefused;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// The folder that one part of one process writes to: made, known to be writable, and locked.
///
/// For:   two processes never write to one folder, and the second one says who is the first.
/// Owner: the process; the lock goes with it, however it ends.
/// Never: what lies in the folder.
public final class DataFolder implements AutoCloseable {
    private static final int MOST_OWNER_BYTES = 200;

    private final Path path;
    private final FileChannel channel;

    private DataFolder(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /// @param part "broker" or "nameserver": the two may share a folder, two of a kind may not
    /// @param key the flag or key that names the folder, for the sentence
    public static DataFolder open(Path path, String part, String key) throws StartRefused {
        Path lockFile = path.resolve(part + ".lock");
        try {
            Files.createDirectories(path);
            FileChannel channel = FileChannel.open(
                    lockFile, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (lock(channel) == null) {
                String owner = owner(channel);
                channel.close();
                throw new StartRefused("The folder " + path + " is in use by " + owner
                        + ": stop that one first, or choose another folder with " + key + ".");
            }
            sign(channel, part);
            return new DataFolder(path, channel);
        } catch (IOException e) {
            throw new StartRefused(
                    "The folder " + path + " cannot be written to: " + reason(e) + ". Choose another with " + key + ".",
                    e);
        }
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // This very process has it.
            return null;
        }
    }

    private static void sign(FileChannel channel, String part) throws IOException {
        String text = "process " + ProcessHandle.current().pid() + " (" + part + ")\n";
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
    }

    private static String owner(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(MOST_OWNER_BYTES);
        channel.read(text, 0);
        String owner = new String(text.array(), 0, text.position(), StandardCharsets.UTF_8).strip();
        return owner.isEmpty() ? "another process" : owner;
    }

    private static String reason(IOException e) {
        if (e instanceof FileAlreadyExistsException exists) {
            return exists.getFile() + " is not a folder";
        }
        if (e instanceof AccessDeniedException denied) {
            return "user " + System.getProperty("user.name") + " has no permission for " + denied.getFile();
        }
        if (e instanceof FileSystemException other && other.getReason() != null) {
            return other.getFile() + ": " + other.getReason();
        }
        return String.valueOf(e.getMessage());
    }
}
