package gantry.server.config;

import java.io.IOException;
import java.io.Reader;
import java.io.Serial;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/// What a properties file says, before anybody has asked whether it makes sense.
///
/// For:   reading the keys and values of one file in the order in which they stand.
/// Owner: none (immutable).
/// Never: the meaning of a key.
public record ConfigFile(String name, Map<String, String> entries, List<String> repeated) {
    /// Stands for "no file was given".
    public static final ConfigFile NONE = new ConfigFile("(no file)", Map.of(), List.of());

    /// A configuration file is a page of text; whatever is larger is something else.
    private static final long MOST_BYTES = 1024 * 1024;

    public static ConfigFile read(Path file) throws StartRefused {
        Ordered lines = new Ordered();
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new StartRefused("The configuration file " + file + " is larger than 1 MiB, so it is not one.");
            }
            try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                lines.load(reader);
            }
        } catch (NoSuchFileException e) {
            throw new StartRefused("There is no configuration file " + file + ".", e);
        } catch (CharacterCodingException | IllegalArgumentException e) {
            throw new StartRefused("The configuration file " + file + " is not a properties file in UTF-8.", e);
        } catch (IOException e) {
            throw new StartRefused("The configuration file " + file + " cannot be read: " + e.getMessage() + ".", e);
        }
        return new ConfigFile(file.toString(), Collections.unmodifiableMap(lines.inOrder), List.copyOf(lines.repeated));
    }

    /// `Properties` alone forgets the order and keeps quiet about a key that stands there twice.
    private static final class Ordered extends Properties {
        @Serial
        private static final long serialVersionUID = 1L;

        private final transient Map<String, String> inOrder = new LinkedHashMap<>();
        private final transient List<String> repeated = new ArrayList<>();

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // one thread makes it, loads it and drops it
        public Object put(Object key, Object value) {
            String name = key.toString();
            if (inOrder.put(name, value.toString().strip()) != null) {
                repeated.add(name);
            }
            return super.put(key, value);
        }
    }
}
