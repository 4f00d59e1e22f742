package gantry.sim.disk;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// The names in one folder: as programs see them, and every list of names since the last sync of the folder.
///
/// For:   new, renamed and deleted names that are not certain until the folder is synced.
/// Owner: its disk, on the scheduler's thread.
final class SimFolder {
    private SortedMap<String, SimFile> names = new TreeMap<>();
    private final List<SortedMap<String, SimFile>> since = new ArrayList<>();

    SimFolder() {
        since.add(new TreeMap<>());
    }

    SortedMap<String, SimFile> names() {
        return names;
    }

    void changed() {
        since.add(new TreeMap<>(names));
    }

    void synced() {
        since.clear();
        changed();
    }

    void powerCut(Survival survival, RandomGenerator random) {
        int kept = switch (survival) {
            case NOTHING -> 0;
            case EVERYTHING -> since.size() - 1;
            case UP_TO_A_MOMENT, EACH_FOR_ITSELF -> random.nextInt(since.size());
        };
        names = new TreeMap<>(since.get(kept));
        synced();
    }
}
