package gantry.judges.court;

/// The official servers.
///
/// For:   store directories of an old one and of a new one.
/// Owner: none (immutable).
public enum ServerVersion {
    OLD("4.9.7"),
    NEW("5.5.0");

    private final String number;

    ServerVersion(String number) {
        this.number = number;
    }

    /// Its jars.
    String classPath() {
        return Places.lib("judges/server-" + number) + "/*";
    }

    @Override
    public String toString() {
        return number;
    }
}
