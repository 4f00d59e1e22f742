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
        int signs = 0;
        int i = from;
        // Four at a time, because each step of the plain sum waits for the one before.
        for (; i + 3 < to; i += 4) {
            byte a = utf8[i];
            byte b = utf8[i + 1];
            byte c = utf8[i + 2];
            byte d = utf8[i + 3];
            signs |= a | b | c | d;
            hash = 31 * 31 * 31 * 31 * hash + (31 * 31 * 31 * a + 31 * 31 * b + 31 * c + d);
        }
        for (; i < to; i++) {
            signs |= utf8[i];
            hash = 31 * hash + utf8[i];
        }
        return signs < 0 ? ofKey(topicHash, new String(utf8, from, to - from, StandardCharsets.UTF_8)) : fold(hash);
    }

    static int ofKey(int topicHash, String key) {
        int hash = topicHash;
        for (int i = 0; i < key.length(); i++) {
            hash = 31 * hash + key.charAt(i);
        }
        return fold(hash);
    }

    /// Where the word at `from` of a message's `KEYS` ends.
    static int wordEnd(byte[] utf8, int from, int to) {
        int end = from;
        while (end < to && utf8[end] != ' ') {
            end++;
        }
        return end;
    }

    /// Never negative; the one int without a positive twin becomes 0.
    private static int fold(int hash) {
        return Math.max(0, Math.abs(hash));
    }
}
