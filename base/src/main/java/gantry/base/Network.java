package gantry.base;

/// Listens and dials; the only door to other processes in the core.
///
/// For:   length-framed byte exchange. The contract is weak on purpose: links may drop, delay, or end at any time,
///        and never promise an answer.
/// Owner: none.
/// Never: the meaning of a frame; it knows the four length bytes and the size limit, nothing else.
public interface Network {
    /// The largest frame that is accepted, its length field included.
    int MAX_FRAME_BYTES = 16 * 1024 * 1024;

    /// Starts to accept links.
    ///
    /// @throws ListenFailed when the port is taken or the address is not of this machine
    Listener listen(Endpoint here, Acceptor acceptor) throws ListenFailed;

    /// Starts to connect and returns at once. The link may be used at once too: frames wait, bounded, until it is
    /// open. A failed connect is told as `Session.closed`.
    Link dial(Endpoint there, Acceptor acceptor);

    interface Listener {
        /// Where it really listens; the port is never 0.
        Endpoint local();

        /// Once this returns nobody is accepted any more; links that were accepted live on.
        void close();
    }

    /// Makes the session of a new link.
    interface Acceptor {
        Session accept(Link link);
    }

    /// Told what arrives on one link, always one call at a time, in order.
    interface Session {
        /// A whole frame. `frame` is valid only during this call; reads are absolute.
        ///
        /// @param offset where its four length bytes start
        /// @param length of the whole frame, the four length bytes included
        void frame(java.nio.ByteBuffer frame, int offset, int length);

        /// Nothing more has arrived for now: whatever was gathered from the frames since the last call should
        /// be worked on.
        void burstEnded();

        /// The link is gone; told exactly once, also after a failed dial. Nothing follows.
        void closed(String reason);
    }

    /// A port could not be opened.
    final class ListenFailed extends Exception {
        private static final long serialVersionUID = 1L;

        public ListenFailed(String sentence, Throwable cause) {
            super(sentence, cause);
        }
    }
}
