package gantry.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// The hash under which a key is found: of the text `topic#key`, in UTF-16 as Java counts it.
///
/// For:   computing it from UTF-8 bytes without a string, as long as they are ASCII.
/// Owner: none (stateless).
final class KeyHash {
    private KeyHash() {}

    /// Where the hashes of all keys of a topic begin.
    static int ofTopic(ByteBuffer utf8, int at, int length) {
        int hash = 0;
        for (int i = at; i < at + length; i++) {
            byte each = utf8.get(i);
            if (each < 0) {
                byte[] copy = new byte[length];
                utf8.get(at, copy);
                return 31 * new String(copy, StandardCharsets.UTF_8).hashCode() + '#';
            }
            hash = 31 * hash + each;
        }
        return 31 * hash + '#';
    }

    static int ofTopic(String topic) {
        return 31 * topic.hashCode() + '#';
    }

    /// Goes on with a key, and folds the result.
    static int ofKey(int topicHash, byte[] utf8, int from, int to) {
        int hash = topicHash;
        for (int i = from; i < to; i++) {
            byte each = utf8[i];
            if (each < 0) {
                return ofKey(topicHash, new String(utf8, from, to - from, StandardCharsets.UTF_8));
            }
            hash = 31 * hash + each;
        }
        return fold(hash);
    }

    static int ofKey(int topicHash, String key) {
        int hash = topicHash;
        for (int i = 0; i < key.length(); i++) {
            hash = 31 * hash + key.charAt(i);
        }
        return fold(hash);
    }

    /// Never negative; the one int without a positive twin becomes 0.
    private static int fold(int hash) {
        return Math.max(0, Math.abs(hash));
    }
}
