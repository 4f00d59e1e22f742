package gantry.wire.frame;

/// The language a peer is written in.
///
/// For:   the `language` of a frame; the ordinal is the number on the wire.
/// Owner: none (immutable).
/// Never: a reason to answer differently, except where the peers themselves do.
public enum Language {
    JAVA,
    CPP,
    DOTNET,
    PYTHON,
    DELPHI,
    ERLANG,
    RUBY,
    OTHER,
    HTTP,
    GO,
    PHP,
    OMS,
    RUST,
    NODE_JS;

    private static final Language[] ALL = values();

    /// The language with that number; `OTHER` for numbers that we do not know.
    public static Language of(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : OTHER;
    }

    /// The language with that name; `OTHER` for names that we do not know.
    public static Language of(String name) {
        for (Language each : ALL) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        return OTHER;
    }
}
