package gantry.control.nameserver;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.base.Image;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.wire.frame.Codec;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FrameFlags;
import gantry.wire.frame.FrameWriter;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.RequestCodes;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Asks other nameservers whether they answer.
///
/// For:   a list of nameservers in which none that hangs stands.
/// Owner: its sequencer; `answering` is for anybody.
/// Never: their routes: nameservers share nothing.
public final class NameserverPeers {
    /// How often each is asked.
    public static final Duration PERIOD = Duration.ofSeconds(2);

    /// Whoever has not answered for so long does not answer.
    static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final String ANY_TOPIC = "TBW102";

    private final Network network;
    private final Clock clock;
    private final Sequencer sequencer;
    private final List<Peer> peers = new ArrayList<>();
    private final Image<List<Endpoint>> answering = new Image<>(List.of());

    public NameserverPeers(
            List<Endpoint> peers, Network network, Clock clock, Offload offload, Sequencer.Faults faults) {
        this.network = network;
        this.clock = clock;
        this.sequencer = new Sequencer("nameserver peers", offload, faults);
        peers.forEach(address -> this.peers.add(new Peer(address)));
    }

    /// Those that have answered the last question, in the order of the configuration.
    public List<Endpoint> answering() {
        return answering.read();
    }

    /// Call it every half second or so.
    public void tick() {
        sequencer.submitAlways(() -> {
            long now = clock.nanos();
            peers.forEach(peer -> peer.tick(now));
            publish();
        });
    }

    private void publish() {
        List<Endpoint> now = peers.stream()
                .filter(peer -> peer.answers)
                .map(peer -> peer.address)
                .toList();
        if (!now.equals(answering.read())) {
            answering.publish(now);
        }
    }

    private final class Peer {
        private final Endpoint address;
        private @Nullable Link link;
        private boolean answers;
        private boolean asked;
        private long askedNanos;
        private int correlationId;

        Peer(Endpoint address) {
            this.address = address;
        }

        void tick(long nowNanos) {
            long passed = nowNanos - askedNanos;
            if (correlationId > 0 && asked && passed >= PATIENCE.toNanos()) {
                lost("no answer within " + PATIENCE.toMillis() + " ms");
            }
            if (correlationId == 0 || passed >= PERIOD.toNanos()) {
                ask(nowNanos);
            }
        }

        private void ask(long nowNanos) {
            Link to = link;
            if (to == null) {
                to = network.dial(address, Ear::new);
                link = to;
            }
            asked = true;
            askedNanos = nowNanos;
            FrameWriter out = new FrameWriter();
            out.begin(Codec.JSON, RequestCodes.GET_ROUTEINFO_BY_TOPIC, FrameFlags.REQUEST, ++correlationId);
            out.field(FieldNames.TOPIC, ANY_TOPIC);
            out.end(0);
            // A link that takes nothing is closing, which is told.
            to.send(out.bytes(), 0, out.size());
        }

        /// Any answer is one, whatever it says.
        private void answered(Link on, int id) {
            if (link != null && link.id() == on.id() && id == correlationId) {
                asked = false;
                answers = true;
                publish();
            }
        }

        private void closed(Link gone) {
            if (link != null && link.id() == gone.id()) {
                link = null;
                asked = false;
                answers = false;
                publish();
            }
        }

        private void lost(String reason) {
            Link hung = link;
            link = null;
            asked = false;
            answers = false;
            if (hung != null) {
                sequencer.after(() -> hung.close(reason));
            }
        }

        /// Hears what comes back on one link.
        private final class Ear implements Network.Session {
            private final Link mine;
            private final HeaderReader header = new HeaderReader();

            Ear(Link mine) {
                this.mine = mine;
            }

            @Override
            public void frame(ByteBuffer frame, int offset, int length) {
                if (!header.read(frame, offset, length)) {
                    mine.close("a malformed frame: " + header.fault());
                } else if (header.isAnswer()) {
                    int id = header.correlationId();
                    sequencer.submitAlways(() -> answered(mine, id));
                }
            }

            @Override
            public void burstEnded() {}

            @Override
            public void closed(String reason) {
                sequencer.submitAlways(() -> Peer.this.closed(mine));
            }
        }
    }
}
