package gantry.judges.program;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One line between a test and the program: who, what, and named values.
///
/// For:   `p1 send topic=T count=100`, and `p1 sent key=T-0 offset=17` the other way.
/// Owner: none (immutable).
/// Never: meaning; the role gives the verbs theirs.
public record Line(String role, String verb, Map<String, String> fields) {
    public Line {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /// @param namesAndValues in turns: a name, a value, …
    public static Line of(String role, String verb, Object... namesAndValues) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put(String.valueOf(namesAndValues[i]), String.valueOf(namesAndValues[i + 1]));
        }
        return new Line(role, verb, fields);
    }

    /// @return null when `text` is no such line, as a library's own chatter
    public static @Nullable Line parse(String text) {
        String[] words = text.strip().split(" +", -1);
        if (words.length < 2) {
            return null;
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 2; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 1) {
                return null;
            }
            try {
                fields.put(words[i].substring(0, equals), URLDecoder.decode(words[i].substring(equals + 1), UTF_8));
            } catch (IllegalArgumentException _) {
                return null;
            }
        }
        return new Line(words[0], words[1], fields);
    }

    public boolean has(String name) {
        return fields.containsKey(name);
    }

    public String text(String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("\"" + this + "\" has no " + name);
        }
        return value;
    }

    public String textOr(String name, String absent) {
        return fields.getOrDefault(name, absent);
    }

    public int intOr(String name, int absent) {
        return (int) longOr(name, absent);
    }

    public int integer(String name) {
        return Integer.parseInt(text(name));
    }

    public long longOr(String name, long absent) {
        return has(name) ? Long.parseLong(text(name)) : absent;
    }

    public long longInteger(String name) {
        return Long.parseLong(text(name));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(role).append(' ').append(verb);
        fields.forEach(
                (name, value) -> text.append(' ').append(name).append('=').append(URLEncoder.encode(value, UTF_8)));
        return text.toString();
    }
}
