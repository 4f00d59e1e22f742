package gantry.server.node;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import gantry.server.config.StartRefused;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;

/// The log files of one process.
///
/// For:   everything from INFO on goes to `<name>.log`, of which six files of 10 MB are kept.
/// Owner: the process.
/// Never: waits for the disk: when the writer is behind by its whole queue, lines are dropped, not the work.
public final class Logs implements AutoCloseable {
    private static final int QUEUE_LINES = 4_096;
    private static final int KEPT_FILES = 5;
    private static final long FILE_BYTES = 10L * 1024 * 1024;

    private final Path folder;
    private final AsyncAppender queue;
    private final Logger root;

    private Logs(Path folder, AsyncAppender queue, Logger root) {
        this.folder = folder;
        this.queue = queue;
        this.root = root;
    }

    public static Logs open(Path folder, String name) throws StartRefused {
        try {
            Files.createDirectories(folder);
            Files.newOutputStream(
                            folder.resolve(name + ".log"),
                            java.nio.file.StandardOpenOption.CREATE,
                            java.nio.file.StandardOpenOption.APPEND)
                    .close();
        } catch (IOException e) {
            throw new StartRefused(
                    "The folder " + folder + " cannot be written to, so there would be no log: " + e.getMessage()
                            + ". Choose another folder for everything (--data-dir or dataDir), or for logs alone (logDir).",
                    e);
        }
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        RollingFileAppender<ILoggingEvent> file = rollingFile(context, folder, name);
        AsyncAppender queue = new AsyncAppender();
        queue.setContext(context);
        queue.setQueueSize(QUEUE_LINES);
        queue.setNeverBlock(true);
        queue.setMaxFlushTime(1_000);
        queue.addAppender(file);
        queue.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        root.addAppender(queue);
        return new Logs(folder, queue, root);
    }

    Path folder() {
        return folder;
    }

    /// Writes what waits, at most for a second.
    @Override
    public void close() {
        root.detachAppender(queue);
        queue.stop();
    }

    private static RollingFileAppender<ILoggingEvent> rollingFile(LoggerContext context, Path folder, String name) {
        PatternLayoutEncoder lines = new PatternLayoutEncoder();
        lines.setContext(context);
        lines.setCharset(StandardCharsets.UTF_8);
        lines.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{20} [%thread] %msg%n");
        lines.start();

        RollingFileAppender<ILoggingEvent> file = new RollingFileAppender<>();
        file.setContext(context);
        file.setFile(folder.resolve(name + ".log").toString());
        file.setEncoder(lines);

        FixedWindowRollingPolicy window = new FixedWindowRollingPolicy();
        window.setContext(context);
        window.setParent(file);
        window.setFileNamePattern(folder.resolve(name + ".%i.log").toString());
        window.setMinIndex(1);
        window.setMaxIndex(KEPT_FILES);
        window.start();

        SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
        size.setContext(context);
        size.setMaxFileSize(new FileSize(FILE_BYTES));
        size.start();

        file.setRollingPolicy(window);
        file.setTriggeringPolicy(size);
        file.start();
        return file;
    }
}
