package gantry.judges.court;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What a server process holds at a moment, beside its messages.
///
/// For:   seeing what connections have left behind: sockets and other descriptors, threads, live objects by class.
/// Owner: none (immutable).
/// Never: bytes; they follow from the collector's moods, counts of live objects do not.
public record Footprint(int sockets, int otherFiles, int threads, Map<String, Long> liveObjects) {
    /// The objects that a connection could leave: ours, the network library's, buffers, threads.
    private static final String WATCHED =
            "(gantry|io\\.netty|org\\.apache\\.rocketmq|java\\.nio|sun\\.nio)\\..*|java\\.lang\\..*Thread";

    public static Footprint of(Peer peer) throws IOException {
        Path process = Path.of("/proc", Long.toString(peer.pid()));
        // First, because to ask opens a socket in the process.
        Map<String, Long> objects = liveObjects(peer.pid());
        int sockets = 0;
        int others = 0;
        try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
            for (Path descriptor : descriptors.toList()) {
                if (target(descriptor).startsWith("socket:")) {
                    sockets++;
                } else {
                    others++;
                }
            }
        }
        try (Stream<Path> threads = Files.list(process.resolve("task"))) {
            return new Footprint(sockets, others, (int) threads.count(), objects);
        }
    }

    /// How many sockets it has; cheap enough to ask often.
    public static long sockets(Peer peer) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc", Long.toString(peer.pid()), "fd"))) {
            return descriptors.filter(fd -> target(fd).startsWith("socket:")).count();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException _) {
            return "closed meanwhile";
        }
    }

    /// Runs a full collection in it, and counts.
    private static Map<String, Long> liveObjects(long pid) throws IOException {
        Process jcmd = new ProcessBuilder(
                        Places.java().resolveSibling("jcmd").toString(), Long.toString(pid), "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        Map<String, Long> objects = new TreeMap<>();
        try (BufferedReader in = jcmd.inputReader(UTF_8)) {
            for (String text = in.readLine(); text != null; text = in.readLine()) {
                // "  17:   1200   38400  io.netty.channel.DefaultChannelPipeline (module)"
                String[] words = text.strip().split("\\s+", -1);
                if (words.length >= 4 && words[0].endsWith(":") && words[3].matches(WATCHED)) {
                    objects.put(words[3], Long.parseLong(words[1]));
                }
            }
        }
        if (objects.isEmpty()) {
            throw new IOException("jcmd tells nothing of process " + pid);
        }
        return objects;
    }

    /// The classes that have at least `by` more objects than in `before`.
    public Map<String, Long> grownSince(Footprint before, long by) {
        Map<String, Long> grown = new TreeMap<>();
        liveObjects.forEach((type, count) -> {
            long more = count - before.liveObjects.getOrDefault(type, 0L);
            if (more >= by) {
                grown.put(type, more);
            }
        });
        return grown;
    }
}
