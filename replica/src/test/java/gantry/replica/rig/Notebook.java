package gantry.replica.rig;

import gantry.base.Notices;
import java.util.ArrayList;
import java.util.List;

/// Keeps what an operator was told.
///
/// For:   tests of notices.
/// Owner: its test.
public final class Notebook implements Notices {
    public final List<String> lines = new ArrayList<>();

    @Override
    public void tell(Level level, String text) {
        lines.add(level + " " + text);
    }
}
