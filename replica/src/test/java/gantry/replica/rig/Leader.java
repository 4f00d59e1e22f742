package gantry.replica.rig;

import gantry.base.Entropy;
import gantry.replica.copy.Snapshot;
import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import gantry.replica.epoch.LogView;
import gantry.replica.hello.Identity;
import gantry.replica.hello.Trust;
import gantry.replica.lead.CopySource;
import gantry.replica.lead.LeaderLink;
import gantry.replica.lead.LeaderLog;
import gantry.replica.lead.LeaderOwner;
import gantry.replica.lead.LeaderSetup;
import gantry.replica.lead.ReplicaGroup;
import gantry.replica.lead.SetDecider;
import gantry.replica.lead.SyncSet;
import gantry.replica.member.Limits;
import gantry.replica.member.Promise;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A leader over a log in memory.
///
/// For:   tests of the leader's side, and clusters.
/// Owner: its test.
public final class Leader implements LeaderLog, LeaderOwner, CopySource {
    public static final LogId LOG = new LogId(7, 9);
    public static final byte[] SECRET = "a secret of more than 16 bytes".getBytes(StandardCharsets.US_ASCII);

    public final MemoryLog log;
    public final Notebook notebook = new Notebook();
    public final ReplicaGroup group;
    public final List<Long> outranked = new ArrayList<>();
    public EpochTable epochs;
    public long confirmed;
    public boolean cold;
    public long fileBytes;
    /// No snapshot is at hand now.
    /// Older states say something that is not so any more.
    public long fitsFrom;

    public boolean snapshotDue;
    public long keptFrom = Long.MAX_VALUE;
    public final TreeMap<Long, Snapshot> given = new TreeMap<>();

    public static Entropy entropy(long seed) {
        return purpose -> new SplittableRandom(seed ^ purpose.hashCode());
    }

    public static Identity identity(long member) {
        return new Identity("c1", "b1", member, member * 1000);
    }

    public Leader(MemoryLog log, EpochTable before, long confirm, Promise promise, Limits limits, SetDecider decider) {
        this(log, before, before.newest() + 1, log.end(), confirm, promise, limits, decider, new TreeSet<>(), 1);
    }

    public Leader(
            MemoryLog log,
            EpochTable before,
            long reign,
            long synced,
            long confirm,
            Promise promise,
            Limits limits,
            SetDecider decider,
            SortedSet<Long> members,
            long seed) {
        this.log = log;
        this.confirmed = confirm;
        this.epochs = before.begin(new Epoch(reign, log.end(), seed * 31 + reign));
        LeaderSetup setup = new LeaderSetup(identity(1), Trust.bySecret(SECRET), promise, limits, members);
        LogView first = new LogView(LOG, epochs, log.begin(), log.end(), confirm);
        group = new ReplicaGroup(
                setup, first, synced, SyncSet.of(1, List.of(1L)), decider, this, this, notebook, entropy(seed));
        group.givesCopies(this);
    }

    /// Adds a record, written and on disk at once.
    public void add(String body, long now) {
        log.add(MemoryLog.record(body.getBytes(StandardCharsets.US_ASCII)));
        group.appended(log.end(), now);
        group.synced(log.end());
    }

    public LeaderLink accept(ListOutlet outlet, long now) {
        return group.accept(outlet, "10.0.0.2", null, now);
    }

    @Override
    public long fileBytes() {
        return fileBytes;
    }

    @Override
    public long begin() {
        return log.begin();
    }

    @Override
    public ByteBuffer read(long from, long to, int maxBytes) {
        return cold ? ByteBuffer.allocate(0) : log.read(from, to, maxBytes);
    }

    /// The folded state at a log offset: a part of some bytes, an empty one, and one more.
    public static Snapshot snapshotAt(long offset) {
        return new Snapshot(
                offset * 7 + 1,
                offset,
                List.of(
                        new Snapshot.Part("topics.json", 1 + offset % 700),
                        new Snapshot.Part("empty", 0),
                        new Snapshot.Part("offsets.json", 33)));
    }

    public static byte stateByte(long snapshotOffset, int part, long at) {
        return (byte) (snapshotOffset * 31 + part * 7L + at * 3);
    }

    @Override
    public @Nullable Snapshot snapshot(long member, long wanted) {
        if (snapshotDue) {
            return null;
        }
        Snapshot before = given.get(member);
        Snapshot now = before != null && before.id() == wanted ? before : snapshotAt(confirmed);
        given.put(member, now);
        return now;
    }

    @Override
    public boolean fits(long snapshotOffset) {
        return snapshotOffset >= fitsFrom;
    }

    @Override
    public ByteBuffer read(Snapshot snapshot, int part, long offset, int maxBytes) {
        byte[] bytes = new byte[cold ? 0 : maxBytes];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = stateByte(snapshot.offset(), part, offset + i);
        }
        return ByteBuffer.wrap(bytes);
    }

    @Override
    public void released(long member) {
        given.remove(member);
    }

    @Override
    public void keepFrom(long offset) {
        keptFrom = offset;
    }

    @Override
    public void confirmed(long confirmOffset) {
        if (confirmOffset <= confirmed) {
            throw new AssertionError("CONFIRM-1 from " + confirmed + " to " + confirmOffset);
        }
        confirmed = confirmOffset;
    }

    @Override
    public void outranked(long member, long epoch) {
        outranked.add(epoch);
    }
}
