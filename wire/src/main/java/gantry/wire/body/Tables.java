package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Lists and tables of records inside bodies.
///
/// For:   reading and writing them in one line, and keeping the order in which they came.
/// Owner: none (stateless).
final class Tables {
    private Tables() {}

    /// Reads one value of a list or table.
    interface Reading<T> {
        T read(Json json) throws JsonFault;
    }

    static <K, V> Map<K, V> frozen(Map<K, V> table) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(table));
    }

    static <K extends Comparable<K>, V> SortedMap<K, V> frozenSorted(SortedMap<K, V> table) {
        return Collections.unmodifiableSortedMap(new TreeMap<>(table));
    }

    static <T> List<T> list(JsonObject object, String name, Reading<T> reading) throws JsonFault {
        List<T> list = new ArrayList<>();
        for (Json item : object.array(name)) {
            list.add(reading.read(item));
        }
        return list;
    }

    /// Members that are null are left out.
    static <T> Map<String, T> byName(JsonObject object, String name, Reading<T> reading) throws JsonFault {
        JsonObject table = object.object(name);
        Map<String, T> map = new LinkedHashMap<>();
        for (int i = 0; i < table.size(); i++) {
            if (table.value(i) != Json.Null.NULL) {
                map.put(table.name(i, name), reading.read(table.value(i)));
            }
        }
        return map;
    }

    static SortedMap<Long, String> textById(JsonObject object, String name) throws JsonFault {
        JsonObject table = object.object(name);
        SortedMap<Long, String> map = new TreeMap<>();
        for (int i = 0; i < table.size(); i++) {
            if (table.value(i) != Json.Null.NULL) {
                map.put(table.key(i).asWhole("a key of " + name), table.value(i).asText(name));
            }
        }
        return map;
    }

    static void write(JsonWriter out, String name, Iterable<? extends Body> items) {
        out.name(name).beginArray();
        items.forEach(item -> item.write(out));
        out.endArray();
    }

    static void write(JsonWriter out, String name, Map<String, ? extends Body> table) {
        out.name(name).beginObject();
        table.forEach((key, value) -> value.write(out.name(key)));
        out.endObject();
    }

    static void writeById(JsonWriter out, String name, Map<Long, String> table) {
        out.name(name).beginObject();
        table.forEach((key, value) -> out.name(key).text(value));
        out.endObject();
    }
}
