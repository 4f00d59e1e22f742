package gantry.wire.json;

/// How keys and text are written.
///
/// For:   one writer for all readers.
/// Owner: none (immutable).
public enum Dialect {
    /// What every RocketMQ peer reads: whole numbers and objects stand bare as keys, text is UTF-8.
    PEER,
    /// JSON by the book, for route answers to peers that ask for it: every key is quoted, text is ASCII with escapes.
    STANDARD
}
