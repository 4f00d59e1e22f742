package gantry.broker;

import gantry.store.Disk;
import gantry.store.FileId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// A disk whose syncs come back at once and on the same thread.
///
/// For:   tests with real files, in which everything is done when a call returns.
/// Owner: none (stateless).
public final class PromptDisk {
    private PromptDisk() {}

    public static Disk of(Disk disk) {
        return of(disk, new ArrayList<>());
    }

    /// @param locks gets what was locked: a test that gives it back has killed the process
    public static Disk of(Disk disk, List<Disk.Lock> locks) {
        return (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (self, method, args) -> {
                    if (method.getName().equals("sync")) {
                        @SuppressWarnings("unchecked") // the one signature of that name
                        Consumer<Disk.Done> done = (Consumer<Disk.Done>) args[1];
                        done.accept(disk.syncNow((FileId) args[0]));
                        return null;
                    }
                    try {
                        Object result = method.invoke(disk, args);
                        if (result instanceof Optional<?> found && found.orElse(null) instanceof Disk.Lock lock) {
                            locks.add(lock);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
