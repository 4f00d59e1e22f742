package gantry.wire.message;

import gantry.base.Endpoint;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// An address and port as they stand in stored messages and message ids.
///
/// For:   born host, store host and `OffsetMessageId`.
/// Owner: none (immutable).
/// Never: names; only literal addresses.
public final class RecordHost {
    /// Stands where an address is not known.
    public static final RecordHost UNKNOWN = new RecordHost(new byte[4], 0);

    private final byte[] address;
    private final int port;

    private RecordHost(byte[] address, int port) {
        this.address = address;
        this.port = port;
    }

    /// @param address 4 or 16 bytes
    public static RecordHost of(byte[] address, int port) {
        if (address.length != 4 && address.length != 16) {
            throw new IllegalArgumentException("an address has 4 or 16 bytes, not " + address.length);
        }
        return new RecordHost(address.clone(), port);
    }

    /// The host of a literal IPv4 or IPv6 address; null when it is a name.
    public static @Nullable RecordHost parse(Endpoint endpoint) {
        byte[] address = AddressText.parse(endpoint.host());
        return address == null ? null : new RecordHost(address, endpoint.port());
    }

    /// The host of a literal address; `UNKNOWN`'s address with the port when it is a name.
    public static RecordHost of(Endpoint endpoint) {
        RecordHost host = parse(endpoint);
        return host == null ? new RecordHost(UNKNOWN.address, endpoint.port()) : host;
    }

    /// The host that is stored at the absolute index `at`, where `EXTRA_V6` more bytes are when it is IPv6.
    static RecordHost read(ByteBuffer bytes, int at, boolean v6) {
        byte[] address = new byte[v6 ? 16 : 4];
        bytes.get(at, address);
        return new RecordHost(address, bytes.getInt(at + address.length));
    }

    /// Writes it as stored, and returns the index behind it.
    int write(ByteBuffer into, int at) {
        into.put(at, address);
        into.putInt(at + address.length, port);
        return at + address.length + 4;
    }

    public boolean isV6() {
        return address.length == 16;
    }

    public int port() {
        return port;
    }

    /// In bytes, as stored: address and port.
    public int storedBytes() {
        return address.length + 4;
    }

    /// Shared, never to be changed.
    byte[] address() {
        return address;
    }

    /// The address in its usual text form, without brackets or port.
    public String addressText() {
        return AddressText.write(address);
    }

    /// @throws IllegalArgumentException when the port, which is of 32 bits in a record, is none
    public Endpoint endpoint() {
        return new Endpoint(addressText(), port);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RecordHost host && host.port == port && Arrays.equals(host.address, address);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(address) + port;
    }

    @Override
    public String toString() {
        return isV6() ? "[" + addressText() + "]:" + port : addressText() + ":" + port;
    }
}
