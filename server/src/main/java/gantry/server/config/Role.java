package gantry.server.config;

/// Whose file a key stands in.
///
/// For:   keeping a nameserver's key out of a broker's file, where nobody would read it.
/// Owner: none (immutable).
public enum Role {
    NAMESERVER("nameserver"),
    BROKER("broker");

    private final String word;

    Role(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}
