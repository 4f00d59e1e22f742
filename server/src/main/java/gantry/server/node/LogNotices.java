package gantry.server.node;

import gantry.base.Notices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries the notices of the core into the log.
///
/// For:   modules that know no logging library.
/// Owner: none (stateless).
final class LogNotices implements Notices {
    private static final Logger LOG = LoggerFactory.getLogger("gantry");

    @Override
    public void tell(Level level, String text) {
        switch (level) {
            case INFO -> LOG.info(text);
            case OVER -> LOG.info(ConsoleLogging.OVER, text);
            case WARN -> LOG.warn(text);
            case ALARM -> LOG.error(text);
        }
    }
}
