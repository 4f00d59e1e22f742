package gantry.server.node;

import gantry.base.Offload;
import gantry.control.nameserver.KeyValueShelf;
import gantry.server.config.StartRefused;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Keeps the nameserver's key-value configuration in one file.
///
/// For:   the seam `KeyValueShelf` in production.
/// Owner: the nameserver, which has at most one `save` under way.
/// Never: what stands in the text.
/// Holds: the file holds one whole text, the old one or the new one, whenever power fails.
final class FileShelf implements KeyValueShelf {
    private final Path file;
    private final @Nullable String kept;
    private final Offload offload;

    private FileShelf(Path file, @Nullable String kept, Offload offload) {
        this.file = file;
        this.kept = kept;
        this.offload = offload;
    }

    static FileShelf open(Path file, Offload offload) throws StartRefused {
        try {
            return new FileShelf(file, Files.readString(file), offload);
        } catch (NoSuchFileException e) {
            return new FileShelf(file, null, offload);
        } catch (IOException e) {
            throw new StartRefused(
                    "The key-value configuration " + file + " cannot be read: " + e.getMessage()
                            + ". Mend it, or move it away to start without.",
                    e);
        }
    }

    @Override
    public @Nullable String load() {
        return kept;
    }

    @Override
    public void save(String text, Consumer<@Nullable String> done) {
        offload.run(() -> done.accept(write(text)));
    }

    /// @return what is wrong, or null
    private @Nullable String write(String text) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            return file + " is not a file";
        }
        try {
            Files.createDirectories(folder);
            Path next = folder.resolve(file.getFileName() + ".next");
            try (FileChannel channel = FileChannel.open(
                    next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
                names.force(true);
            }
            return null;
        } catch (IOException e) {
            return "the key-value configuration cannot be kept in " + file + ": " + e.getMessage();
        }
    }
}
