package gantry.ops.cli;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// A time as mqadmin takes it.
///
/// For:   options that are times.
/// Owner: none (immutable).
/// Never: a time zone but the machine's own.
record WallTime(long millis) {
    static final String FORMS = "milliseconds, or yyyy-MM-dd#HH:mm:ss:SSS in this machine's time";

    /// How picocli reads one.
    static final class Reader implements ITypeConverter<WallTime> {
        private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("uuuu-MM-dd'#'HH:mm:ss:SSS");

        @Override
        public WallTime convert(String text) {
            if (text.matches("[0-9]{1,18}")) {
                return new WallTime(Long.parseLong(text));
            }
            try {
                return new WallTime(LocalDateTime.parse(text, DATE)
                        .atZone(ZoneId.systemDefault())
                        .toInstant()
                        .toEpochMilli());
            } catch (DateTimeParseException e) {
                throw new TypeConversionException("\"" + text + "\" is not " + FORMS);
            }
        }
    }
}
