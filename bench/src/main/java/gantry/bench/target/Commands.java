package gantry.bench.target;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/// Starts processes and finds ports for them.
///
/// For:   what the kinds of servers have in common.
/// Owner: none (stateless).
final class Commands {
    private static final int FIRST_PORT = 20_000;
    private static final int LAST_PORT = 30_000;

    private Commands() {}

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /// @param output file in `folder` that takes what the process prints; ends in `.out`
    static Process start(List<String> command, Path folder, String output, Map<String, String> environment)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true);
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.redirectOutput(folder.resolve(output).toFile());
        return builder.start();
    }

    /// The first of `count` neighbouring ports that are all free on 127.0.0.1 just now.
    static int freePorts(int count) throws IOException {
        RandomGenerator random = RandomGenerator.getDefault();
        for (int tries = 0; tries < 200; tries++) {
            int first = random.nextInt(FIRST_PORT, LAST_PORT - count);
            if (areFree(first, count)) {
                return first;
            }
        }
        throw new IOException("no " + count + " neighbouring free ports between " + FIRST_PORT + " and " + LAST_PORT);
    }

    private static boolean areFree(int first, int count) {
        for (int port = first; port < first + count; port++) {
            try (ServerSocket probe = new ServerSocket()) {
                probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            } catch (IOException e) {
                return false;
            }
        }
        return true;
    }
}
