package gantry.broker.replica;

import gantry.base.Clock;
import gantry.base.Entropy;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.store.Disk;
import gantry.store.Store;
import gantry.store.StoreConfig;

/// What a member of a group stands on: its store, just opened `BY_OWNER`, and the seams.
///
/// For:   making either role in one way.
/// Owner: none (immutable).
public record MemberGround(
        Store store,
        StoreConfig config,
        Disk disk,
        Clock clock,
        Entropy entropy,
        Offload offload,
        Notices notices,
        Sequencer.Faults faults) {}
