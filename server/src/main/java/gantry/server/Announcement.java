package gantry.server;

import gantry.base.Endpoint;
import gantry.server.node.Server;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// What a process that serves prints.
///
/// For:   the one line with "ready" that scripts wait for, and what a person may try next.
/// Owner: the main thread.
/// Never: the log; that is told by the server itself.
final class Announcement {
    private Announcement() {}

    /// @param notes what the user should know of his configuration
    static void print(Server server, List<String> notes) {
        notes.forEach(note -> System.out.println("note: " + note));
        System.out.println(readyLine(server));
        Endpoint nameserver = server.addresses().get("nameserver");
        if (nameserver != null && server.addresses().containsKey("broker")) {
            String command = quoted(System.getProperty("gantry.command", "./gantry"));
            Endpoint reachable = reachable(nameserver);
            System.out.println("Try, in another terminal:");
            System.out.println(
                    "  " + command + " admin send    -n " + reachable + " -t hello -p \"the first message\"");
            System.out.println("  " + command + " admin consume -n " + reachable + " -t hello");
            System.out.println("  " + command + " health        -n " + reachable);
            Endpoint admin = server.addresses().get("admin");
            if (admin != null) {
                System.out.println("  curl http://" + reachable(admin) + "/health    (/metrics for Prometheus)");
            }
        }
    }

    /// So that a shell takes it as one word.
    static String quoted(String word) {
        return word.matches("[\\w./+:@%=-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /// Who listens on every address is reached on this machine by loopback.
    static Endpoint reachable(Endpoint listens) {
        return listens.host().equals("0.0.0.0") ? new Endpoint("127.0.0.1", listens.port()) : listens;
    }

    /// `gantry standalone is ready: nameserver=127.0.0.1:9876 broker=127.0.0.1:10911`.
    private static String readyLine(Server server) {
        Map<String, Endpoint> addresses = server.addresses();
        return "gantry " + server.role() + " is ready: "
                + addresses.entrySet().stream()
                        .map(one -> one.getKey() + "=" + one.getValue())
                        .collect(Collectors.joining(" "));
    }
}
