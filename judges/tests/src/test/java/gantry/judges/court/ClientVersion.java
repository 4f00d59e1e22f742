package gantry.judges.court;

import java.util.List;

/// The official clients that judge.
///
/// For:   every judgement twice, by an old application and by a new one.
/// Owner: none (immutable).
/// Never: the version of a server.
public enum ClientVersion {
    OLD("4.9.8"),
    NEW("5.5.0");

    private final String number;

    ClientVersion(String number) {
        this.number = number;
    }

    public ClientVersion other() {
        return this == OLD ? NEW : OLD;
    }

    /// The class path of the program with this client.
    List<String> classPath() {
        return List.of(
                Places.root().resolve("judges/program/target/classes").toString(),
                Places.lib("judges/client-" + number) + "/*");
    }

    @Override
    public String toString() {
        return "client" + number.replace(".", "");
    }
}
