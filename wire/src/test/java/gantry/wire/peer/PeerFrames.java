package gantry.wire.peer;

import gantry.wire.frame.Codec;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Frames as the official library writes and reads them.
///
/// For:   golden tests of frames and headers.
/// Owner: none (stateless).
/// Never: our own codec.
public final class PeerFrames {
    private PeerFrames() {}

    /// A request with a header class of the peer's, or without one.
    public static Object request(PeerLibrary peer, Codec codec, int code, @Nullable Object header) {
        Object command = peer.makeBy("RemotingCommand", "createRequestCommand", code, header);
        PeerLibrary.call(command, "setSerializeTypeCurrentRPC", peer.constant("SerializeType", codec.name()));
        return command;
    }

    /// The whole frame, by the method that returns one buffer.
    public static byte[] encode(Object command) {
        ByteBuffer frame = (ByteBuffer) Objects.requireNonNull(PeerLibrary.call(command, "encode"));
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        return bytes;
    }

    /// The whole frame, by the way in which the official client writes to its channel.
    public static byte[] encodeFast(PeerLibrary peer, Object command) {
        Object buffer = peer.makeBy("io.netty.buffer.Unpooled", "buffer");
        PeerLibrary.call(command, "fastEncodeHeader", buffer);
        int size = (Integer) Objects.requireNonNull(PeerLibrary.call(buffer, "readableBytes"));
        byte[] header = new byte[size];
        PeerLibrary.call(buffer, "readBytes", (Object) header);
        return header;
    }

    /// The peer's command from a whole frame.
    public static Object decode(PeerLibrary peer, byte[] frame) {
        ByteBuffer behindLength = ByteBuffer.wrap(frame, 4, frame.length - 4).slice();
        return peer.makeBy("RemotingCommand", "decode", behindLength);
    }

    /// The header of a class of the peer's, from a decoded command.
    public static Object header(PeerLibrary peer, Object command, String type) {
        return Objects.requireNonNull(PeerLibrary.call(command, "decodeCommandCustomHeader", peer.type(type)));
    }

    public static void setFields(Object command, Map<String, String> fields) {
        PeerLibrary.call(command, "setExtFields", new HashMap<>(fields));
    }
}
