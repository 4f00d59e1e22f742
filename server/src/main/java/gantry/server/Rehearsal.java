package gantry.server;

import gantry.server.config.ConfigFile;
import gantry.server.config.Keys;
import gantry.server.config.NameserverSettings;
import gantry.server.config.Place;
import gantry.server.config.Role;
import gantry.server.config.StartRefused;
import gantry.server.config.Values;
import gantry.server.config.Values.Flag;
import gantry.server.node.Server;
import java.util.List;

/// Plays a first minute once, so that the launcher's build can keep what the JVM loaded and compiled for it.
///
/// For:   `-XX:AOTCacheOutput`: every later start of any role or tool is then about twice as quick.
/// Owner: the main thread.
/// Never: anything of a user's: free ports, and a folder that the launcher deletes.
final class Rehearsal {
    private static final String TOPIC = "rehearsal";

    private Rehearsal() {}

    /// @param args the folder
    public static void main(String[] args) throws StartRefused {
        Values broker = Values.of(
                Role.BROKER,
                ConfigFile.NONE,
                List.of(new Flag("folder", Keys.DATA_DIR, args[0]), new Flag("port", Keys.LISTEN_PORT, "0")));
        Values nameserver = Values.of(
                Role.NAMESERVER,
                ConfigFile.NONE,
                List.of(
                        new Flag("folder", Keys.NAMESERVER_DATA_DIR, args[0]),
                        new Flag("port", Keys.NAMESERVER_PORT, "0")));
        try (Server server =
                Server.standalone(Place.ofNameserver(nameserver), NameserverSettings.of(nameserver), broker)) {
            Announcement.print(server, broker.notes());
            String at = String.valueOf(server.addresses().get("nameserver"));
            for (String[] tool : new String[][] {
                {"admin", "sendMessage", "-n", at, "-t", TOPIC, "--count", "20"},
                {"admin", "consumeMessage", "-n", at, "-t", TOPIC, "-g", TOPIC},
                {"admin", "topicList", "-n", at, "-o", "json"},
                {"health", "-n", at}
            }) {
                int code = Main.commandLine().execute(tool);
                if (code != 0) {
                    throw new IllegalStateException(String.join(" ", tool) + " ended with " + code);
                }
            }
        }
    }
}
