package gantry.bench.load;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The topics over which one measurement's sends go: `NAME_0`, `NAME_1`, …
///
/// For:   one topic as well as ten thousand.
/// Owner: none (immutable).
/// Never: whether they are there.
///
/// @param queues of each
public record Topics(String name, int count, int queues) {
    /// Few enough to be asked about one by one.
    private static final int SAMPLED = 50;

    String topic(int i) {
        return name + "_" + i;
    }

    /// Some of them, the first and the last among them.
    IntStream sample() {
        int sampled = Math.min(count, SAMPLED);
        return IntStream.range(0, sampled).map(i -> sampled == 1 ? 0 : (int) ((long) i * (count - 1) / (sampled - 1)));
    }

    /// The body that creates topics `from` to `to`, exclusive, at once.
    byte[] listBody(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> "{\"attributes\":{},\"order\":false,\"perm\":6,\"readQueueNums\":" + queues
                        + ",\"topicFilterType\":\"SINGLE_TAG\",\"topicName\":\"" + topic(i)
                        + "\",\"topicSysFlag\":0,\"writeQueueNums\":" + queues + "}")
                .collect(Collectors.joining(",", "{\"topicConfigList\":[", "]}"))
                .getBytes(StandardCharsets.UTF_8);
    }
}
