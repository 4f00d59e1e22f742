package gantry.bench.target;

/// The machine that both servers and the load share.
///
/// For:   telling how much of it went to something else while a figure was taken.
/// Owner: none (stateless).
public final class Machine {
    private Machine() {}

    public static double busySeconds() {
        return ProcessFigures.machineBusySeconds();
    }

    /// CPU seconds of this process, which is the load's.
    public static double ownSeconds() {
        return ProcessFigures.cpuSeconds(ProcessHandle.current().pid());
    }

    public static String describe() {
        return Runtime.getRuntime().availableProcessors() + " processors, " + System.getProperty("os.name") + " "
                + System.getProperty("os.version") + ", Java " + Runtime.version();
    }
}
