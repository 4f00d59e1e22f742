package gantry.judges;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.judges.court.ClientVersion;
import gantry.judges.court.Court;
import gantry.judges.court.Judge;
import gantry.judges.court.Talk;
import gantry.judges.program.Line;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Two consumers of one group share a topic's queues; when one leaves, the other takes over, and nothing is missed.
///
/// The one that stays is of the version under test, the one that leaves of the other: a mixed group is what users have
/// while they update.
@ParameterizedClass
@EnumSource
@ExtendWith(Court.Resolver.class)
final class RebalanceTest {
    private static final int QUEUES = 6;

    /// The server tells the others at once; a client that was not told looks by itself every 20 s only.
    private static final Duration TAKE_OVER = Duration.ofSeconds(15);

    private final ClientVersion version;
    private final Court court;
    private final Judge judge;
    private final String topic;
    private final String group;

    RebalanceTest(ClientVersion version, Court court) throws IOException {
        this.version = version;
        this.court = court;
        this.judge = court.judge(version);
        this.topic = court.unique("shared");
        this.group = court.unique("sharers");
    }

    enum Leaving {
        IN_ORDER,
        KILLED
    }

    @ParameterizedTest
    @EnumSource
    void queuesOfAConsumerThatLeavesMoveToTheOther(Leaving leaving) throws IOException {
        judge.tell("topic topic=" + topic + " queues=" + QUEUES).await("done");
        try (Judge other = court.another(version.other())) {
            Talk sender = judge.tell("send count=0 pause=10 topic=" + topic);
            Talk stays = judge.tell("push topic=" + topic + " group=" + group);
            awaitSharing(stays, 1);
            Talk leaves = other.tell("push topic=" + topic + " group=" + group);
            Set<Integer> half = awaitSharing(stays, 2);
            Set<Integer> otherHalf = awaitSharing(leaves, 2);
            assertThat(half).hasSize(QUEUES / 2).doesNotContainAnyElementsOf(otherHalf);
            assertThat(otherHalf).hasSize(QUEUES / 2);
            leaves.awaitCount("got", 50);

            int before = stays.all("assigned").size();
            switch (leaving) {
                case IN_ORDER -> leaves.stop();
                case KILLED -> other.kill();
            }
            stays.awaitAll(
                    "assigned",
                    lines -> lines.size() > before && queues(lines.getLast()).size() == QUEUES,
                    "that it has all queues",
                    TAKE_OVER);

            sender.stop();
            sender.await("done");
            Set<String> wanted = keys(sender.all("sent"));
            stays.awaitAll(
                    "got", arrived(wanted, leaves.all("got")), "every message that nobody else got", Talk.PATIENCE);
            stays.stop();
        }
    }

    private static Predicate<List<Line>> arrived(Set<String> wanted, List<Line> byOther) {
        return byThis -> {
            Set<String> got = keys(byThis);
            got.addAll(keys(byOther));
            return got.containsAll(wanted);
        };
    }

    private static Set<Integer> awaitSharing(Talk consumer, int members) {
        List<Line> assigned = consumer.awaitAll(
                "assigned",
                lines -> !lines.isEmpty() && lines.getLast().integer("members") == members,
                "that " + members + " share",
                Talk.PATIENCE);
        return queues(assigned.getLast());
    }

    private static Set<Integer> queues(Line assigned) {
        Set<Integer> queues = new HashSet<>();
        Arrays.stream(assigned.text("queues").split(",", -1))
                .map(Integer::valueOf)
                .forEach(queues::add);
        return queues;
    }

    private static Set<String> keys(List<Line> lines) {
        Set<String> keys = new HashSet<>();
        lines.forEach(line -> keys.add(line.text("key")));
        return keys;
    }
}
