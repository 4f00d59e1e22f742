package gantry.wire.body;

import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;

/// Enum names in fields.
///
/// For:   a sentence, not an exception, when a peer sends a name that is not known here.
/// Owner: none (stateless).
final class Names {
    private Names() {}

    static <E extends Enum<E>> E read(JsonObject object, String name, E absent) throws JsonFault {
        String text = object.text(name);
        if (text == null) {
            return absent;
        }
        for (E constant : absent.getDeclaringClass().getEnumConstants()) {
            if (constant.name().equals(text)) {
                return constant;
            }
        }
        throw JsonFault.of(name + " " + JsonFault.quote(text) + " is not known here");
    }
}
