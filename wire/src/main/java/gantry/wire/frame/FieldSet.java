package gantry.wire.frame;

/// The names of the fields of one kind of header, numbered.
///
/// For:   finding all of them in one pass over the fields that have arrived.
/// Owner: none (immutable).
/// Never: whether a field is mandatory, or its type.
public final class FieldSet {
    private final FieldName[] names;
    /// Open addressing by hash; 0 is free, otherwise the name's number plus one.
    private final int[] table;

    private FieldSet(FieldName[] names) {
        this.names = names;
        int capacity = Math.max(8, Integer.highestOneBit(names.length) * 4);
        this.table = new int[capacity];
        for (int number = 0; number < names.length; number++) {
            int place = place(names[number].hashCode());
            while (table[place] != 0) {
                place = (place + 1) & (capacity - 1);
            }
            table[place] = number + 1;
        }
    }

    /// The set of these names; the n-th has the number n.
    public static FieldSet of(FieldName... names) {
        return new FieldSet(names.clone());
    }

    public int size() {
        return names.length;
    }

    public FieldName name(int number) {
        return names[number];
    }

    /// The number of the name with these bytes and that `FieldName.hash`; -1 when it is not of this set.
    int slot(int hash, byte[] bytes, int from, int length) {
        int place = place(hash);
        while (table[place] != 0) {
            int number = table[place] - 1;
            FieldName name = names[number];
            if (name.hashCode() == hash && name.matches(bytes, from, length)) {
                return number;
            }
            place = (place + 1) & (table.length - 1);
        }
        return -1;
    }

    private int place(int hash) {
        return (hash ^ (hash >>> 15)) & (table.length - 1);
    }
}
