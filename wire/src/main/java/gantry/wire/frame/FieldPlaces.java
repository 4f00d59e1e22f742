package gantry.wire.frame;

import org.jspecify.annotations.Nullable;

/// Which index each name of a set has in a table, looked up once for headers that are alike.
///
/// For:   the headers of requests that come by the thousand.
/// Owner: the reader of one kind of header.
/// Never: looks at values.
public final class FieldPlaces {
    private final int[] indexes;
    private @Nullable FieldTable table;
    private @Nullable FieldSet set;
    private int shape;

    /// @param mostNames of any set that it is asked for
    public FieldPlaces(int mostNames) {
        this.indexes = new int[mostNames];
    }

    /// What `FieldTable.locate` finds; valid until the next call.
    public int[] locate(FieldTable fields, FieldSet names) {
        if (table != fields || set != names || shape != fields.shape()) {
            fields.locate(names, indexes);
            table = fields;
            set = names;
            shape = fields.shape();
        }
        return indexes;
    }
}
