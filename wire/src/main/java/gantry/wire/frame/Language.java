package gantry.wire.frame;

/// The language a peer is written in.
///
/// For:   the `language` of a frame: a name in JSON, a number in the binary header.
/// Owner: none (immutable).
/// Never: a reason to answer differently, except where the peers themselves do.
public enum Language {
    JAVA(0),
    CPP(1),
    DOTNET(2),
    PYTHON(3),
    DELPHI(4),
    ERLANG(5),
    RUBY(6),
    OTHER(7),
    HTTP(8),
    GO(9),
    PHP(10),
    OMS(11),
    RUST(12),
    NODE_JS(13);

    private static final Language[] ALL = values();

    private final int number;

    Language(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /// The language with that number; `OTHER` for numbers that we do not know.
    public static Language of(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : OTHER;
    }

    /// The language with that name in ASCII; `OTHER` for names that we do not know.
    static Language of(byte[] bytes, int from, int length) {
        for (Language each : ALL) {
            if (matches(each.name(), bytes, from, length)) {
                return each;
            }
        }
        return OTHER;
    }

    private static boolean matches(String name, byte[] bytes, int from, int length) {
        if (name.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (name.charAt(i) != bytes[from + i]) {
                return false;
            }
        }
        return true;
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
