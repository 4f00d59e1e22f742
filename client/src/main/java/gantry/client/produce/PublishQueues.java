package gantry.client.produce;

import gantry.base.Endpoint;
import gantry.client.route.Routes;
import gantry.wire.body.Permission;
import gantry.wire.body.QueueLayout;
import gantry.wire.body.TopicRoute;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The queues of a topic that can be written to now.
///
/// For:   choosing where the next message goes.
/// Owner: none (immutable).
/// Never: a queue whose broker has no master.
///
/// @param queues by broker name, then by queue id
record PublishQueues(List<PublishQueue> queues) {
    /// How many queues a new topic gets, unless its broker has fewer for it.
    static final int DEFAULT_QUEUES = 4;

    record PublishQueue(Endpoint address, String brokerName, int queueId) {}

    PublishQueues {
        queues = List.copyOf(queues);
    }

    /// Of a topic that exists.
    static PublishQueues of(TopicRoute route) {
        return of(route, Integer.MAX_VALUE);
    }

    /// Of a topic that is yet to be created, after the pattern of the default topic.
    static PublishQueues ofDefault(TopicRoute route) {
        return of(route, DEFAULT_QUEUES);
    }

    private static PublishQueues of(TopicRoute route, int most) {
        List<QueueLayout> layouts = new ArrayList<>(route.queues());
        layouts.sort((a, b) -> a.brokerName().compareTo(b.brokerName()));
        List<PublishQueue> queues = new ArrayList<>();
        for (QueueLayout layout : layouts) {
            Endpoint master = Routes.master(route, layout.brokerName());
            if (master != null && Permission.isWriteable(layout.permission())) {
                // What is created by the pattern gets as many queues as the pattern has for reading.
                int count = most == Integer.MAX_VALUE ? layout.writeQueues() : Math.min(most, layout.readQueues());
                for (int id = 0; id < count; id++) {
                    queues.add(new PublishQueue(master, layout.brokerName(), id));
                }
            }
        }
        return new PublishQueues(queues);
    }

    /// Those of one broker name, or with one queue id; null stands for any.
    PublishQueues only(@Nullable String brokerName, @Nullable Integer queueId) {
        return new PublishQueues(queues.stream()
                .filter(queue -> brokerName == null || queue.brokerName().equals(brokerName))
                .filter(queue -> queueId == null || queue.queueId() == queueId)
                .toList());
    }

    /// The queue whose turn it is, of another broker than `avoid` if there is one; null when there is none at all.
    @Nullable
    PublishQueue choose(int turn, @Nullable String avoid) {
        int size = queues.size();
        for (int i = 0; i < size; i++) {
            PublishQueue queue = queues.get(Math.floorMod(turn + i, size));
            if (!queue.brokerName().equals(avoid)) {
                return queue;
            }
        }
        return size == 0 ? null : queues.get(Math.floorMod(turn, size));
    }

    boolean isEmpty() {
        return queues.isEmpty();
    }

    int size() {
        return queues.size();
    }

    /// The queue with that number, counted around.
    PublishQueue at(int number) {
        return queues.get(Math.floorMod(number, queues.size()));
    }

    boolean anyAddress(Predicate<Endpoint> good) {
        return queues.stream().anyMatch(queue -> good.test(queue.address()));
    }

    boolean hasOtherThan(String brokerName) {
        return queues.stream().anyMatch(queue -> !queue.brokerName().equals(brokerName));
    }
}
