package gantry.bench.report;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Every single measurement in one JSON file.
///
/// For:   who wants to compute with it.
/// Owner: none (stateless).
public final class JsonFile {
    private JsonFile() {}

    public static void write(Path file, String machine, Map<String, String> targets, List<Measurement> all) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("machine", machine);
        document.put("targets", targets);
        document.put("measurements", all);
        JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValue(file.toFile(), document);
    }
}
