package gantry.control.nameserver;

import gantry.base.Link;
import gantry.control.routes.RouteChanges;
import gantry.control.routes.RouteImage;
import gantry.wire.body.TopicList;
import gantry.wire.frame.Codec;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FrameFlags;
import gantry.wire.frame.FrameWriter;
import gantry.wire.frame.RequestCodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Who wants to be told of changes of which routes.
///
/// For:   one message at most to a link and tick, however much has changed.
/// Owner: the routes sequencer.
/// Holds: WATCH-1 a link is told of every change of a topic since its list was taken, at the next tick.
final class Watches {
    /// Topics that one link may watch.
    static final int MOST_OF_ONE = 10_000;

    /// Topics of all links together.
    static final int MOST = 1_000_000;

    /// More topics are not named one by one.
    static final int MOST_NAMED = 1_000;

    private record Watcher(Link link, SortedSet<String> topics) {}

    private final SortedMap<Long, Watcher> watchers = new TreeMap<>();
    /// Topic → the links that watch it.
    private final SortedMap<String, SortedSet<Long>> byTopic = new TreeMap<>();
    private int count;
    private @Nullable RouteImage told;

    /// Replaces what a link watches; nothing ends it.
    ///
    /// @return null, or why the former list stays
    @Nullable
    String set(Link link, List<String> topics) {
        SortedSet<String> wanted = new TreeSet<>(topics);
        Watcher before = watchers.get(link.id());
        int former = before == null ? 0 : before.topics.size();
        if (count - former + wanted.size() > MOST) {
            return "this nameserver watches " + MOST + " topics for all its clients, and there is no room for these; "
                    + "ask for routes from time to time";
        }
        forget(link.id());
        if (!wanted.isEmpty()) {
            watchers.put(link.id(), new Watcher(link, wanted));
            wanted.forEach(topic ->
                    byTopic.computeIfAbsent(topic, name -> new TreeSet<>()).add(link.id()));
            count += wanted.size();
        }
        return null;
    }

    void forget(long session) {
        Watcher gone = watchers.remove(session);
        if (gone == null) {
            return;
        }
        count -= gone.topics.size();
        for (String topic : gone.topics) {
            SortedSet<Long> others = byTopic.get(topic);
            if (others != null && others.remove(session) && others.isEmpty()) {
                byTopic.remove(topic);
            }
        }
    }

    /// Tells everybody what has changed since the last call.
    ///
    /// @return links that could not be told
    List<Link> tell(RouteImage now) {
        RouteImage before = told;
        told = now;
        if (before == null || before == now || byTopic.isEmpty()) {
            return List.of();
        }
        RouteChanges changes = RouteChanges.between(before, now);
        SortedMap<Long, List<String>> news = new TreeMap<>();
        byTopic.forEach((topic, sessions) -> {
            if (changes.has(topic)) {
                sessions.forEach(session ->
                        news.computeIfAbsent(session, id -> new ArrayList<>()).add(topic));
            }
        });
        List<Link> untold = new ArrayList<>();
        for (Map.Entry<Long, List<String>> each : news.entrySet()) {
            Watcher watcher = watchers.get(each.getKey());
            if (watcher != null && !tell(watcher.link, each.getValue())) {
                untold.add(watcher.link);
            }
        }
        return untold;
    }

    private static boolean tell(Link link, List<String> topics) {
        boolean all = topics.size() > MOST_NAMED;
        FrameWriter out = new FrameWriter();
        out.begin(Codec.JSON, RequestCodes.GANTRY_ROUTES_CHANGED, FrameFlags.ONEWAY, 0);
        if (all) {
            out.field(FieldNames.GANTRY_ALL, true);
        }
        out.end(new TopicList(all ? List.of() : topics, null).toBytes());
        return link.send(out.bytes(), 0, out.size());
    }
}
