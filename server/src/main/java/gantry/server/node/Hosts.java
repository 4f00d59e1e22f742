package gantry.server.node;

import gantry.server.config.StartRefused;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Names and addresses of this machine, as its system knows them.
///
/// For:   what a configuration leaves to the machine.
/// Owner: none (stateless).
/// Never: after the start; a look-up may block.
public final class Hosts {
    private static final Path KERNEL_NAME = Path.of("/proc/sys/kernel/hostname");

    private Hosts() {}

    /// The machine's own name.
    public static String name() {
        try {
            return Files.readString(KERNEL_NAME).strip();
        } catch (IOException e) {
            // Not Linux.
            return nameByLookUp();
        }
    }

    /// The literal address of a host: messages carry four or sixteen bytes, not a name.
    static String literal(String host) throws StartRefused {
        try {
            return InetAddress.getAllByName(host)[0].getHostAddress();
        } catch (UnknownHostException e) {
            throw new StartRefused(
                    "The host " + host + " (brokerIP1 or bindAddress) has no address that this machine knows.", e);
        }
    }

    private static String nameByLookUp() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
