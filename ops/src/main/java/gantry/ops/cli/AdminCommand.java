package gantry.ops.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `./gantry admin`: the commands of mqadmin, as far as they are there, with two short ones for a first try.
///
/// For:   finding the commands.
/// Owner: the main thread.
@Command(
        name = "admin",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Sends, consumes and looks around, with mqadmin's command names and short options.",
        subcommands = {
            SendCommand.class,
            ConsumeCommand.class,
            ClusterListCommand.class,
            TopicListCommand.class,
            TopicRouteCommand.class,
            UpdateTopicCommand.class,
            DeleteTopicCommand.class,
            DeleteSubGroupCommand.class,
            QueryMsgByIdCommand.class,
            QueryMsgByKeyCommand.class,
            QueryMsgByUniqueKeyCommand.class,
            QueryMsgByOffsetCommand.class,
            HaStatusCommand.class,
            HandOverCommand.class,
            GetBrokerConfigCommand.class,
            UpdateBrokerConfigCommand.class,
            HelpCommand.class
        })
public final class AdminCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(
                spec.commandLine(),
                "Which command? send, consume, clusterList, topicList, topicRoute, updateTopic, deleteTopic,"
                        + " deleteSubGroup, queryMsgById, queryMsgByKey, queryMsgByUniqueKey, queryMsgByOffset, haStatus,"
                        + " handOver, getBrokerConfig or updateBrokerConfig.");
    }
}
