package gantry.net.http;

/// Why somebody who came to an HTTP port got no page.
///
/// For:   counting them.
/// Owner: none (immutable).
public enum Turned {
    /// What it sent is no HTTP request, or its line or headers are longer than taken.
    MALFORMED,
    /// It wants something else than to read.
    METHOD,
    /// Its request, or its reading of the answer, took too long.
    LATE,
    /// It was there longest without an answer when one more came than are taken.
    CROWD
}
