package gantry.net.http;

import java.nio.charset.StandardCharsets;

/// One answer.
///
/// For:   what `Pages` gives.
/// Owner: none (immutable; the bytes are not changed any more).
public record Page(int status, String contentType, byte[] body) {
    public static final int OK = 200;
    public static final int NOT_FOUND = 404;
    public static final int UNAVAILABLE = 503;

    private static final String TEXT = "text/plain; charset=utf-8";

    public static Page text(int status, String text) {
        return of(status, TEXT, text);
    }

    public static Page of(int status, String contentType, String text) {
        return new Page(status, contentType, text.getBytes(StandardCharsets.UTF_8));
    }
}
