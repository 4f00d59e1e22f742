package gantry.broker.replica;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.base.Entropy;
import gantry.base.Image;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Notices;
import gantry.base.Published;
import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.LogId;
import gantry.replica.epoch.LogView;
import gantry.replica.hello.Identity;
import gantry.replica.lead.CompareFigures;
import gantry.replica.lead.LeaderLink;
import gantry.replica.lead.LeaderLog;
import gantry.replica.lead.LeaderOwner;
import gantry.replica.lead.LeaderSetup;
import gantry.replica.lead.MemberProgress;
import gantry.replica.lead.ReplicaGroup;
import gantry.replica.lead.StaticSet;
import gantry.replica.lead.SyncSet;
import gantry.replica.member.MemberState;
import gantry.store.LogOwner;
import gantry.store.LogPiece;
import gantry.store.MemberLog;
import gantry.store.OpenFailed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A member that leads: its store's log, given to followers, and confirmed by what they prove to hold.
///
/// ```
///   store ── appended, durable, tick ──▶ ReplicaGroup ── confirmed ──▶ store shows and answers
///   follower's link ── frames ──▶ LeaderLink ─┘    └─ read ──▶ the log as it is stored
/// ```
/// For:   the leader's side of a replica group on a real log.
/// Owner: the log sequencer, but for what `GroupMember` offers to everybody.
/// Never: the protocol; takes messages before what the log held at its beginning is confirmed.
public final class LeadingMember implements GroupMember, LogOwner, LeaderLog, LeaderOwner {
    /// A frame of a follower: its position, with all its epochs, is the longest.
    private static final int MOST_FRAME_BYTES = 64 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ReplicaConfig config;
    private final Identity self;
    private final Clock clock;
    private final Entropy entropy;
    private final Notices notices;
    private final RandomGenerator marks;
    private final MemberLog log;
    private final LagClock lag = new LagClock();
    private final MemberMemory memory;
    private final GivenCopies copies;
    private @Nullable ReplicaGroup group;
    private final boolean bringsALog;
    private long reignStart;
    /// A reign above one that a member has followed is being written down.
    private boolean rising;
    /// Where the disk did not give what a member needs next; -1: nowhere since the last tick.
    private long unreadableFrom = -1;

    private String unreadableWhat = "";

    private final StatusBoard board;
    private final Published leading = new Published(0);
    private final Image<Optional<Network.Listener>> listener = new Image<>(Optional.empty());
    private final Image<Optional<String>> refusal = new Image<>(Optional.empty());

    private LeadingMember(
            ReplicaConfig config,
            Identity self,
            StateParts state,
            MemberGround ground,
            MemberFile file,
            MemberRecord record,
            boolean bringsALog) {
        this.bringsALog = bringsALog;
        this.config = config;
        this.self = self;
        this.clock = ground.clock();
        this.entropy = ground.entropy();
        this.notices = ground.notices();
        this.marks = entropy.fork("reign marks");
        this.board = new StatusBoard(ReplicaRole.LEADER, config.promise(), self.memberId());
        this.log = ground.store().ownedBy(this);
        this.memory = new MemberMemory(file, log, notices, record);
        this.copies = new GivenCopies(log, state, entropy.fork("snapshots"));
    }

    /// Begins to lead: writes the new reign down, and then takes the log. Waits for the disk.
    static LeadingMember begin(
            ReplicaConfig config, Identity self, StateParts state, MemberGround ground, MemberFile file)
            throws OpenFailed {
        MemberRecord found = file.load(ground.store(), ground.notices());
        LogId logId = found.logId().isNone() ? LogId.draw(ground.entropy().fork("log id")) : found.logId();
        boolean bringsALog = found.logId().isNone() && ground.store().appended() > 0;
        LeadingMember member =
                new LeadingMember(config, self, state, ground, file, found.follows(logId, found.seen()), bringsALog);
        MemberRecord next = member.nextReign(found.seen(), ground.store().appended());
        String trouble = file.write(next);
        if (trouble != null) {
            throw new OpenFailed("the new reign could not be written down: " + trouble);
        }
        member.log.submitAlways(() -> member.reign(next));
        return member;
    }

    private MemberRecord nextReign(long above, long start) {
        MemberRecord record = memory.record();
        return record.begins(new Epoch(Math.max(above, record.seen()) + 1, start, marks.nextLong()));
    }

    private void reign(MemberRecord next) {
        long now = clock.nanos();
        ReplicaGroup before = group;
        if (before != null) {
            before.stepDown(now);
        }
        memory.became(next);
        reignStart = log.end();
        LogView view = new LogView(next.logId(), next.epochs(), log.begin(), log.end(), log.confirmOffset());
        ReplicaGroup reigning = new ReplicaGroup(
                new LeaderSetup(self, config.trust(), config.promise(), config.limits(), config.members()),
                view,
                log.durable(),
                SyncSet.of(0, Set.of(self.memberId())),
                new StaticSet(),
                this,
                this,
                notices,
                entropy);
        if (before != null) {
            reigning.countsOnFrom(before);
        }
        reigning.givesCopies(copies);
        reigning.comparesRanges(new RangesOfLog(log, clock, Runnable::run));
        group = reigning;
        rising = false;
        log.lead();
        reigning.tick(now, clock.wallMillis());
        look(reigning, now);
    }

    @Override
    public Optional<Endpoint> start(Network network) throws Network.ListenFailed {
        Network.Listener opened = network.listen(config.listen(), this::accept);
        listener.publish(Optional.of(opened));
        return Optional.of(opened.local());
    }

    private Network.Session accept(Link link) {
        return new LinkSession(log, clock, link, MOST_FRAME_BYTES, this::machine);
    }

    private LinkSession.@Nullable Machine machine(Link link, long nowNanos) {
        ReplicaGroup reigning = group;
        if (reigning == null) {
            link.close("this member does not lead");
            return null;
        }
        LeaderLink made = reigning.accept(new LinkOutlet(link), link.remote().host(), null, nowNanos);
        return new LinkSession.Machine() {
            @Override
            public void frame(ByteBuffer frame, int at, int length, long now) {
                made.frame(frame, at, length, now);
            }

            @Override
            public void closed(long now) {
                made.closed(now);
            }
        };
    }

    // ---- what the log tells

    @Override
    public void appended(long end) {
        if (group != null) {
            group.appended(end, clock.nanos());
        }
    }

    @Override
    public void durable(long end) {
        if (group != null) {
            group.synced(end);
        }
    }

    @Override
    public void readable() {
        if (group != null) {
            group.readable(clock.nanos());
        }
    }

    @Override
    public void tick(long nowNanos) {
        ReplicaGroup reigning = group;
        if (reigning != null) {
            tellUnreadable(reigning, nowNanos);
            reigning.tick(nowNanos, clock.wallMillis());
            look(reigning, nowNanos);
        }
    }

    private void look(ReplicaGroup reigning, long nowNanos) {
        memory.noteConfirm(log.confirmOffset(), nowNanos);
        lag.sample(log.end(), log.entryCount(), nowNanos);
        if (log.confirmOffset() >= reignStart) {
            leading.advance(1);
        }
        Optional<String> why = Optional.ofNullable(reigning.refusesSends());
        if (!why.equals(refusal.read())) {
            refusal.publish(why);
        }
        board.show(nowNanos, () -> status(reigning, nowNanos));
    }

    private ReplicaStatus status(ReplicaGroup reigning, long nowNanos) {
        long end = log.end();
        List<MemberStatus> members = new ArrayList<>();
        for (MemberProgress each : reigning.progress()) {
            OptionalLong written = each.written();
            OptionalLong heard = each.heardNanos();
            boolean isKnown = written.isPresent();
            long has = written.orElse(0);
            members.add(new MemberStatus(
                    each.id(),
                    each.host(),
                    each.state(),
                    isKnown ? OptionalLong.of(Math.max(0, end - has)) : OptionalLong.empty(),
                    isKnown ? lag.behindMessages(has, end, log.entryCount()) : OptionalLong.empty(),
                    isKnown ? lag.behindMillis(has, end, nowNanos) : OptionalLong.empty(),
                    heard.isPresent()
                            ? OptionalLong.of(Math.max(0, nowNanos - heard.getAsLong()) / 1_000_000)
                            : OptionalLong.empty()));
        }
        return new ReplicaStatus(
                        ReplicaRole.LEADER,
                        self.memberId(),
                        config.promise(),
                        memory.record().epochs().newest(),
                        log.begin(),
                        end,
                        log.durable(),
                        log.confirmOffset(),
                        reigning.refusesSends(),
                        members,
                        StatusBoard.counts(reigning::refused),
                        reigning.strangers())
                .comparing(comparison(reigning, nowNanos));
    }

    private static ComparisonStatus comparison(ReplicaGroup reigning, long nowNanos) {
        List<ComparisonStatus.Of> members = new ArrayList<>();
        long compared = 0;
        for (CompareFigures each : reigning.comparisons()) {
            compared += each.compared();
            members.add(new ComparisonStatus.Of(
                    each.member(),
                    each.compared(),
                    each.rottenThere(),
                    each.differing(),
                    each.from(),
                    each.to(),
                    millisSince(each.wholeNanos(), nowNanos),
                    millisSince(each.endedNanos(), nowNanos),
                    each.at(),
                    each.goesTo()));
        }
        return ComparisonStatus.of(compared, reigning.mending(), members);
    }

    private static OptionalLong millisSince(OptionalLong nanos, long nowNanos) {
        return nanos.isPresent()
                ? OptionalLong.of(Math.max(0, nowNanos - nanos.getAsLong()) / 1_000_000)
                : OptionalLong.empty();
    }

    // ---- what the group asks

    @Override
    public long begin() {
        return log.begin();
    }

    @Override
    public long fileBytes() {
        return log.segmentBytes();
    }

    @Override
    public ByteBuffer read(long from, long to, int maxBytes) {
        return switch (log.read(from, to, maxBytes)) {
            case LogPiece.Whole whole -> whole.bytes();
            case LogPiece.Later _ -> NOTHING;
            case LogPiece.Unreadable unreadable -> {
                unreadable(from, unreadable.what());
                yield NOTHING;
            }
        };
    }

    private void unreadable(long from, String what) {
        unreadableFrom = from;
        unreadableWhat = what;
    }

    /// Whoever waits for what the disk does not give is told so: its link ends, and it tries again.
    private void tellUnreadable(ReplicaGroup reigning, long nowNanos) {
        if (unreadableFrom < 0) {
            return;
        }
        for (MemberProgress each : reigning.progress()) {
            // Which of those that copy has asked is not known: who has not loses a moment.
            boolean waits = each.written().isPresent()
                    ? each.written().getAsLong() == unreadableFrom
                    : each.state() instanceof MemberState.Reseeding;
            if (waits) {
                reigning.unreadable(each.id(), unreadableWhat, nowNanos);
            }
        }
        unreadableFrom = -1;
    }

    @Override
    public void confirmed(long confirmOffset) {
        log.confirm(confirmOffset);
        if (leading.read() == 0 && log.confirmOffset() >= reignStart) {
            leading.advance(1);
        }
    }

    /// A member has followed an epoch that this log does not know: another leader was there, or this log is an old
    /// copy. With roles from configuration this one leads nevertheless, above it.
    @Override
    public void outranked(long member, long epoch) {
        if (rising) {
            return;
        }
        rising = true;
        // The reign has to begin where the log ends, so the log stands still until it is written down.
        log.follow("nobody for a moment, until a newer reign is written down");
        MemberRecord next = nextReign(epoch, log.end());
        memory.write(next, trouble -> {
            if (trouble == null) {
                reign(next);
                return;
            }
            rising = false;
            log.lead();
            notices.alarm("member " + member + " has followed epoch " + epoch
                    + ", and a newer one could not be begun: " + trouble
                    + ". It is tried again when that member connects; free the disk, or look at its state");
        });
    }

    // ---- what the broker asks

    @Override
    public boolean leads() {
        return leading.read() > 0;
    }

    @Override
    public boolean mayLead() {
        return true;
    }

    @Override
    public boolean bringsALog() {
        return bringsALog;
    }

    @Override
    public Optional<String> refusesSends() {
        return refusal.read();
    }

    @Override
    public Optional<Reopening> reopening() {
        return Optional.empty();
    }

    @Override
    public ReplicaStatus status() {
        return board.status();
    }

    @Override
    public void stop() {
        listener.read().ifPresent(Network.Listener::close);
        log.submitAlways(() -> {
            ReplicaGroup reigning = group;
            if (reigning != null) {
                reigning.stepDown(clock.nanos());
            }
        });
    }
}
