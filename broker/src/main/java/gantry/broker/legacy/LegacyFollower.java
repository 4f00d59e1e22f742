package gantry.broker.legacy;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.base.Image;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.broker.facts.ForeignState;
import gantry.broker.replica.GroupMember;
import gantry.broker.replica.MemberStatus;
import gantry.broker.replica.Reopening;
import gantry.broker.replica.ReplicaRole;
import gantry.broker.replica.ReplicaStatus;
import gantry.replica.frame.Cause;
import gantry.replica.hello.Identity;
import gantry.replica.member.MemberState;
import gantry.replica.member.Promise;
import gantry.store.ConsumeQueue;
import gantry.store.Copied;
import gantry.store.Disk;
import gantry.store.LogOwner;
import gantry.store.MemberLog;
import gantry.store.Store;
import gantry.wire.json.JsonFault;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A broker that copies a running RocketMQ master, to take its place later.
///
/// ```
///   CONNECTING ── tables read, log's place right ──▶ CATCHING_UP n bytes ◀──▶ IN_SYNC
///        ▲                                              │ 10 s of silence          │ something wrong
///        └───────────── 1 s, or 5 s ◀── SILENT ◀────────┴──── REFUSED: cause ◀─────┘
/// ```
/// For:   a log that is the master's byte for byte, and `config/` as the master would leave it behind.
/// Owner: the log sequencer, but for what `GroupMember` offers to everybody.
/// Never: leads; takes a change; registers anywhere; counts in anybody's promise but the master's, whom it tells only
///        what it has written.
/// Holds: LEGACY-1 the log holds no message before the files of `config/` are there; LEGACY-2 nothing is changed before
///        our log has been found to be a beginning of the master's.
public final class LegacyFollower implements GroupMember, LogOwner {
    private static final long RETRY_NANOS = 1_000_000_000L;
    private static final long REFUSED_NANOS = 5_000_000_000L;

    /// RocketMQ's masters say something every 5 s.
    static final long SILENCE_NANOS = 10_000_000_000L;

    private static final long REPORT_NANOS = 1_000_000_000L;
    private static final long SHOW_NANOS = 200_000_000L;
    private static final long NOTICE_NANOS = 60_000_000_000L;

    /// How much of our end is compared when a connection begins.
    private static final int COMPARED_BYTES = 64 * 1024;

    private static final Duration LONGEST_WRITE = Duration.ofMinutes(1);
    private static final String TIMER_TOPIC = "rmq_sys_wheel_timer";

    /// One connection to the replication port.
    private static final class Copying {
        final Link link;
        final MasterStream stream;
        final long first;
        long heardNanos;
        long bytesNanos;
        long reportNanos;

        Copying(Link link, MasterStream stream, long first, long nowNanos) {
            this.link = link;
            this.stream = stream;
            this.first = first;
            this.heardNanos = nowNanos;
            this.bytesNanos = nowNanos;
            this.reportNanos = nowNanos;
        }
    }

    private final LegacyMaster master;
    private final Identity self;
    private final Promise promise;
    private final Store store;
    private final Disk disk;
    private final Clock clock;
    private final Offload offload;
    private final Notices notices;
    private final MemberLog log;
    private final IdleQueues idle;
    private final MasterTables tables;
    private final Image<Optional<Reopening>> reopening = new Image<>(Optional.empty());
    private final Image<ReplicaStatus> shown;
    private @Nullable Network network;
    private @Nullable Copying copying;
    private @Nullable MasterFigures figures;
    private @Nullable LegacyFault fault;
    private @Nullable LegacyFault told;
    private @Nullable LegacyFault notWritten;
    private long toldNanos;
    private long figuresNanos;
    private long retryNanos;
    private long shownNanos;
    private long masterEnd;
    private long heardNanos;
    private long refusals;
    private boolean heard;
    private boolean writing;
    private boolean written;
    private boolean proven;
    private boolean timersTold;
    private boolean stopped;

    private LegacyFollower(
            LegacyMaster master,
            Identity self,
            Promise promise,
            Store store,
            Disk disk,
            Clock clock,
            Offload offload,
            Notices notices) {
        this.master = master;
        this.self = self;
        this.promise = promise;
        this.store = store;
        this.disk = disk;
        this.clock = clock;
        this.offload = offload;
        this.notices = notices;
        this.log = store.ownedBy(this);
        this.idle = new IdleQueues(store, log);
        this.tables = new MasterTables(master.broker(), clock, log::submitAlways, this::round, idle);
        this.retryNanos = clock.nanos();
        this.shown = new Image<>(status(clock.nanos()));
    }

    /// Takes the log; the master is not asked before `start`.
    ///
    /// @param store just opened, `BY_OWNER`
    public static LegacyFollower begin(
            LegacyMaster master,
            Identity self,
            Promise promise,
            Store store,
            Disk disk,
            Clock clock,
            Offload offload,
            Notices notices) {
        return new LegacyFollower(master, self, promise, store, disk, clock, offload, notices);
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
    public void durable(long end) {}

    @Override
    public void tick(long nowNanos) {
        Network ready = network;
        if (stopped || ready == null || reopening.read().isPresent()) {
            return;
        }
        tables.tick(ready, nowNanos);
        idle.tick();
        Copying now = copying;
        if (now != null) {
            watch(now, nowNanos);
        } else if (nowNanos - retryNanos >= 0) {
            connect(ready, nowNanos);
        }
        tellTimers();
        tellTrouble(nowNanos);
        if (nowNanos - shownNanos >= SHOW_NANOS) {
            shownNanos = nowNanos;
            shown.publish(status(nowNanos));
        }
    }

    // ---- the tables

    private void round(MasterTables.Round round) {
        figures = round.figures();
        figuresNanos = clock.nanos();
        masterEnd = Math.max(masterEnd, round.figures().end());
        LegacyFault obstacle = round.figures().obstacle(self.cluster(), self.group(), master.broker());
        if (obstacle == null && !writing && (proven || isHollow())) {
            write(round);
        }
    }

    /// Reads and writes them where waiting is allowed.
    private void write(MasterTables.Round round) {
        writing = true;
        offload.run(() -> {
            LegacyFault wrong = null;
            SortedMap<String, Integer> queueCounts = new TreeMap<>();
            try {
                ForeignState state = new ForeignState(round.answers());
                queueCounts.putAll(state.queueCounts());
                String why = state.notCarried();
                String trouble = why == null ? state.write(disk, this::end, LONGEST_WRITE) : null;
                if (why != null) {
                    wrong = new LegacyFault(LegacyCause.NOT_CARRIED, why);
                } else if (trouble != null) {
                    wrong = new LegacyFault(LegacyCause.OUR_LOG, trouble);
                }
            } catch (JsonFault e) {
                wrong = new LegacyFault(LegacyCause.TABLES, e.sentence());
            }
            LegacyFault outcome = wrong;
            log.submitAlways(() -> {
                writing = false;
                notWritten = outcome;
                written |= outcome == null;
                if (outcome == null) {
                    idle.topics(queueCounts);
                }
            });
        });
    }

    private long end(String topic, int queueId) {
        ConsumeQueue queue = store.find(topic, queueId);
        return queue == null ? 0 : queue.maxOffset();
    }

    private boolean isHollow() {
        return log.end() == log.begin();
    }

    // ---- the log

    /// Looks first whether the two logs can be one.
    private void connect(Network by, long nowNanos) {
        MasterFigures there = figures;
        if (there == null || nowNanos - figuresNanos > SILENCE_NANOS) {
            return;
        }
        LegacyFault obstacle = there.obstacle(self.cluster(), self.group(), master.broker());
        if (obstacle == null) {
            obstacle = isHollow() ? place(there) : misfit(there);
        }
        if (obstacle != null) {
            refuse(obstacle, nowNanos);
        } else if (reopening.read().isEmpty() && (written || !isHollow())) {
            dial(by, there, nowNanos);
        }
    }

    /// A log without messages begins where the master's does, with files of the same size.
    private @Nullable LegacyFault place(MasterFigures there) {
        if (log.begin() != there.begin() || log.segmentBytes() != there.segmentBytes()) {
            reopening.publish(Optional.of(new Reopening.BeginAt(there.begin(), there.segmentBytes())));
        }
        return notWritten;
    }

    private @Nullable LegacyFault misfit(MasterFigures there) {
        if (log.segmentBytes() != there.segmentBytes()) {
            return new LegacyFault(
                    LegacyCause.OTHER_LOG,
                    "its files have " + there.segmentBytes() + " bytes, ours " + log.segmentBytes());
        }
        if (log.end() < there.begin()) {
            return new LegacyFault(
                    LegacyCause.BEHIND_OLDEST, "its log begins at " + there.begin() + ", ours ends at " + log.end());
        }
        if (log.end() > there.end()) {
            return new LegacyFault(LegacyCause.AHEAD, "its log ends at " + there.end() + ", ours at " + log.end());
        }
        if (!written && !ForeignState.isOnDisk(disk)) {
            return new LegacyFault(LegacyCause.OTHER_LOG, "our log has messages, and config/ is not whole beside it");
        }
        return null;
    }

    private void dial(Network by, MasterFigures there, long nowNanos) {
        MasterStream stream;
        long first;
        if (isHollow()) {
            // A master that is asked for 0 begins with its last file; of its very first byte we know what it is.
            boolean fromOne = log.begin() == 0 && there.end() > 0;
            first = fromOne ? 1 : log.begin();
            stream = fromOne ? MasterStream.withoutFirstByte() : new MasterStream(first, new byte[0]);
        } else {
            byte[] ours = log.lastBytes(COMPARED_BYTES);
            // 0 would mean the last file there.
            int skipped = log.end() == ours.length ? 1 : 0;
            first = log.end() - ours.length + skipped;
            stream = new MasterStream(first, Arrays.copyOfRange(ours, skipped, ours.length));
        }
        long asked = first;
        by.dial(master.replication(), link -> {
            log.submitAlways(() -> open(link, stream, asked));
            return new StreamSession(log, link, new StreamSession.Machine() {
                @Override
                public void take(ByteBuffer bytes, int at, int length) {
                    LegacyFollower.this.take(link, bytes, at, length);
                }

                @Override
                public void closed(String reason) {
                    LegacyFollower.this.closed(link, reason);
                }
            });
        });
        retryNanos = nowNanos + RETRY_NANOS;
    }

    private void open(Link link, MasterStream stream, long first) {
        Copying before = copying;
        if (stopped || before != null) {
            link.close("nobody is followed on this link");
            return;
        }
        copying = new Copying(link, stream, first, clock.nanos());
        report(link, first);
    }

    private static void report(Link link, long offset) {
        byte[] frame = ByteBuffer.allocate(Long.BYTES).putLong(offset).array();
        link.send(frame, 0, frame.length);
    }

    private void watch(Copying now, long nowNanos) {
        if (nowNanos - now.heardNanos >= SILENCE_NANOS) {
            end(now, LegacyCause.SILENT, "nothing came from " + master.replication() + " for 10 s", nowNanos);
        } else if (nowNanos - now.bytesNanos >= SILENCE_NANOS
                && (!now.stream.isProven() || masterEnd > Math.max(log.end(), now.stream.next()))) {
            end(
                    now,
                    LegacyCause.NOTHING_COMES,
                    "its log ends at " + masterEnd + ", ours at " + log.end() + ", and no byte came for 10 s",
                    nowNanos);
        } else if (nowNanos - now.reportNanos >= REPORT_NANOS) {
            now.reportNanos = nowNanos;
            report(now.link, Math.max(now.first, log.end()));
        }
    }

    private void take(Link link, ByteBuffer bytes, int at, int length) {
        Copying now = copying;
        if (stopped || now == null || now.link.id() != link.id()) {
            return;
        }
        long nowNanos = clock.nanos();
        now.heardNanos = nowNanos;
        heardNanos = nowNanos;
        heard = true;
        long before = now.stream.next();
        LegacyFault wrong = now.stream.feed(bytes, at, length);
        now.bytesNanos = now.stream.next() > before ? nowNanos : now.bytesNanos;
        masterEnd = Math.max(masterEnd, now.stream.next());
        if (now.stream.isProven()) {
            proven = true;
            long end = log.end();
            LegacyFault copied = copy(now, nowNanos);
            wrong = copied == null ? wrong : copied;
            if (log.end() > end || log.end() >= masterEnd) {
                fault = null;
            }
        }
        if (wrong != null) {
            copying = null;
            link.close(wrong.sentence());
            refuse(wrong, nowNanos);
        }
    }

    private @Nullable LegacyFault copy(Copying now, long nowNanos) {
        ByteBuffer whole = now.stream.whole();
        if (!whole.hasRemaining()) {
            return null;
        }
        long from = now.stream.wholeFrom();
        Copied copied = log.copyForeign(from, whole);
        now.stream.taken((int) (copied.end() - from));
        log.confirm(copied.end());
        now.reportNanos = nowNanos;
        report(now.link, Math.max(now.first, copied.end()));
        if (copied.fault() != null) {
            return new LegacyFault(
                    LegacyCause.RECORD_DAMAGED, "at log offset " + copied.end() + " there is " + copied.fault());
        }
        return copied.refusal() == null
                ? null
                : new LegacyFault(LegacyCause.OUR_LOG, copied.refusal().remark());
    }

    private void end(Copying now, LegacyCause cause, String what, long nowNanos) {
        copying = null;
        now.link.close(what);
        refuse(new LegacyFault(cause, what), nowNanos);
    }

    private void refuse(LegacyFault why, long nowNanos) {
        fault = why;
        refusals++;
        retryNanos = nowNanos + REFUSED_NANOS;
    }

    private void closed(Link link, String reason) {
        Copying now = copying;
        if (now != null && now.link.id() == link.id()) {
            copying = null;
            if (!stopped) {
                fault = new LegacyFault(LegacyCause.SILENT, master.replication() + " has no connection: " + reason);
                retryNanos = clock.nanos() + RETRY_NANOS;
            }
        }
    }

    // ---- what is told

    /// One round that fails is no trouble yet.
    private @Nullable LegacyFault trouble(long nowNanos) {
        LegacyFault ours = notWritten != null ? notWritten : idle.fault();
        LegacyFault known = fault != null ? fault : ours;
        boolean isOld = figures == null || nowNanos - figuresNanos >= SILENCE_NANOS;
        return known == null && isOld ? tables.fault() : known;
    }

    /// Once for each cause, and once a minute while it lasts.
    private void tellTrouble(long nowNanos) {
        LegacyFault now = trouble(nowNanos);
        LegacyFault before = told;
        if (now == null) {
            if (before != null && copying != null) {
                told = null;
                notices.over("the RocketMQ master " + master.broker() + " is followed again");
            }
            return;
        }
        boolean isNew = before == null || before.cause() != now.cause();
        if (isNew || nowNanos - toldNanos >= NOTICE_NANOS) {
            told = now;
            toldNanos = nowNanos;
            notices.warn("the RocketMQ master " + master.broker() + " is not followed: " + now.sentence());
        }
    }

    private void tellTimers() {
        ConsumeQueue timers = timersTold ? null : store.find(TIMER_TOPIC, 0);
        if (timers != null && timers.maxOffset() > 0) {
            timersTold = true;
            notices.warn("the RocketMQ master has timer messages (any time, not levels): they are copied, and this"
                    + " version does not deliver them; let RocketMQ deliver or recall them before you change over");
        }
    }

    private MemberState state(long nowNanos) {
        LegacyFault wrong = trouble(nowNanos);
        Copying now = copying;
        if (wrong != null) {
            return wrong.cause() == LegacyCause.SILENT
                    ? new MemberState.Silent(nowNanos - heardNanos)
                    : new MemberState.Refused(wrong.shown());
        }
        if (now == null || !now.stream.isProven() || !written) {
            return new MemberState.Connecting();
        }
        long lag = masterEnd - log.end();
        return lag <= 0 && idle.areBegun() ? new MemberState.InSync() : new MemberState.CatchingUp(Math.max(0, lag));
    }

    private ReplicaStatus status(long nowNanos) {
        SortedMap<Cause, Long> refused = new TreeMap<>();
        if (refusals > 0) {
            refused.put(Cause.LEGACY, refusals);
        }
        boolean isKnown = figures != null && nowNanos - figuresNanos < 2 * SILENCE_NANOS;
        return new ReplicaStatus(
                ReplicaRole.FOLLOWER,
                self.memberId(),
                promise,
                0,
                log.begin(),
                log.end(),
                log.durable(),
                log.confirmOffset(),
                "this broker copies a RocketMQ master: send there",
                List.of(new MemberStatus(
                        0,
                        master.replication().toString(),
                        state(nowNanos),
                        isKnown ? OptionalLong.of(Math.max(0, masterEnd - log.end())) : OptionalLong.empty(),
                        OptionalLong.empty(),
                        heard ? OptionalLong.of((nowNanos - heardNanos) / 1_000_000) : OptionalLong.empty())),
                refused,
                0);
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
        return Optional.of("this broker copies the RocketMQ master " + master.broker() + ": send there");
    }

    @Override
    public Optional<Reopening> reopening() {
        return reopening.read();
    }

    @Override
    public ReplicaStatus status() {
        return shown.read();
    }

    @Override
    public void stop() {
        log.submitAlways(() -> {
            stopped = true;
            tables.stop();
            Copying now = copying;
            copying = null;
            if (now != null) {
                now.link.close("the broker stops");
            }
        });
    }
}
