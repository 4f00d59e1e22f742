package gantry.judges.program;

import java.io.PrintStream;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;

/// Says, line by line, what a role does and sees.
///
/// For:   whole lines from any thread, each out before the call returns: the program may be killed at any time.
/// Owner: one role; the stream is shared.
/// Never: silence on an exception.
final class Report {
    private final String role;
    private final PrintStream out;

    Report(String role, PrintStream out) {
        this.role = role;
        this.out = out;
    }

    void tell(String verb, Object... namesAndValues) {
        out.println(Line.of(role, verb, namesAndValues));
    }

    void failed(String key, Throwable cause) {
        tell("failed", "key", key, "code", code(cause), "text", describe(cause));
    }

    void broken(Throwable cause) {
        tell("broken", "code", code(cause), "text", describe(cause));
        cause.printStackTrace();
    }

    private static int code(Throwable cause) {
        return switch (cause) {
            case MQBrokerException e -> e.getResponseCode();
            case MQClientException e -> e.getResponseCode();
            default -> -1;
        };
    }

    private static String describe(Throwable cause) {
        Throwable below = cause.getCause();
        // A send that was tried again until there were no more tries says only below what the server answered.
        return cause.getClass().getSimpleName() + ": " + cause.getMessage()
                + (below == null ? "" : " because of " + below.getMessage());
    }
}
