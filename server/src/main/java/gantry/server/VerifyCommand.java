package gantry.server;

import gantry.server.config.StartRefused;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `gantry verify`: not there yet, and says so.
///
/// For:   the flags of the role.
/// Owner: the main thread.
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = "Checks a store directory that nothing has open. Not there yet.")
final class VerifyCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", arity = "0..1", description = "the store")
    private @Nullable Path folder;

    @Override
    public Integer call() throws StartRefused {
        throw new StartRefused((folder == null ? "verify" : "verify " + folder)
                + " cannot be done yet: this version has no offline check. A broker checks the store when it starts.");
    }
}
