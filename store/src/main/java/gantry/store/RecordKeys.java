package gantry.store;

import gantry.wire.message.MessageFlags;
import gantry.wire.message.MessageProperties;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Finds the keys of stored messages: the unique key, and each word of `KEYS`.
///
/// For:   the key index, message by message without an allocation; and asking whether a message has a key.
/// Owner: whoever made it; it stands for the last record that it was shown.
/// Never: decodes anything else; a record without properties costs one comparison.
final class RecordKeys {
    private static final byte[] UNIQUE_KEY = "UNIQ_KEY".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] KEYS = "KEYS".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TAGS = "TAGS".getBytes(StandardCharsets.US_ASCII);

    private byte[] properties = new byte[512];
    private int[] hashes = new int[8];
    private int count;
    private int uniqueFrom;
    private int uniqueTo;
    private int keysFrom;
    private int keysTo;
    private int tagsFrom;
    private int tagsTo;

    /// Looks at a record in `bytes`.
    ///
    /// @return how many hashes it is found under
    int find(ByteBuffer bytes, RecordView record) {
        count = 0;
        if (record.propertiesLength() == 0
                || MessageFlags.transaction(record.flags()) == MessageFlags.TRANSACTION_ROLLBACK) {
            return 0;
        }
        scan(bytes, record);
        if (uniqueTo == uniqueFrom && keysTo == keysFrom) {
            return 0;
        }
        int topic = KeyHash.ofTopic(bytes, record.topicOffset(), record.topicLength());
        if (uniqueTo > uniqueFrom) {
            add(KeyHash.ofKey(topic, properties, uniqueFrom, uniqueTo));
        }
        int word = keysFrom;
        while (word < keysTo) {
            int end = KeyHash.wordEnd(properties, word, keysTo);
            if (end > word) {
                add(KeyHash.ofKey(topic, properties, word, end));
            }
            word = end + 1;
        }
        return count;
    }

    int hash(int i) {
        return hashes[i];
    }

    /// Whether a record in `bytes` has the key that a query asks for.
    boolean has(ByteBuffer bytes, RecordView record, KeyQuery query, byte[] keyUtf8) {
        scan(bytes, record);
        return switch (query.kind()) {
            case UNIQUE -> isSame(uniqueFrom, uniqueTo, keyUtf8);
            case TAG -> isSame(tagsFrom, tagsTo, keyUtf8);
            case ANY -> isSame(uniqueFrom, uniqueTo, keyUtf8) || hasWord(keyUtf8);
        };
    }

    private boolean hasWord(byte[] keyUtf8) {
        int word = keysFrom;
        while (word < keysTo) {
            int end = KeyHash.wordEnd(properties, word, keysTo);
            if (isSame(word, end, keyUtf8)) {
                return true;
            }
            word = end + 1;
        }
        return false;
    }

    private boolean isSame(int from, int to, byte[] utf8) {
        return to > from && Arrays.equals(properties, from, to, utf8, 0, utf8.length);
    }

    private void add(int hash) {
        if (count == hashes.length) {
            hashes = Arrays.copyOf(hashes, count * 2);
        }
        hashes[count++] = hash;
    }

    /// Of several properties with one name the last counts.
    private void scan(ByteBuffer bytes, RecordView record) {
        int length = record.propertiesLength();
        if (properties.length < length) {
            properties = new byte[Integer.highestOneBit(length) * 2];
        }
        bytes.get(record.propertiesOffset(), properties, 0, length);
        uniqueFrom = uniqueTo = keysFrom = keysTo = tagsFrom = tagsTo = 0;
        int at = 0;
        while (at < length) {
            int end = MessageProperties.valueEnd(properties, at, length);
            switch (properties[at]) {
                case 'U' -> {
                    if (isNamed(UNIQUE_KEY, at, end)) {
                        uniqueFrom = at + UNIQUE_KEY.length + 1;
                        uniqueTo = end;
                    }
                }
                case 'K' -> {
                    if (isNamed(KEYS, at, end)) {
                        keysFrom = at + KEYS.length + 1;
                        keysTo = end;
                    }
                }
                case 'T' -> {
                    if (isNamed(TAGS, at, end)) {
                        tagsFrom = at + TAGS.length + 1;
                        tagsTo = end;
                    }
                }
                default -> {}
            }
            at = end + 1;
        }
    }

    /// Whether the property from `at` to `end` has that name, and a value.
    private boolean isNamed(byte[] name, int at, int end) {
        int mark = at + name.length;
        return end > mark + 1
                && properties[mark] == MessageProperties.NAME_END
                && Arrays.equals(properties, at, mark, name, 0, name.length);
    }
}
