package gantry.server.node;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/// What every process of ours logs before and beside its files, on the error stream: warnings and worse, and that one
/// of them is over.
///
/// For:   logback's start, which finds this class as a service; so no XML is parsed when a process starts.
/// Owner: none (stateless).
public final class ConsoleLogging extends ContextAwareBase implements Configurator {
    /// On a line that says the end of a trouble.
    static final Marker OVER = MarkerFactory.getMarker("OVER");

    private static final class WarningsAndTheirEnd extends Filter<ILoggingEvent> {
        @Override
        public FilterReply decide(ILoggingEvent event) {
            List<Marker> markers = event.getMarkerList();
            return event.getLevel().isGreaterOrEqual(Level.WARN) || (markers != null && markers.contains(OVER))
                    ? FilterReply.NEUTRAL
                    : FilterReply.DENY;
        }
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        PatternLayoutEncoder lines = new PatternLayoutEncoder();
        lines.setContext(context);
        lines.setPattern("%d{HH:mm:ss} %level %msg%n%ex{0}");
        lines.start();

        WarningsAndTheirEnd filter = new WarningsAndTheirEnd();
        filter.start();

        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setTarget("System.err");
        console.setEncoder(lines);
        console.addFilter(filter);
        console.start();

        var root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(console);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
