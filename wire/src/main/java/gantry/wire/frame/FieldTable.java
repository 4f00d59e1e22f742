package gantry.wire.frame;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Where names and values stand in an array of bytes.
///
/// For:   the fields of a header and the properties of a message, found without making strings.
/// Owner: the reader that fills it; it stands for the array last given to `clear`, as long as that does not change.
/// Never: throws on any bytes; holds the values themselves.
public final class FieldTable {
    /// A field that is there and says that it has no value.
    static final int NO_VALUE = -1;

    private static final int WORDS = 5;
    private static final int KEY_HASH = 0;
    private static final int KEY_FROM = 1;
    private static final int KEY_LENGTH = 2;
    private static final int VALUE_FROM = 3;
    private static final int VALUE_LENGTH = 4;
    private static final int FIRST_CAPACITY = 24;
    /// An array that has grown beyond this is let go at the next `clear`.
    private static final int KEPT_CAPACITY = 512;

    private byte[] bytes = new byte[0];
    private int[] words = new int[FIRST_CAPACITY * WORDS];
    private int count;
    private int shape;

    /// Empties the table; what is added next stands in `array`.
    public void clear(byte[] array) {
        bytes = array;
        count = 0;
        shape++;
        if (words.length > KEPT_CAPACITY * WORDS) {
            words = new int[FIRST_CAPACITY * WORDS];
        }
    }

    public void add(int keyHash, int keyFrom, int keyLength, int valueFrom, int valueLength) {
        int at = count * WORDS;
        if (at == words.length) {
            words = Arrays.copyOf(words, words.length * 2);
        }
        words[at + KEY_HASH] = keyHash;
        words[at + KEY_FROM] = keyFrom;
        words[at + KEY_LENGTH] = keyLength;
        words[at + VALUE_FROM] = valueFrom;
        words[at + VALUE_LENGTH] = valueLength;
        count++;
    }

    /// How many were added, those without a value and the repeated ones too.
    public int count() {
        return count;
    }

    /// Is another number after each `clear`: while it is the same, names and values stand where they stood, and only
    /// the bytes of values may be others.
    public int shape() {
        return shape;
    }

    public byte[] bytes() {
        return bytes;
    }

    /// The index of the field, -1 when there is none or it has no value; of several with one name the last counts.
    public int find(FieldName name) {
        int hash = name.hashCode();
        for (int i = count - 1; i >= 0; i--) {
            int at = i * WORDS;
            if (words[at + KEY_HASH] == hash && name.matches(bytes, words[at + KEY_FROM], words[at + KEY_LENGTH])) {
                return words[at + VALUE_LENGTH] == NO_VALUE ? -1 : i;
            }
        }
        return -1;
    }

    /// Sets `indexes[n]` to what `find` would give for the n-th name of `set`, in one pass.
    public void locate(FieldSet set, int[] indexes) {
        Arrays.fill(indexes, 0, set.size(), -1);
        for (int i = 0; i < count; i++) {
            int at = i * WORDS;
            int slot = set.slot(words[at + KEY_HASH], bytes, words[at + KEY_FROM], words[at + KEY_LENGTH]);
            if (slot >= 0) {
                indexes[slot] = words[at + VALUE_LENGTH] == NO_VALUE ? -1 : i;
            }
        }
    }

    public boolean hasValue(int index) {
        return words[index * WORDS + VALUE_LENGTH] != NO_VALUE;
    }

    public int valueFrom(int index) {
        return words[index * WORDS + VALUE_FROM];
    }

    public int valueLength(int index) {
        return words[index * WORDS + VALUE_LENGTH];
    }

    public String key(int index) {
        int at = index * WORDS;
        return new String(bytes, words[at + KEY_FROM], words[at + KEY_LENGTH], StandardCharsets.UTF_8);
    }

    public String value(int index) {
        return new String(bytes, valueFrom(index), valueLength(index), StandardCharsets.UTF_8);
    }

    /// Whether the value is `text`, which is plain ASCII in lower case, in any case.
    public boolean isValue(int index, String text) {
        int length = valueLength(index);
        if (length != text.length()) {
            return false;
        }
        int from = valueFrom(index);
        for (int i = 0; i < length; i++) {
            int letter = bytes[from + i];
            int lower = letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter;
            if (lower != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
