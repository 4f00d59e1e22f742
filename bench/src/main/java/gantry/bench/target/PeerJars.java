package gantry.bench.target;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The jars of Apache RocketMQ's servers, which are not part of Gantry.
///
/// For:   fetching them from Maven Central when somebody asks for the comparison.
/// Owner: the build's own module `judges/server-5.5.0`, which is built only with `-Papache`.
/// Never: a class path of ours.
final class PeerJars {
    static final String VERSION = "5.5.0";

    private static final String MODULE = "judges/server-" + VERSION;

    private PeerJars() {}

    /// @param home the folder that holds the launcher
    /// @return the folder with the jars
    static Path find(Path home) throws IOException, StartFailed {
        Path lib = home.resolve(MODULE).resolve("target").resolve("lib");
        Path broker = lib.resolve("rocketmq-broker-" + VERSION + ".jar");
        if (!Files.exists(broker)) {
            fetch(home);
        }
        if (!Files.exists(broker)) {
            throw new StartFailed("the build of " + MODULE + " has not brought " + broker);
        }
        return lib;
    }

    private static void fetch(Path home) throws IOException, StartFailed {
        String maven = System.getenv().getOrDefault("GANTRY_MAVEN", "mvn");
        List<String> command = List.of(maven, "-q", "-B", "-Papache", "-pl", MODULE, "generate-test-resources");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(home.toFile()).inheritIO();
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        System.err.println("bench: fetching Apache RocketMQ " + VERSION + " with Maven (about 95 MB, once)");
        try {
            if (builder.start().waitFor() != 0) {
                throw new StartFailed("Apache RocketMQ " + VERSION + " could not be fetched: in " + home + ", \""
                        + String.join(" ", command) + "\" failed. \"--only gantry\" measures without it.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartFailed("interrupted while Maven fetched Apache RocketMQ");
        }
    }
}
