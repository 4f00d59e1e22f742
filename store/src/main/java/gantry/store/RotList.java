package gantry.store;

import gantry.base.Image;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The places of the log that are known to be rotten.
///
/// ```
///   found: by the scrubber, in a comparison, by a reader ─▶ listed ─▶ mended, found sound after all, or let go
/// ```
/// For:   one answer to what is wrong with the log now.
/// Owner: the scrub sequencer; `places` is for everybody.
/// Never: more than `MOST`; further ones are found again once there is room. A start begins with none.
final class RotList {
    static final int MOST = 1_000;

    private final TreeMap<Long, RottenPlace> known = new TreeMap<>();
    private final Image<List<RottenPlace>> places = new Image<>(List.of());

    List<RottenPlace> places() {
        return places.read();
    }

    /// @return whether nothing of it was known
    boolean add(RottenPlace found) {
        RottenPlace before = at(found.from());
        if (before != null && before.to() >= found.to()) {
            return false;
        }
        if (before == null && known.size() >= MOST) {
            return false;
        }
        if (before != null) {
            known.put(before.from(), new RottenPlace(before.from(), found.to(), found.what()));
        } else {
            known.put(found.from(), found);
        }
        publish();
        return before == null;
    }

    private @Nullable RottenPlace at(long offset) {
        Map.Entry<Long, RottenPlace> entry = known.floorEntry(offset);
        return entry == null || entry.getValue().to() <= offset ? null : entry.getValue();
    }

    /// What lies there is sound.
    void clear(long from, long to) {
        if (known.isEmpty()) {
            return;
        }
        boolean changed = false;
        for (RottenPlace each : List.copyOf(known.values())) {
            if (each.from() >= to || each.to() <= from) {
                continue;
            }
            changed = true;
            known.remove(each.from());
            if (each.from() < from) {
                known.put(each.from(), new RottenPlace(each.from(), from, each.what()));
            }
            if (each.to() > to) {
                known.put(to, new RottenPlace(to, each.to(), each.what()));
            }
        }
        if (changed) {
            publish();
        }
    }

    private void publish() {
        places.publish(List.copyOf(known.values()));
    }
}
