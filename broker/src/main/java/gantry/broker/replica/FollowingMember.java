package gantry.broker.replica;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.base.Image;
import gantry.base.Link;
import gantry.base.Network;
import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.LogId;
import gantry.replica.epoch.LogView;
import gantry.replica.follow.FollowerLink;
import gantry.replica.follow.FollowerLog;
import gantry.replica.follow.Following;
import gantry.replica.frame.Cause;
import gantry.replica.frame.FrameLayout;
import gantry.replica.hello.Identity;
import gantry.store.Copied;
import gantry.store.LogOwner;
import gantry.store.MemberLog;
import gantry.store.OpenFailed;
import gantry.store.Store;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A member that follows: what its leader proves to be next is copied into its store's log.
///
/// ```
///   leader's link ── frames ──▶ FollowerLink ─▶ Following ── append ──▶ store copies ── written, synced ──▶ ACK
///                                                   └─ follows, begins ──▶ file `member`, before the bytes
/// ```
/// For:   the follower's side of a replica group on a real log.
/// Owner: the log sequencer, but for what `GroupMember` offers to everybody.
/// Never: the protocol; decides who leads.
public final class FollowingMember implements GroupMember, LogOwner, FollowerLog {
    /// After so long a record that does not fit is taken for damaged, and fetched again.
    private static final Duration UNFIT_FOR = Duration.ofSeconds(4);

    private final ReplicaConfig config;
    private final Identity self;
    private final Supplier<Optional<Endpoint>> leader;
    private final MemberMemory memory;
    private final Clock clock;
    private final MemberLog log;
    private final Image<Optional<Reopening>> reopening = new Image<>(Optional.empty());
    private final Following following;
    private final CopyBeside copy;
    private final StatusBoard board;
    private @Nullable Network network;
    private boolean stopped;

    /// Writes of the file that have not come back; batches wait for them.
    private int filing;

    /// Batches that wait for the file, or for the log to take the first; the credit bounds them.
    private final Deque<Batch> waiting = new ArrayDeque<>();

    /// The record at which the log ends does not fit yet, since a while.
    private long unfitAt = -1;

    private long unfitNanos;

    /// What the log answered within a call of `following`, which must not be called then.
    private final Queue<Runnable> answers = new ArrayDeque<>();

    private boolean answering;
    private String leaderAt = "";
    private long heardNanos;
    private boolean heard;

    private record Batch(long offset, ByteBuffer bytes) {}

    private FollowingMember(
            ReplicaConfig config,
            Identity self,
            Supplier<Optional<Endpoint>> leader,
            MemberGround ground,
            MemberFile file,
            MemberRecord record)
            throws OpenFailed {
        Store store = ground.store();
        this.config = config;
        this.self = self;
        this.leader = leader;
        this.clock = ground.clock();
        this.board = new StatusBoard(ReplicaRole.FOLLOWER, config.promise(), self.memberId());
        this.log = store.ownedBy(this);
        this.memory = new MemberMemory(file, log, ground.notices(), record);
        this.copy = CopyBeside.find(ground, log, this::answer, reopening);
        this.following = new Following(
                self,
                config.trust(),
                config.limits(),
                new LogView(
                        record.logId(), record.epochs(), store.minOffset(), store.appended(), store.confirmOffset()),
                store.durable(),
                record.seen(),
                this,
                ground.notices(),
                ground.entropy());
        this.following.comparesRanges(new RangesOfLog(log, clock, this::answer));
    }

    /// Takes the log; nobody is followed before `start`.
    ///
    /// @param leader where the leader can be reached, asked whenever a connection is to be made
    static FollowingMember begin(
            ReplicaConfig config,
            Identity self,
            Supplier<Optional<Endpoint>> leader,
            MemberGround ground,
            MemberFile file)
            throws OpenFailed {
        MemberRecord found = file.load(ground.store(), ground.notices());
        FollowingMember member = new FollowingMember(config, self, leader, ground, file, found);
        member.log.submitAlways(() -> member.copy.serve(member.following));
        return member;
    }

    @Override
    public Optional<Endpoint> start(Network by) {
        log.submitAlways(() -> network = by);
        return Optional.empty();
    }

    // ---- what the log tells

    @Override
    public void appended(long end) {}

    @Override
    public void durable(long end) {
        answer(() -> following.synced(Math.min(end, following.view().end()), clock.nanos()));
    }

    @Override
    public void tick(long nowNanos) {
        Network ready = network;
        if (stopped || ready == null) {
            return;
        }
        within(() -> {
            following.dropped(log.begin());
            goOn();
            following.tick(nowNanos);
            if (following.wantsLink(nowNanos) && reopening.read().isEmpty()) {
                leader.get().ifPresent(there -> ready.dial(there, link -> session(link)));
            }
        });
        memory.noteConfirm(log.confirmOffset(), nowNanos);
        board.show(nowNanos, () -> status(nowNanos));
    }

    private Network.Session session(Link link) {
        return new LinkSession(log, clock, link, FrameLayout.MAX_FRAME_BYTES, this::machine);
    }

    private LinkSession.@Nullable Machine machine(Link link, long nowNanos) {
        if (stopped || !following.wantsLink(nowNanos)) {
            link.close("nobody is followed on this link");
            return null;
        }
        leaderAt = link.remote().toString();
        FollowerLink made = following.dialled(new LinkOutlet(link), null, nowNanos);
        return new LinkSession.Machine() {
            @Override
            public void frame(ByteBuffer frame, int at, int length, long now) {
                heard = true;
                heardNanos = now;
                within(() -> made.frame(frame, at, length, now));
            }

            @Override
            public void closed(long now) {
                within(() -> made.closed(now));
            }
        };
    }

    /// Runs a call of `following`, and then what the log answered to it.
    private void within(Runnable call) {
        answering = true;
        call.run();
        answering = false;
        drain();
    }

    private void answer(Runnable answer) {
        answers.add(answer);
        if (!answering) {
            drain();
        }
    }

    private void drain() {
        for (Runnable next = answers.poll(); next != null; next = answers.poll()) {
            Runnable now = next;
            answering = true;
            now.run();
            answering = false;
        }
    }

    // ---- what `following` asks

    @Override
    public long fileBytes() {
        return log.segmentBytes();
    }

    @Override
    public void follows(LogId logId, long reign) {
        remember(memory.record().follows(logId, reign));
    }

    @Override
    public void begins(Epoch epoch) {
        MemberRecord known = memory.record();
        // It may have begun before with bytes that were not taken.
        remember(known.epochs().newest() == epoch.number() ? known : known.begins(epoch));
    }

    private void remember(MemberRecord next) {
        if (next.equals(memory.record()) && memory.isWritten()) {
            return;
        }
        filing++;
        memory.write(next, this::filed);
    }

    private void filed(@Nullable String trouble) {
        filing--;
        if (trouble != null) {
            waiting.clear();
            long end = log.end();
            answer(() -> following.rejected(
                    end, Cause.LOG_FAILED, "what is to be remembered of the leader: " + trouble, clock.nanos()));
            return;
        }
        goOn();
    }

    private void goOn() {
        boolean taken = true;
        while (taken && filing == 0) {
            Batch next = waiting.poll();
            taken = next != null && copy(next.offset(), next.bytes());
        }
    }

    @Override
    public void append(long offset, ByteBuffer frame, int at, int length, long leaderMillis) {
        ByteBuffer bytes = frame.duplicate().limit(at + length).position(at);
        if (filing == 0 && waiting.isEmpty()) {
            copy(offset, bytes);
        } else {
            waiting.add(new Batch(offset, ByteBuffer.allocate(length).put(bytes).flip()));
        }
    }

    /// @return whether all of it was taken
    private boolean copy(long offset, ByteBuffer bytes) {
        Copied copied = log.copy(offset, bytes);
        if (copied.isWhole() || (copied.maySoonFit() && mayWait(copied.end()))) {
            if (!copied.isWhole()) {
                ByteBuffer rest = bytes.duplicate().position(bytes.position() + (int) (copied.end() - offset));
                waiting.addFirst(new Batch(
                        copied.end(),
                        ByteBuffer.allocate(rest.remaining()).put(rest).flip()));
            }
            written(copied.end());
            return copied.isWhole();
        }
        waiting.clear();
        unfitAt = -1;
        answer(() -> following.rejected(
                copied.end(),
                copied.fault() != null ? Cause.RECORD_DAMAGED : Cause.LOG_FAILED,
                why(copied),
                clock.nanos()));
        return false;
    }

    private void written(long end) {
        long durable = log.durable();
        answer(() -> {
            long now = clock.nanos();
            following.written(end, now);
            if (durable >= end) {
                following.synced(end, now);
            }
        });
    }

    /// Where a topic ends and comes again, the log waits until what is deleted is folded here.
    private boolean mayWait(long end) {
        long now = clock.nanos();
        if (end != unfitAt) {
            unfitAt = end;
            unfitNanos = now;
        }
        return now - unfitNanos < UNFIT_FOR.toNanos();
    }

    private static String why(Copied copied) {
        if (copied.fault() != null) {
            return copied.fault();
        }
        return copied.refusal() == null ? "" : copied.refusal().remark();
    }

    @Override
    public void cutBack(long end) {
        reopening.publish(Optional.of(new Reopening.CutBack(end)));
    }

    @Override
    public void confirmed(long confirmOffset) {
        log.confirm(confirmOffset);
        memory.noteConfirm(log.confirmOffset(), clock.nanos());
    }

    // ---- what the broker asks

    @Override
    public boolean leads() {
        return false;
    }

    @Override
    public boolean mayLead() {
        return false;
    }

    @Override
    public Optional<String> refusesSends() {
        return Optional.of("this broker follows " + (leaderAt.isEmpty() ? "a leader" : leaderAt)
                + ": send to the leader of its group");
    }

    @Override
    public Optional<Reopening> reopening() {
        return reopening.read();
    }

    @Override
    public ReplicaStatus status() {
        return board.status();
    }

    private ReplicaStatus status(long nowNanos) {
        LogView view = following.view();
        return new ReplicaStatus(
                        ReplicaRole.FOLLOWER,
                        self.memberId(),
                        config.promise(),
                        following.seen(),
                        view.begin(),
                        view.end(),
                        log.durable(),
                        log.confirmOffset(),
                        "this broker follows a leader: send there",
                        List.of(new MemberStatus(
                                0,
                                leaderAt,
                                following.state(),
                                OptionalLong.empty(),
                                OptionalLong.empty(),
                                heard ? OptionalLong.of((nowNanos - heardNanos) / 1_000_000) : OptionalLong.empty())),
                        StatusBoard.counts(following::refused),
                        0)
                .comparing(ComparisonStatus.of(following.compared(), following.mending(), List.of()));
    }

    @Override
    public void stop() {
        log.submitAlways(() -> {
            stopped = true;
            within(() -> following.stop(clock.nanos()));
        });
    }
}
