package gantry.server;

import gantry.broker.delay.DelayLevels;
import gantry.net.SystemClock;
import gantry.server.verify.ProgressLine;
import gantry.server.verify.ReportView;
import gantry.store.OpenFailed;
import gantry.store.StoreVerifier;
import gantry.store.StoreVerifier.Repair;
import gantry.store.VerifyReport;
import gantry.store.disk.FileDisk;
import gantry.store.disk.ReadOnlyDisk;
import gantry.wire.message.RecordView;
import java.io.Console;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gantry verify`: looks at a store that nothing has open.
///
/// For:   the flags and the exit code of the command.
/// Owner: the main thread.
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Reads every byte of a store that nothing has open, changes nothing, and says what it found.",
            "Exit code 0: nothing is damaged; 1: something is; 2: the store could not be looked at."
        })
final class VerifyCommand implements Callable<Integer> {
    private static final int CLEAN = 0;
    private static final int NOT_CLEAN = 1;
    private static final int NOT_CHECKED = 2;
    private static final String DELAY_TOPIC = "SCHEDULE_TOPIC_XXXX";

    private enum Form {
        table,
        json
    }

    @Parameters(paramLabel = "DIR", description = "the store (storePathRootDir), or the dataDir above it")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path folder;

    @Option(
            names = "--commit-log",
            paramLabel = "DIR",
            description = "the commit log, when storePathCommitLog has put it somewhere else")
    private @Nullable Path commitLog;

    @Option(
            names = "--repair",
            description = "make consume queues and checkpoint again from the log where they are damaged; never touches"
                    + " the log")
    private boolean repair;

    @Option(
            names = "--drop-seals",
            description = "with --repair: where the log has changed since it was sealed, take what stands there now for"
                    + " right; only after the file was restored, or cannot be")
    private boolean dropSeals;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            defaultValue = "table",
            description = "table for people, json for scripts (${DEFAULT-VALUE})")
    private Form form = Form.table;

    @Option(names = "--all", description = "show every queue, also where there is nothing to tell")
    private boolean all;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        PrintWriter out = spec.commandLine().getOut();
        Path store = Files.isDirectory(folder.resolve("store").resolve("commitlog")) ? folder.resolve("store") : folder;
        Path log = commitLog == null ? store.resolve("commitlog") : commitLog;
        boolean terminal =
                Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
        if (dropSeals && !repair) {
            err.println("gantry: --drop-seals changes files: it needs --repair.");
            err.flush();
            return NOT_CHECKED;
        }
        ProgressLine progress = new ProgressLine(err, new SystemClock(), terminal);
        try {
            VerifyReport report = repair ? repaired(store, log, progress) : looked(store, log, progress);
            progress.end();
            out.print(form == Form.json ? ReportView.json(report) : ReportView.text(report, all));
            out.flush();
            return report.isClean() ? CLEAN : NOT_CLEAN;
        } catch (OpenFailed e) {
            progress.end();
            err.println("gantry: " + e.getMessage());
            err.flush();
            return NOT_CHECKED;
        }
    }

    private static VerifyReport looked(Path store, Path log, ProgressLine progress) throws OpenFailed {
        try (ReadOnlyDisk disk = new ReadOnlyDisk(store, log)) {
            return StoreVerifier.look(disk, VerifyCommand::tagsCode, progress);
        }
    }

    private VerifyReport repaired(Path store, Path log, ProgressLine progress) throws OpenFailed {
        // A folder that is no store is told before a lock file is made in it.
        if (!Files.isDirectory(log)) {
            return looked(store, log, progress);
        }
        try (FileDisk disk = new FileDisk(store, log, FileDisk.DEFAULT_OPEN_FILES)) {
            Repair what = dropSeals ? Repair.DERIVED_FILES_AND_SEALS : Repair.DERIVED_FILES;
            return StoreVerifier.repair(disk, VerifyCommand::tagsCode, progress, what);
        }
    }

    /// The entry of a delayed message says when it is due; its queue is the level less one.
    private static long tagsCode(RecordView record) {
        return record.topic().equals(DELAY_TOPIC)
                ? record.storeMillis() + DelayLevels.DEFAULT.millis(record.queueId() + 1)
                : record.tagsCode();
    }
}
