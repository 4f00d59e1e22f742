package gantry.judges.court;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// One server and one judge of each client version, shared by all tests that break neither.
///
/// For:   few process starts; tests keep apart by topics and groups of their own (`unique`).
/// Owner: the test run; closed when it ends.
/// Never: for a test that kills.
///
/// With -Djudge.keep=true the servers' and clients' logs stay, below a `judges…` folder in the folder for
/// temporary files.
public final class Court implements AutoCloseable {
    private final Path folder;
    private final Map<ClientVersion, Judge> judges = new EnumMap<>(ClientVersion.class);
    private final AtomicInteger names = new AtomicInteger();
    private @Nullable Peer peer;

    private Court() {
        try {
            folder = Files.createTempDirectory("judges");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public synchronized Peer peer() throws IOException {
        if (peer == null) {
            peer = Peer.start("shared", folder, Peer.Flush.ASYNC);
        }
        return peer;
    }

    public synchronized Judge judge(ClientVersion version) throws IOException {
        Judge judge = judges.get(version);
        if (judge == null) {
            judge = Judge.start("shared-" + version, version, peer(), folder);
            judges.put(version, judge);
        }
        return judge;
    }

    /// A further process with a client, for a test that kills it.
    public Judge another(ClientVersion version, String... options) throws IOException {
        return Judge.start(unique("another-" + version), version, peer(), folder, options);
    }

    /// A name that nobody else uses.
    public String unique(String name) {
        return name + "-" + names.incrementAndGet();
    }

    @Override
    public void close() throws IOException {
        for (Judge judge : List.copyOf(judges.values())) {
            judge.close();
        }
        if (peer != null) {
            peer.close();
        }
        if (!Boolean.getBoolean("judge.keep")) {
            deleteTree(folder);
        }
    }

    private static void deleteTree(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /// Hands the one court to test classes that ask for it in their constructor.
    public static final class Resolver implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Court.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(Court.class))
                    .computeIfAbsent(Court.class, _ -> new Court(), Court.class);
        }
    }
}
