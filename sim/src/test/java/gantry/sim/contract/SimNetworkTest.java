package gantry.sim.contract;

import gantry.base.Endpoint;
import gantry.base.Network;
import gantry.sim.Life;
import gantry.sim.net.SimNet;
import gantry.sim.net.Weather;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs the contract against the simulated network, in fair weather, with several seeds.
@ParameterizedClass
@ValueSource(longs = {1, 2, 3, 4, 5})
class SimNetworkTest extends NetworkContract {
    private static final String FAR_HOST = "10.0.0.2";

    private final SimBed bed;
    private final SimNet net;
    private final Life far = new Life(FAR_HOST, 0);
    private final Life near = new Life("10.0.0.1", 0);

    SimNetworkTest(long seed) {
        bed = new SimBed(seed);
        net = new SimNet(bed.scheduler, Weather.FAIR.withOutbox(1 << 20, 4 << 20));
    }

    @Override
    Bed bed() {
        return bed;
    }

    @Override
    Network listening() {
        return net.network(far);
    }

    @Override
    Network dialling() {
        return net.network(near);
    }

    @Override
    Endpoint anyPort() {
        return new Endpoint(FAR_HOST, 0);
    }

    @Override
    Endpoint deadPort() {
        return new Endpoint(FAR_HOST, 7);
    }

    @Override
    RawConnection raw(Endpoint there) {
        List<Recorder> session = new CopyOnWriteArrayList<>();
        var link = net.network(near).dial(there, Recorder.into(session));
        return new RawConnection() {
            @Override
            public void write(byte[] bytes) {
                link.send(bytes, 0, bytes.length);
            }

            @Override
            public boolean isClosed() {
                return !session.getFirst().closed.isEmpty();
            }
        };
    }
}
