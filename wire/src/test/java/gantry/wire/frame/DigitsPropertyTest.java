package gantry.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;

/// Numbers are read and written as the JDK does it.
class DigitsPropertyTest {
    private static String write(long number) {
        byte[] into = new byte[Digits.MAX_CHARS + 2];
        int end = Digits.write(number, into, 1);
        return new String(Arrays.copyOfRange(into, 1, end), StandardCharsets.US_ASCII);
    }

    private static long parse(String text) {
        byte[] bytes = ("9" + text + "9").getBytes(StandardCharsets.UTF_8);
        return Digits.parse(bytes, 1, bytes.length - 2);
    }

    private static long jdk(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return Digits.NOT_A_NUMBER;
        }
    }

    @Property
    void everyNumberIsWrittenAsTheJdkWritesItAndReadBack(@ForAll long number) {
        assertThat(write(number)).isEqualTo(Long.toString(number));
        assertThat(parse(write(number))).isEqualTo(number);
        assertThat(Digits.isInt(number)).isEqualTo(number == (int) number);
    }

    @Property
    void everyTextIsReadAsTheJdkReadsIt(
            @ForAll @StringLength(max = 22) @CharRange(from = '0', to = '9') @CharRange(from = '+', to = '-')
                    String text) {
        assertThat(parse(text)).isEqualTo(jdk(text));
    }

    @Example
    void edgesAreExact() {
        for (String text : new String[] {
            "9223372036854775807",
            "-9223372036854775807",
            "9223372036854775808",
            "-9223372036854775809",
            "18446744073709551615",
            "18446744073709551616",
            "9999999999999999999",
            "00000000000000000000000000007",
            "-0",
            "+0",
            "",
            "-",
            "+",
            "--1",
            "1-",
            "0x1",
            " 1",
            "1 ",
            "99999999999999999999999"
        }) {
            assertThat(parse(text)).as(text).isEqualTo(jdk(text));
        }
        assertThat(write(Long.MIN_VALUE)).isEqualTo("-9223372036854775808");
    }
}
