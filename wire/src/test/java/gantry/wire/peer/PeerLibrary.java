package gantry.wire.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The official library of one version, reached by reflection.
///
/// For:   letting the originals encode what we decode, and the reverse.
/// Owner: none (immutable; its classes are loaded once per test process).
/// Never: on the class path of anything.
public final class PeerLibrary {
    public static final PeerLibrary V4 = new PeerLibrary("4.9.8");
    public static final PeerLibrary V5 = new PeerLibrary("5.5.0");

    private static final List<String> PACKAGES = List.of(
            "org.apache.rocketmq.remoting.protocol.",
            "org.apache.rocketmq.remoting.protocol.header.",
            "org.apache.rocketmq.remoting.protocol.body.",
            "org.apache.rocketmq.remoting.protocol.heartbeat.",
            "org.apache.rocketmq.remoting.protocol.route.",
            "org.apache.rocketmq.remoting.protocol.subscription.",
            "org.apache.rocketmq.remoting.protocol.statictopic.",
            "org.apache.rocketmq.remoting.",
            "org.apache.rocketmq.common.protocol.",
            "org.apache.rocketmq.common.protocol.header.",
            "org.apache.rocketmq.common.protocol.body.",
            "org.apache.rocketmq.common.protocol.heartbeat.",
            "org.apache.rocketmq.common.protocol.route.",
            "org.apache.rocketmq.common.subscription.",
            "org.apache.rocketmq.common.message.",
            "org.apache.rocketmq.common.sysflag.",
            "org.apache.rocketmq.common.");

    private final String version;
    private final List<Path> jars;
    private final ClassLoader loader;

    private PeerLibrary(String version) {
        this.version = version;
        Path folder = Path.of("..", "judges", "client-" + version, "target", "lib");
        try (Stream<Path> all = Files.list(folder)) {
            jars = all.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("no official client in " + folder + ": build with -am", e);
        }
        URL[] urls = jars.stream().map(PeerLibrary::url).toArray(URL[]::new);
        loader = new URLClassLoader("peer-" + version, urls, ClassLoader.getPlatformClassLoader());
    }

    /// Both versions, for parameters of tests.
    public static Stream<PeerLibrary> all() {
        return Stream.of(V4, V5);
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String version() {
        return version;
    }

    /// The class of that simple name, in whichever package this version has it, or of that full name.
    public Class<?> type(String name) {
        if (name.indexOf('.') > 0) {
            return Objects.requireNonNull(load(name), name);
        }
        for (String prefix : PACKAGES) {
            Class<?> found = load(prefix + name);
            if (found != null) {
                return found;
            }
        }
        throw new IllegalArgumentException("no class " + name + " in " + version);
    }

    public boolean has(String name) {
        return PACKAGES.stream().anyMatch(prefix -> load(prefix + name) != null);
    }

    private @Nullable Class<?> load(String name) {
        try {
            return Class.forName(name, true, loader);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    /// The full names of all classes of one jar that start with `prefix`.
    public List<String> classNames(String jarPrefix, String prefix) throws IOException {
        Path jar = jars.stream()
                .filter(file -> file.getFileName().toString().startsWith(jarPrefix))
                .findFirst()
                .orElseThrow();
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.endsWith(".class"))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .filter(name -> name.startsWith(prefix))
                    .sorted()
                    .toList();
        }
    }

    public Object make(String type, @Nullable Object... arguments) {
        for (Constructor<?> each : type(type).getConstructors()) {
            if (takes(each, arguments)) {
                return Objects.requireNonNull(invoke(() -> each.newInstance(arguments), type));
            }
        }
        throw new IllegalArgumentException("no such constructor of " + type + " in " + version);
    }

    /// The constant of that name of an enum.
    public Object constant(String type, String name) {
        for (Object each : Objects.requireNonNull(type(type).getEnumConstants(), type)) {
            if (each.toString().equals(name)) {
                return each;
            }
        }
        throw new IllegalArgumentException("no constant " + name + " of " + type + " in " + version);
    }

    public @Nullable Object callStatic(String type, String method, @Nullable Object... arguments) {
        return find(type(type), method, arguments, null);
    }

    /// What a static method returns that always returns something.
    public Object makeBy(String type, String method, @Nullable Object... arguments) {
        return Objects.requireNonNull(callStatic(type, method, arguments), method);
    }

    public static @Nullable Object call(Object target, String method, @Nullable Object... arguments) {
        return find(target.getClass(), method, arguments, target);
    }

    private static @Nullable Object find(
            Class<?> type, String method, @Nullable Object[] arguments, @Nullable Object target) {
        for (Method each : type.getMethods()) {
            boolean isStatic = Modifier.isStatic(each.getModifiers());
            if (each.getName().equals(method) && !each.isBridge() && isStatic == (target == null)) {
                if (takes(each, arguments)) {
                    return invoke(() -> each.invoke(target, arguments), method);
                }
            }
        }
        throw new IllegalArgumentException("no such method " + method + " of " + type);
    }

    private static boolean takes(Executable executable, @Nullable Object[] arguments) {
        Class<?>[] types = executable.getParameterTypes();
        if (types.length != arguments.length) {
            return false;
        }
        for (int i = 0; i < types.length; i++) {
            Object argument = arguments[i];
            if (argument == null ? types[i].isPrimitive() : !boxed(types[i]).isInstance(argument)) {
                return false;
            }
        }
        return true;
    }

    private static Class<?> boxed(Class<?> type) {
        return MethodType.methodType(type).wrap().returnType();
    }

    private interface Reflection {
        @Nullable
        Object run() throws ReflectiveOperationException;
    }

    private static @Nullable Object invoke(Reflection reflection, String what) {
        try {
            return reflection.run();
        } catch (InvocationTargetException e) {
            throw new PeerFailure(what + " of the official library failed", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(what, e);
        }
    }

    /// The official library threw.
    public static final class PeerFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        PeerFailure(String sentence, @Nullable Throwable cause) {
            super(sentence, cause);
        }
    }

    @Override
    public String toString() {
        return version;
    }
}
