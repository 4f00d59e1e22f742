package gantry.server.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Optional;

/// Where the secret of a replica group stands, and who else can read it.
///
/// For:   `ReplicaSettings`.
/// Owner: none (stateless).
/// Never: a secret in a sentence.
final class SecretFile {
    /// Whatever is longer is another file.
    private static final int MOST_BYTES = 4_096;

    private SecretFile() {}

    /// The secret, of the file or of the key; one of them is set.
    static byte[] secret(Values values) throws StartRefused {
        Optional<String> inline = values.find(ReplicaKeys.SECRET);
        Optional<Path> file = values.find(ReplicaKeys.SECRET_FILE);
        if (inline.isPresent() && file.isPresent()) {
            throw new StartRefused(
                    "replicaSecret and replicaSecretFile (" + values.source() + ") are both set: keep one of them.");
        }
        return file.isPresent() ? read(file.get()) : inline.orElseThrow().getBytes(StandardCharsets.UTF_8);
    }

    /// Says so when everybody on this machine can read the secret.
    static Optional<String> warning(Values values) throws StartRefused {
        Path file = values.find(ReplicaKeys.SECRET_FILE).orElse(Path.of(values.source()));
        if (!othersRead(file)) {
            return Optional.empty();
        }
        return Optional.of("everybody on this machine can read the replication secret in " + file
                + ". Make the file its owner's alone: chmod 600 " + file);
    }

    private static byte[] read(Path file) throws StartRefused {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new StartRefused(
                        "replicaSecretFile=" + file + " is larger than " + MOST_BYTES + " bytes, so it is no secret.");
            }
            byte[] all = Files.readAllBytes(file);
            int end = all.length;
            while (end > 0 && (all[end - 1] == '\n' || all[end - 1] == '\r')) {
                end--;
            }
            return Arrays.copyOf(all, end);
        } catch (NoSuchFileException e) {
            throw new StartRefused("There is no replicaSecretFile " + file + ".", e);
        } catch (IOException e) {
            throw new StartRefused("replicaSecretFile=" + file + " cannot be read: " + e.getMessage() + ".", e);
        }
    }

    private static boolean othersRead(Path file) {
        try {
            return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
        } catch (IOException | UnsupportedOperationException e) {
            // A flag, or a system without such permissions.
            return false;
        }
    }
}
