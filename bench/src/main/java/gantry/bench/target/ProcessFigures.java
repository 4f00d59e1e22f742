package gantry.bench.target;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What the kernel says about one process.
///
/// For:   CPU time and memory without asking the process itself.
/// Owner: none (stateless).
/// Never: fails because a process has just ended; it then counts as nothing.
final class ProcessFigures {
    /// The unit of times in /proc/PID/stat on every Linux that Java runs on.
    private static final double TICKS_PER_SECOND = 100;

    private static final int UTIME = 11;
    private static final int FIELDS_NEEDED = 15;
    private static final Path PROC = Path.of("/proc");

    private ProcessFigures() {}

    /// User and system time of all its threads, and of children that it has waited for (a launcher's own helpers).
    static double cpuSeconds(long pid) {
        String stat = read(PROC.resolve(pid + "/stat"));
        // The second field is the command in brackets and may hold blanks; count from its end.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
        if (fields.length < FIELDS_NEEDED) {
            return 0;
        }
        long ticks = 0;
        for (int i = UTIME; i < FIELDS_NEEDED; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return ticks / TICKS_PER_SECOND;
    }

    /// A size in KiB from /proc/PID/status, such as `VmHWM` or `RssAnon`.
    static long kibibytes(long pid, String field) {
        for (String line : read(PROC.resolve(pid + "/status")).lines().toList()) {
            if (line.startsWith(field + ":")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return 0;
    }

    /// CPU seconds that the whole machine has spent busy since it started, all processes and the kernel together.
    static double machineBusySeconds() {
        List<String> lines = read(PROC.resolve("stat")).lines().toList();
        if (lines.isEmpty()) {
            return 0;
        }
        String[] fields = lines.get(0).strip().split(" +");
        long ticks = 0;
        // cpu user nice system idle iowait irq softirq steal
        for (int i = 1; i < Math.min(fields.length, 9); i++) {
            if (i != 4 && i != 5) {
                ticks += Long.parseLong(fields[i]);
            }
        }
        return ticks / TICKS_PER_SECOND;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
