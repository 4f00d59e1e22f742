package gantry.server.node;

import gantry.base.Sequencer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends the process when our own state can no longer be trusted.
///
/// For:   nothing wrong is stored or answered after a fault of ours; the next start recovers from what is on disk.
/// Owner: none (stateless); it is the last thing that runs.
/// Never: stops anything in order: an orderly stop would write the state that is not to be trusted.
final class FaultsEndProcess implements Sequencer.Faults {
    private static final Logger LOG = LoggerFactory.getLogger(FaultsEndProcess.class);

    private final Logs logs;

    FaultsEndProcess(Logs logs) {
        this.logs = logs;
    }

    @Override
    public void broken(String sequencer, Throwable cause) {
        try {
            Path dump = writeDump(sequencer, cause);
            LOG.error("a fault of this program in \"{}\" ends it; the dump is {}", sequencer, dump, cause);
            System.err.println("gantry: a fault of this program in \"" + sequencer + "\" (" + cause
                    + ") ends it before it can do harm; " + dump + " says more, and the next start recovers.");
            logs.close();
        } finally {
            Runtime.getRuntime().halt(ExitCode.FAULT.number());
        }
    }

    private Path writeDump(String sequencer, Throwable cause) {
        Path file = logs.folder().resolve("fault-" + ProcessHandle.current().pid() + ".txt");
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        out.println("fault in \"" + sequencer + "\"");
        cause.printStackTrace(out);
        for (Map.Entry<Thread, StackTraceElement[]> entry :
                Thread.getAllStackTraces().entrySet()) {
            out.println();
            out.println(entry.getKey());
            for (StackTraceElement frame : entry.getValue()) {
                out.println("    " + frame);
            }
        }
        try {
            Files.writeString(file, text.toString());
        } catch (IOException e) {
            LOG.error("the dump {} cannot be written", file, e);
        }
        return file;
    }
}
