package gantry.broker;

import gantry.base.Endpoint;
import gantry.base.Sequencer;
import gantry.broker.append.RecordAppender;
import gantry.broker.facts.Fact;
import gantry.broker.facts.FactLog;
import gantry.store.Confirmation;
import gantry.store.LogOwner;
import gantry.store.MemberLog;
import gantry.store.OpenFailed;
import gantry.store.Store;
import gantry.store.StoreConfig;
import gantry.store.disk.FileDisk;
import gantry.wire.message.RecordHost;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A log of facts that is confirmed when the test says so.
///
/// For:   what is made of facts, without a broker around it.
/// Owner: one test.
final class FactKit implements LogOwner {
    static final Sequencer.Faults FAULTS = (sequencer, cause) -> {
        throw new AssertionError("fault in " + sequencer, cause);
    };

    final BrokerKit.HandClock clock = new BrokerKit.HandClock();
    final List<String> told = new ArrayList<>();
    final Store store;
    final FactLog facts;
    private final MemberLog log;
    private boolean closed;

    FactKit(Path folder) throws OpenFailed {
        store = Store.open(
                StoreConfig.DEFAULT.withSegmentBytes(1 << 20).withConfirmation(Confirmation.BY_OWNER),
                PromptDisk.of(new FileDisk(folder)),
                clock,
                Runnable::run,
                (level, text) -> told.add(level + " " + text),
                FAULTS,
                _ -> {});
        log = store.ownedBy(this);
        log.submitAlways(log::lead);
        facts = new FactLog(store, new RecordAppender(store, RecordHost.of(new Endpoint("127.0.0.1", 10_911))), clock);
    }

    void close() {
        if (!closed) {
            closed = true;
            store.close();
        }
    }

    void confirm() {
        log.submitAlways(() -> log.confirm(log.end()));
    }

    void add(Fact fact) {
        facts.append(fact, refusal -> {});
        confirm();
    }

    List<Fact> confirmed() throws FactLog.Unreadable {
        List<Fact> all = new ArrayList<>();
        facts.replay(0, (_, _, fact) -> all.add(fact));
        return all;
    }

    @Override
    public void appended(long end) {}

    @Override
    public void durable(long end) {}

    @Override
    public void readable() {}

    @Override
    public void tick(long nowNanos) {}
}
