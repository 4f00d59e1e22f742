package gantry.wire.message;

import gantry.wire.frame.FieldName;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds properties in the bytes of a message: `name 0x01 value 0x02`, again and again; the last 0x02 may be missing.
///
/// For:   reading single properties without building a map.
/// Owner: whoever made it; it stands for the last bytes that it was given, as long as they do not change.
/// Never: throws; parts without 0x01, with an empty name or an empty value do not exist.
public final class MessageProperties {
    public static final byte NAME_END = 1;
    public static final byte VALUE_END = 2;

    public void wrap(byte[] utf8, int from, int length) {}

    public int count() {
        return 0;
    }

    /// The property's index, -1 when there is none; of several with one name the last counts.
    public int find(FieldName name) {
        return 0;
    }

    public boolean has(FieldName name) {
        return find(name) >= 0;
    }

    public @Nullable String text(FieldName name) {
        return null;
    }

    /// The array with the values.
    public byte[] bytes() {
        return new byte[0];
    }

    public int valueStart(int index) {
        return 0;
    }

    public int valueLength(int index) {
        return 0;
    }

    /// Whether the property's value is `text`, which is plain ASCII, in any case.
    public boolean isValue(FieldName name, String text) {
        return false;
    }

    /// The code of the tag, `TagsCode.NONE` without one.
    public long tagsCode() {
        return 0;
    }

    /// In their stored order; for cold paths.
    public Map<String, String> toMap() {
        return Map.of();
    }

    public static Map<String, String> toMap(String stored) {
        return Map.of();
    }

    /// The stored form, the last 0x02 included. Nulls and empty values are left out.
    public static byte[] encode(Map<String, String> properties) {
        return new byte[0];
    }
}
