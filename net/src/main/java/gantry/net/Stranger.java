package gantry.net;

import gantry.base.Network;

/// What the first bytes of something that is not a frame look like.
///
/// For:   telling the operator who knocks: a browser, a TLS client, a port scanner.
/// Owner: none (immutable).
/// Never: decides whether bytes are a frame; only names those that are not.
enum Stranger {
    TLS("a TLS hello; TLS is not available yet: switch it off in that client (tls.enable=false)"),
    PROXY("a PROXY protocol header, which is not understood yet: switch it off in the load balancer"),
    HTTP("an HTTP request; the port speaks RocketMQ's remoting protocol"),
    SSH("an SSH greeting; the port speaks RocketMQ's remoting protocol"),
    TOO_LONG("a frame that claims more bytes than are taken there, " + Network.MAX_FRAME_BYTES + " at most"),
    TOO_SHORT("a frame that claims less than its own length of header"),
    /// Not named by its bytes: too much is unfinished on all links together.
    CROWD("the beginning of a frame while too many others are unfinished"),
    /// Not named by its bytes: it took too long.
    SILENT("no whole frame in time");

    /// The shortest content of a frame: the word with the header's length.
    static final int LEAST_CONTENT_BYTES = 4;

    private final String sentence;

    Stranger(String sentence) {
        this.sentence = sentence;
    }

    /// What it sent, for a sentence that begins with its address.
    String sentence() {
        return sentence;
    }

    /// Names four bytes that are no length of a frame.
    ///
    /// @param first whether they are the first of their connection
    static Stranger of(int word, boolean first) {
        if (first) {
            if (word >>> 24 == 0x16) {
                return TLS;
            }
            switch (word) {
                case 0x50524F58, 0x0D0A0D0A -> {
                    return PROXY;
                }
                case 0x5353482D -> {
                    return SSH;
                }
                // The first four letters of GET, POST, PUT, HEAD, OPTIONS, DELETE, PATCH, CONNECT, PRI.
                case 0x47455420,
                        0x504F5354,
                        0x50555420,
                        0x48454144,
                        0x4F505449,
                        0x44454C45,
                        0x50415443,
                        0x434F4E4E,
                        0x50524920 -> {
                    return HTTP;
                }
                default -> {
                    // No protocol that we know.
                }
            }
        }
        return word >= 0 && word < LEAST_CONTENT_BYTES ? TOO_SHORT : TOO_LONG;
    }
}
