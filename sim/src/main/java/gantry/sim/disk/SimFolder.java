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

    /// Whether any power cut would leave this file under this name.
    boolean isCertain(String name, SimFile file) {
        return since.stream().allMatch(then -> then.get(name) == file);
    }

    /// Whether it had this file for certain at the last sync.
    boolean hadForCertain(SimFile file) {
        return since.getFirst().containsValue(file);
    }

    void changed() {
        since.add(new TreeMap<>(names));
    }

    void synced() {
        since.clear();
        changed();
    }

    void powerCut(Survival survival, RandomGenerator random) {
        names = switch (survival) {
            case NOTHING -> new TreeMap<>(since.getFirst());
            case EVERYTHING -> new TreeMap<>(since.getLast());
            case UP_TO_A_MOMENT -> new TreeMap<>(since.get(random.nextInt(since.size())));
            case EACH_FOR_ITSELF -> eachForItself(random);
        };
        synced();
    }

    /// Each name as it was at some moment of its own. A file that always had a name keeps one: renaming is one step.
    private SortedMap<String, SimFile> eachForItself(RandomGenerator random) {
        SortedMap<String, SimFile> ever = new TreeMap<>();
        since.forEach(ever::putAll);
        SortedMap<String, SimFile> mixed = new TreeMap<>();
        for (String name : ever.keySet()) {
            SimFile file = since.get(random.nextInt(since.size())).get(name);
            if (file != null) {
                mixed.put(name, file);
            }
        }
        since.getLast().forEach((name, file) -> {
            boolean always = since.stream().allMatch(then -> then.containsValue(file));
            if (always && !mixed.containsValue(file)) {
                mixed.put(name, file);
            }
        });
        return mixed;
    }
}
