package gantry.control.fake;

import gantry.base.Notices;
import java.util.ArrayList;
import java.util.List;

/// Keeps what was told, as `WARN text`.
public final class ToldNotices implements Notices {
    private final List<String> told = new ArrayList<>();

    @Override
    public void tell(Level level, String text) {
        told.add(level + " " + text);
    }

    /// What was told since the last call.
    public List<String> take() {
        List<String> taken = List.copyOf(told);
        told.clear();
        return taken;
    }
}
