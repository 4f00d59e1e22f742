package gantry.wire.message;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Shows that literal addresses are read as the JDK reads them, and that names are never taken for addresses.
class AddressTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "127.0.0.1",
                "255.255.255.255",
                "10.20.30.40",
                "::",
                "::1",
                "1::",
                "fe80::1:2",
                "2001:db8:0:0:0:0:0:1",
                "2001:DB8::a:0:b",
                "1:2:3:4:5:6:7:8",
                "::ffff:10.0.0.1",
                "::10.0.0.1",
                "64:ff9b::192.0.2.33",
                "1:2:3:4:5:6:1.2.3.4"
            })
    void literalIsReadAsTheJdkReadsIt(String text) throws UnknownHostException {
        InetAddress theirs = InetAddress.getByName(text);
        RecordHost ours = Objects.requireNonNull(RecordHost.parse(new Endpoint(text, 1)));

        assertThat(ours.address()).isEqualTo(theirs.getAddress());
        assertThat(ours.addressText()).isEqualTo(theirs.getHostAddress());
        assertThat(RecordHost.parse(ours.endpoint())).isEqualTo(ours);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost", "broker-a.example", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.-4", "1.2..4", "1.2.3.4x",
                        ".",
                "1.2.3.1000", ":", ":::", "1:2", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::",
                "::1.2.3", "1.2.3.4::", "1.2.3.4%eth0", "1:2:3:4:5:6:7:1.2.3.4", "\u0661.2.3.4"
            })
    void nameOrNonsenseIsNoAddress(String text) {
        assertThat(RecordHost.parse(new Endpoint(text, 1))).isNull();
        assertThat(RecordHost.of(new Endpoint(text, 9)).toString()).isEqualTo("0.0.0.0:9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fe80::1%eth0", "fe80::1%2"})
    void zoneIsLeftOut(String text) {
        assertThat(RecordHost.of(new Endpoint(text, 5)).toString()).isEqualTo("[fe80:0:0:0:0:0:0:1]:5");
    }
}
