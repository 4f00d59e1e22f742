package gantry.store.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// `syncfs`: makes everything durable that was written to one file system.
///
/// For:   making tens of thousands of files durable with one call instead of as many journal commits.
/// Owner: `ManySyncs`; safe from any thread.
/// Never: used where its answer cannot be believed; then there is none, and every file gets its own fsync.
///
/// What its answer means. Since Linux 5.8 `syncfs` tells of any write-back that failed on the file system since
/// this descriptor was opened or last asked, so the descriptor is opened before the first write and kept. That
/// is more than an fsync tells: a file whose handle was closed, and whose failed pages the kernel has forgotten
/// since, is covered too. It is told once for each descriptor, so two calls must not overlap: the second could
/// be told that all is well. An error that nobody has been told of yet is told to the first call even if it is
/// older than the descriptor; that is why the first call may answer "ask each file". Which file it was is never
/// told, so a later error poisons all. Before 5.8, on overlayfs (errors of the layer below do not come up) and
/// on network file systems none of that holds.
final class WholeSync {
    private static final Set<String> BELIEVED = Set.of("ext4", "xfs", "btrfs");
    private static final int FIRST_MAJOR = 5;
    private static final int FIRST_MINOR = 8;

    /// O_RDONLY | O_CLOEXEC, the same on all of Linux's architectures that Java runs on.
    private static final int OPEN_FLAGS = 0x80000;

    private static final StructLayout ERRNO = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO_VALUE = ERRNO.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private final MethodHandle syncfs;
    private final MethodHandle close;
    private final Path folder;
    private final Object device;
    private final int descriptor;
    private final ReentrantLock asking = new ReentrantLock();
    private boolean asked;
    private boolean closed;

    private WholeSync(MethodHandle syncfs, MethodHandle close, Path folder, Object device, int descriptor) {
        this.syncfs = syncfs;
        this.close = close;
        this.folder = folder;
        this.device = device;
        this.descriptor = descriptor;
    }

    /// @return null where there is no `syncfs` that could be believed
    static @Nullable WholeSync open(Path folder) {
        try {
            if (!isLinuxThatTells(System.getProperty("os.name", ""), System.getProperty("os.version", ""))
                    || !BELIEVED.contains(Files.getFileStore(folder).type())) {
                return null;
            }
            Object device = Files.getAttribute(folder, "unix:dev");
            MethodHandle open = function("open", Linker.Option.firstVariadicArg(2), ValueLayout.ADDRESS);
            int descriptor;
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment path = arena.allocateFrom(folder.toString());
                descriptor = (int) open.invokeExact(arena.allocate(ERRNO), path, OPEN_FLAGS);
            }
            return descriptor < 0
                    ? null
                    : new WholeSync(
                            function("syncfs", null, null), function("close", null, null), folder, device, descriptor);
        } catch (IOException | UnsupportedOperationException | IllegalCallerException e) {
            return null;
        } catch (Throwable e) {
            throw new LinkageError("open cannot be called", e);
        }
    }

    static boolean isLinuxThatTells(String system, String version) {
        String[] parts = version.split("[.-]", 3);
        if (!system.equals("Linux") || parts.length < 2) {
            return false;
        }
        try {
            int major = Integer.parseInt(parts[0]);
            return major > FIRST_MAJOR || (major == FIRST_MAJOR && Integer.parseInt(parts[1]) >= FIRST_MINOR);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /// A function `int name(… int)` of the C library.
    @SuppressWarnings(
            "restricted") // there is no other door to syncfs; both functions are called as POSIX declares them
    private static MethodHandle function(
            String name, Linker.@Nullable Option option, @Nullable MemoryLayout firstArgument) {
        Linker linker = Linker.nativeLinker();
        MemorySegment address = linker.defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsupportedOperationException("no " + name + " in the C library"));
        FunctionDescriptor descriptor = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
        if (firstArgument != null) {
            descriptor = descriptor.insertArgumentLayouts(0, firstArgument);
        }
        Linker.Option errno = Linker.Option.captureCallState("errno");
        return option == null
                ? linker.downcallHandle(address, descriptor, errno)
                : linker.downcallHandle(address, descriptor, errno, option);
    }

    /// Whether a file or folder lies on this file system; it costs a look at it, because a folder of the store
    /// may be a mount or a link of its own.
    boolean covers(Path path) {
        try {
            return Files.getAttribute(path, "unix:dev").equals(device);
        } catch (IOException e) {
            return false;
        }
    }

    /// Waits until everything is durable.
    ///
    /// @return false when only asking each file will tell
    /// @throws IOException when something written since the last call was lost
    boolean sync() throws IOException {
        boolean first;
        int errno;
        asking.lock();
        try {
            if (closed) {
                throw new IOException("the disk is closed already");
            }
            first = !asked;
            asked = true;
            errno = call(syncfs);
        } finally {
            asking.unlock();
        }
        if (errno != 0 && !first) {
            throw new IOException("syncfs answered error " + errno + (errno == 28 ? " (no space left)" : "")
                    + ": bytes of some file on this file system were lost");
        }
        return errno == 0;
    }

    /// While a call hangs the descriptor stays open; the end of the process closes it.
    void close() {
        if (asking.tryLock()) {
            try {
                if (!closed) {
                    closed = true;
                    int _ = call(close);
                }
            } finally {
                asking.unlock();
            }
        }
    }

    /// @return 0, or errno
    private int call(MethodHandle function) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(ERRNO);
            int answer = (int) function.invokeExact(state, descriptor);
            return answer == 0 ? 0 : (int) ERRNO_VALUE.get(state, 0L);
        } catch (Throwable e) {
            throw new LinkageError("the C library cannot be called for " + folder, e);
        }
    }
}
