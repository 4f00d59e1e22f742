package gantry.wire.json;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Trees of every shape, from a seed.
final class RandomJson {
    private static final String CHARS =
            "aZ09_$-%@ .:,{}[]\"'\\/\n\r\t\b\f\0\u001f\u007f\u0085\u2028\u20acé你\ud83d\ude00";

    private final SplittableRandom random;

    RandomJson(long seed) {
        this.random = new SplittableRandom(seed);
    }

    Json tree(int depth) {
        return switch (random.nextInt(depth > 0 ? 8 : 6)) {
            case 0 -> new Json.Text(text());
            case 1 -> new Json.Whole(random.nextLong() >> random.nextInt(64));
            case 2 -> new Json.Decimal(decimal());
            case 3 -> random.nextBoolean() ? Json.Bool.TRUE : Json.Bool.FALSE;
            case 4 -> Json.Null.NULL;
            case 5 -> random.nextBoolean() ? JsonObject.EMPTY : Json.Array.EMPTY;
            case 6 -> new Json.Array(items(depth));
            default -> object(depth);
        };
    }

    String text() {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(12);
        for (int i = 0; i < length; i++) {
            text.append(CHARS.charAt(random.nextInt(CHARS.length())));
        }
        return text.toString();
    }

    private double decimal() {
        double value = Double.longBitsToDouble(random.nextLong());
        return Double.isFinite(value) ? value : 0.5;
    }

    private List<Json> items(int depth) {
        List<Json> items = new ArrayList<>();
        int count = random.nextInt(5);
        for (int i = 0; i < count; i++) {
            items.add(tree(depth - 1));
        }
        return items;
    }

    private JsonObject object(int depth) {
        List<Json> flat = new ArrayList<>();
        int count = random.nextInt(5);
        for (int i = 0; i < count; i++) {
            flat.add(
                    switch (random.nextInt(4)) {
                        case 0 -> new Json.Whole(random.nextInt());
                        case 1 -> object(depth > 1 ? depth - 1 : 0);
                        default -> new Json.Text(text());
                    });
            flat.add(tree(depth - 1));
        }
        return new JsonObject(flat.toArray(Json[]::new));
    }
}
