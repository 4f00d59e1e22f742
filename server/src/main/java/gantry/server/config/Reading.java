package gantry.server.config;

import gantry.base.Endpoint;
import gantry.base.Require;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How the text of a value becomes a value.
///
/// For:   one place for each type of value, with words for what is allowed.
/// Owner: none (immutable).
/// Never: checks that need another key; the configuration records do those.
///
/// @param what is allowed, to complete "is not …"
/// @param parse throws `IllegalArgumentException` for anything else; its text is not shown
public record Reading<T>(String what, Function<String, T> parse) {
    static final Reading<String> TEXT = new Reading<>("a text", text -> {
        Require.that(!text.isEmpty(), "empty");
        return text;
    });

    static final Reading<Boolean> SWITCH = new Reading<>("true or false", text -> {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    });

    static final Reading<Path> FOLDER = new Reading<>("a path", text -> {
        Require.that(!text.isEmpty(), "empty");
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(text, e);
        }
    });

    /// RocketMQ takes several, with commas between; a file could then be in two of them.
    static final Reading<Path> ONE_FOLDER = new Reading<>("the path of one folder", text -> {
        Require.that(!text.contains(","), "several");
        return FOLDER.parse.apply(text);
    });

    static final Reading<List<Endpoint>> ENDPOINTS = new Reading<>("a list of HOST:PORT;HOST:PORT", text -> {
        List<Endpoint> all = new ArrayList<>();
        for (String one : text.split("[;,]", -1)) {
            if (!one.isBlank()) {
                all.add(Endpoint.parse(one));
            }
        }
        Require.that(!all.isEmpty(), "empty");
        return List.copyOf(all);
    });

    static final Reading<Set<Integer>> HOURS = new Reading<>("a list of hours from 00 to 23, as in 04;16", text -> {
        Set<Integer> all = new TreeSet<>();
        for (String one : text.split(";", -1)) {
            int hour = Integer.parseInt(one.strip());
            Require.that(hour >= 0 && hour <= 23, "out of bounds");
            all.add(hour);
        }
        return Set.copyOf(all);
    });

    /// Apache's brokers write some of them one way, and some the other.
    static final Reading<Double> SHARE = new Reading<>("a share, as in 0.85, or in per cent, as in 85", text -> {
        double value = Double.parseDouble(text);
        double share = value > 1 ? value / 100 : value;
        Require.that(share > 0 && share <= 1, "out of bounds");
        return share;
    });

    static Reading<Integer> number(int least, int most) {
        return new Reading<>("a whole number from " + least + " to " + most, text -> {
            int value = Integer.parseInt(text);
            Require.that(value >= least && value <= most, "out of bounds");
            return value;
        });
    }

    static Reading<Long> bytes(long least, long most) {
        return new Reading<>("a number of bytes from " + least + " to " + most, text -> {
            long value = Long.parseLong(text);
            Require.that(value >= least && value <= most, "out of bounds");
            return value;
        });
    }

    static <E extends Enum<E>> Reading<E> oneOf(Class<E> type) {
        String names = Stream.of(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(" or "));
        return new Reading<>(names, text -> Enum.valueOf(type, text));
    }
}
