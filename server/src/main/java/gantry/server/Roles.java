package gantry.server;

import gantry.server.node.Server;
import java.util.List;

/// What all roles that serve do once they have started.
///
/// For:   the last step of their commands.
/// Owner: the main thread.
final class Roles {
    private Roles() {}

    /// Announces the server and stays until a signal ends the process; that is why it returns nothing of use.
    static int serve(Server server, List<String> notes) {
        // First the end, then the news: a script may send the signal as soon as it reads "ready".
        server.endOnSignal();
        Announcement.print(server, notes);
        while (true) {
            try {
                Thread.currentThread().join();
            } catch (InterruptedException e) {
                // Nobody has a reason to interrupt; a server ends by a signal only.
            }
        }
    }
}
