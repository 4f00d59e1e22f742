package gantry.net;

import gantry.base.Endpoint;
import gantry.base.Network.ListenFailed;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;

/// Puts failures of sockets into the operator's words.
///
/// For:   `ListenFailed`, and the reasons told to `Session.closed`.
/// Owner: none (stateless).
/// Never: decides anything.
public final class Sentences {
    private Sentences() {}

    public static ListenFailed listenFailed(Endpoint here, Throwable cause) {
        String text = of(cause);
        String sentence = "cannot listen on " + here + ": " + text;
        if (text.contains("in use")) {
            sentence = "port " + here.port() + " on " + here.host()
                    + " is in use: stop what listens there, or choose another port (0 takes a free one)";
        } else if (cause instanceof UnknownHostException) {
            sentence = "the name " + here.host() + " is not known: give an address of this machine";
        } else if (text.contains("assign requested address")) {
            sentence = here.host() + " is not an address of this machine: give one that is, or 127.0.0.1";
        } else if (text.contains("ermission denied")) {
            sentence = "port " + here.port() + " on " + here.host()
                    + " may not be opened by this user: choose a port from 1024 up";
        }
        return new ListenFailed(sentence, cause);
    }

    /// Why connecting failed, in a word or two.
    static String connectFailed(Throwable cause, long withinMillis) {
        String text = of(cause);
        if (text.contains("refused")) {
            return "refused";
        }
        if (cause instanceof UnknownHostException) {
            return "the name is not known";
        }
        if (cause instanceof SocketTimeoutException || text.contains("timed out")) {
            return "no answer within " + withinMillis + " ms";
        }
        if (cause instanceof NoRouteToHostException || text.contains("No route")) {
            return "no route to it";
        }
        return text;
    }

    /// Why an open connection broke.
    static String broken(Throwable cause) {
        String text = of(cause);
        return text.contains("reset") || text.contains("Broken pipe")
                ? "the other side cut the connection"
                : "the connection broke: " + text;
    }

    static String of(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
