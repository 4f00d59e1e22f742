package gantry.broker.query;

import gantry.broker.session.Reply;
import gantry.broker.session.Request;
import gantry.broker.session.RequestHandler;
import gantry.wire.body.DataVersion;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FrameWriter;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;

/// Shows the settings in force (request 26), and changes a few of them (request 25): bodies of lines `key=value`.
///
/// For:   mqadmin's getBrokerConfig and updateBrokerConfig.
/// Owner: none; the settings have one.
/// Never: knows a key.
public final class SettingsHandler implements RequestHandler {
    /// Whatever is longer is no list of settings.
    private static final int MOST_BYTES = 64 * 1024;

    private final Settings settings;

    public SettingsHandler(Settings settings) {
        this.settings = settings;
    }

    @Override
    public void handle(Request request) {
        if (request.header().code() == RequestCodes.GET_BROKER_CONFIG) {
            show(request);
        } else {
            change(request);
        }
    }

    private void show(Request request) {
        StringBuilder lines = new StringBuilder();
        settings.inForce()
                .forEach((key, value) ->
                        lines.append(key).append('=').append(escaped(value)).append('\n'));
        if (request.header().isOneway()) {
            return;
        }
        FrameWriter writer = request.begin(ResponseCodes.SUCCESS, null);
        writer.field(FieldNames.VERSION, DataVersion.NONE.toJson());
        writer.end(lines.toString().getBytes(StandardCharsets.UTF_8));
    }

    /// So that whoever reads the lines as a properties file reads the value.
    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }

    private void change(Request request) {
        if (request.header().bodyLength() > MOST_BYTES) {
            request.refuse(
                    ResponseCodes.SYSTEM_ERROR,
                    "the settings have " + request.header().bodyLength() + " bytes, " + MOST_BYTES + " are the most");
            return;
        }
        SortedMap<String, String> changes = new TreeMap<>();
        Properties lines = new Properties();
        try {
            lines.load(new StringReader(new String(request.copyBody(), StandardCharsets.UTF_8)));
        } catch (IOException | IllegalArgumentException e) {
            request.refuse(ResponseCodes.SYSTEM_ERROR, "the body is no list of key=value lines: " + e.getMessage());
            return;
        }
        lines.forEach(
                (key, value) -> changes.put(key.toString(), value.toString().strip()));
        Reply reply = request.later();
        settings.change(changes, request.link().remote().toString(), trouble -> {
            if (trouble == null) {
                reply.succeed();
            } else {
                reply.answer(ResponseCodes.SYSTEM_ERROR, trouble);
            }
        });
    }
}
