package gantry.client.route;

import gantry.base.Notices;
import gantry.wire.body.TopicRoute;
import gantry.wire.json.Dialect;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;

/// A file with the routes that were known last: `{"routes":{"TOPIC":{…as nameservers answer…}}}`.
///
/// For:   a start of an application while every nameserver is away.
/// Owner: its `RouteKeeper`.
/// Never: stops anything: a file that cannot be read or written is told once and done without.
public final class FileRouteShelf implements RouteShelf {
    /// A larger file is not read: no client writes one.
    private static final long MOST_BYTES = 64L * 1024 * 1024;

    private static final String ROUTES = "routes";

    private final Path file;
    private final Notices notices;

    public FileRouteShelf(Path file, Notices notices) {
        this.file = file;
        this.notices = notices;
    }

    @Override
    public Map<String, TopicRoute> read() {
        Map<String, TopicRoute> routes = new LinkedHashMap<>();
        try {
            if (!Files.exists(file)) {
                return routes;
            }
            if (Files.size(file) > MOST_BYTES) {
                throw new IOException("it has more than " + MOST_BYTES + " bytes");
            }
            JsonObject all = Json.read(Files.readAllBytes(file)).asObject("a file of routes");
            JsonObject byTopic = all.object(ROUTES);
            for (int i = 0; i < byTopic.size(); i++) {
                routes.put(byTopic.name(i, "a topic"), TopicRoute.fromJson(byTopic.value(i)));
            }
        } catch (IOException | JsonFault e) {
            notices.warn("the file of routes " + file + " cannot be used: " + e.getMessage()
                    + "; this client does without until a nameserver answers");
            routes.clear();
        }
        return routes;
    }

    @Override
    public void write(Map<String, TopicRoute> routes) {
        JsonWriter out = new JsonWriter(Dialect.STANDARD);
        out.beginObject().name(ROUTES).beginObject();
        routes.forEach((topic, route) -> {
            out.name(topic);
            route.write(out);
        });
        out.endObject().endObject();
        Path next = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(next, out.toString());
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            notices.warn("the file of routes " + file + " cannot be written: " + e.getMessage()
                    + "; after a restart this client needs a nameserver that answers");
        }
    }
}
