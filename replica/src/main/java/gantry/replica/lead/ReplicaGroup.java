package gantry.replica.lead;

import gantry.base.Entropy;
import gantry.base.Invariant;
import gantry.base.Notices;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogView;
import gantry.replica.frame.Cause;
import gantry.replica.frame.Fault;
import gantry.replica.frame.FrameWriter;
import gantry.replica.frame.Hello;
import gantry.replica.frame.Outlet;
import gantry.replica.frame.Position;
import gantry.replica.hello.LeaderHello;
import gantry.replica.member.Limits;
import gantry.replica.member.MemberState;
import gantry.replica.member.Refusals;
import gantry.replica.range.Mending;
import gantry.replica.range.RangeLink;
import gantry.replica.range.RangeLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A leader and its links, for one reign.
///
/// For:   turning what members prove that they hold into `confirmOffset`.
/// Owner: the log sequencer.
/// Never: a clock, a socket, a file; who is in the set is proposed here and decided elsewhere.
/// Holds: CONFIRM-1 confirmOffset never goes back; CONFIRM-2 it never passes what a member of the set is known
///        to hold, nor, while a change of the set is under way, a member of either; CONFIRM-3 it stands still
///        while fewer members are in the set than the promise names.
public final class ReplicaGroup {
    /// Whoever was told to cut its log or to change it for a copy, and does not come again in this time, is silent.
    private static final Duration OVERDUE = Duration.ofSeconds(30);

    private final LeaderSetup setup;
    private final LeaderLog log;
    private final LeaderOwner owner;
    private final RandomGenerator random;
    private final Notices notices;
    private final Refusals refusals;
    private final Strangers strangers;
    private final EpochTable epochs;
    private final LogView first;
    private final SyncSetReview set;
    private final Copies copies;
    private final List<LeaderLink> links = new ArrayList<>();
    private final SortedMap<Long, Member> members = new TreeMap<>();
    private long written;
    private long synced;
    private long confirm;
    private long leaderMillis;
    private final Pace comparePace;
    private @Nullable RangeLog ranges;
    private @Nullable Mending mending;

    /// @param first the log as this reign begins, whose newest epoch is the reign
    /// @param synced up to where it is on disk
    /// @param start the set as it was decided last; whoever is not there in truth leaves it at once
    public ReplicaGroup(
            LeaderSetup setup,
            LogView first,
            long synced,
            SyncSet start,
            SetDecider decider,
            LeaderLog log,
            LeaderOwner owner,
            Notices notices,
            Entropy entropy) {
        String fault = first.fault();
        Invariant.check(
                fault == null && !first.epochs().isEmpty(), "REIGN-1 a reign begins with a sound log: " + fault);
        this.setup = setup;
        this.first = first;
        this.epochs = first.epochs();
        this.written = first.end();
        this.synced = synced;
        this.confirm = first.confirm();
        this.log = log;
        this.owner = owner;
        this.random = entropy.fork("replica hello");
        this.notices = notices;
        this.refusals = new Refusals(notices);
        this.strangers = new Strangers(setup.limits());
        this.copies = new Copies(log, setup.limits().copyBytesPerSecond());
        this.comparePace = new Pace(setup.limits().compare().bytesPerSecond());
        setup.members().forEach(id -> members.put(id, new Member(id)));
        this.set = new SyncSetReview(this, decider, start);
    }

    /// This reign follows one of the same process: what was refused is counted on from there, and what was told a
    /// moment ago is not told again. Called once, before anybody connects.
    public void countsOnFrom(ReplicaGroup before) {
        refusals.countsOnFrom(before.refusals);
    }

    /// Members that cannot go on from their own log may copy ours; without this they are refused with
    /// `NEEDS_RESEED`. Called once, before anybody connects.
    public void givesCopies(CopySource source) {
        Invariant.check(links.isEmpty(), "COPY-3 copies are given from the start of a reign");
        copies.from(source);
    }

    /// Members compare their logs, and what is rotten here is asked for; without this nothing is compared or given.
    /// Called once, before anybody connects.
    public void comparesRanges(RangeLog own) {
        Invariant.check(links.isEmpty() && ranges == null, "RANGE-3 logs are compared from the start of a reign");
        ranges = own;
        mending = new Mending(own, notices);
    }

    /// Somebody has connected.
    ///
    /// @param host from where, without the port
    /// @param certified the name that the connection's certificate gives, null when it has none
    public LeaderLink accept(Outlet outlet, String host, @Nullable String certified, long nowNanos) {
        LeaderHello hello = new LeaderHello(setup.self(), setup.trust(), random, certified);
        LeaderLink link = new LeaderLink(this, outlet, host, hello, nowNanos);
        Fault full = strangers.enter(host);
        if (full == null) {
            links.add(link);
        } else {
            link.end(full, false, nowNanos);
        }
        return link;
    }

    /// Records are in the log up to `end`.
    public void appended(long end, long nowNanos) {
        Invariant.check(end >= written, "CONFIRM-2 a leader's log never gets shorter");
        written = end;
        // First: where this member alone is enough, the batch says already that it is confirmed.
        recount();
        fillAll(nowNanos);
    }

    /// The log is on disk up to `end`.
    public void synced(long end) {
        Invariant.check(end >= synced && end <= written, "CONFIRM-2 only what is written can be on disk");
        synced = end;
        recount();
    }

    /// What `LeaderLog.read` did not have at hand can be read now.
    public void readable(long nowNanos) {
        fillAll(nowNanos);
    }

    /// The log could not be read for one of the members: its link ends, and it comes again.
    public void unreadable(long member, String why, long nowNanos) {
        Member reader = members.get(member);
        LeaderLink link = reader == null ? null : reader.link();
        if (link != null) {
            link.end(new Fault(Cause.LOG_FAILED, why), true, nowNanos);
        }
    }

    /// Time passes; at least every 100 ms.
    public void tick(long nowNanos, long wallMillis) {
        leaderMillis = wallMillis;
        for (int i = links.size() - 1; i >= 0; i--) {
            links.get(i).tick(nowNanos);
        }
        fillAll(nowNanos);
        copies.tick(nowNanos);
        set.review(nowNanos);
        recount();
        Mending mends = mending;
        if (mends != null) {
            mends.tick(givers(), nowNanos);
        }
        for (Member each : members.values()) {
            MemberState now = state(each);
            if (each.isOver(now)) {
                notices.over("replication: member " + each.id() + " is in sync again");
            }
            if (now instanceof MemberState.InSync) {
                copies.release(each.id());
            } else if (isOverdue(each, now, nowNanos)) {
                each.state(new MemberState.Silent(each.heardNanos()));
            }
        }
    }

    /// Who is in the set, from whoever decides it. An older decision than the last is late and changes nothing.
    public void decided(SyncSet actual) {
        set.decided(actual);
        recount();
    }

    /// The reign is over: every link ends, and nothing is confirmed any more.
    public void stepDown(long nowNanos) {
        for (int i = links.size() - 1; i >= 0; i--) {
            links.get(i).end(new Fault(Cause.STEPPED_DOWN, ""), true, nowNanos);
        }
        copies.end();
    }

    /// Why nothing can be acknowledged now, in words for an operator; null when sends may be taken.
    public @Nullable String refusesSends() {
        int there = set.current().size();
        if (there >= setup.promise().members()) {
            return null;
        }
        StringBuilder words = new StringBuilder("a send is " + setup.promise().words() + ", and " + there + " of them "
                + (there == 1 ? "is" : "are") + " in sync");
        for (Member each : members.values()) {
            if (!set.current().has(each.id())) {
                words.append("; member ")
                        .append(each.id())
                        .append(" is ")
                        .append(state(each).words());
            }
        }
        return words.toString();
    }

    public long confirmOffset() {
        return confirm;
    }

    public SyncSet syncSet() {
        return set.current();
    }

    /// How every other member stands, by its number.
    public SortedMap<Long, MemberState> states() {
        SortedMap<Long, MemberState> states = new TreeMap<>();
        members.forEach((id, member) -> states.put(id, state(member)));
        return states;
    }

    /// How far every other member has come, by rising number.
    public List<MemberProgress> progress() {
        List<MemberProgress> progress = new ArrayList<>(members.size());
        members.forEach((id, member) -> progress.add(new MemberProgress(
                id,
                member.host(),
                state(member),
                member.isStreaming() ? OptionalLong.of(member.written()) : OptionalLong.empty(),
                member.wasHeard() ? OptionalLong.of(member.heardNanos()) : OptionalLong.empty())));
        return progress;
    }

    /// What comparing the log with every other member has come to, by rising number.
    public List<CompareFigures> comparisons() {
        List<CompareFigures> figures = new ArrayList<>(members.size());
        members.forEach((id, member) -> figures.add(member.round().figures(id)));
        return figures;
    }

    /// What has become of what was rotten here; null where nothing is compared.
    public @Nullable Mending mending() {
        return mending;
    }

    /// How often something was refused for this cause.
    public long refused(Cause cause) {
        return refusals.count(cause);
    }

    public int strangers() {
        return strangers.count();
    }

    /// It had something to do before it would come again, and has not come.
    private boolean isOverdue(Member member, MemberState now, long nowNanos) {
        boolean away =
                member.link() == null && (now instanceof MemberState.Reseeding || now instanceof MemberState.Diverged);
        return away && nowNanos - member.heardNanos() >= OVERDUE.toNanos();
    }

    private MemberState state(Member member) {
        CopyStream copy = member.copy();
        if (copy != null) {
            return new MemberState.Reseeding(copy.done(), copy.total());
        }
        if (!member.isStreaming()) {
            return member.state();
        }
        boolean counts = setup.promise().members() == 1 || set.current().has(member.id());
        return counts && member.position(setup.promise()) >= confirm
                ? new MemberState.InSync()
                : new MemberState.CatchingUp(Math.max(0, written - member.written()));
    }

    private void fillAll(long nowNanos) {
        for (int i = links.size() - 1; i >= 0; i--) {
            links.get(i).fill(nowNanos);
        }
    }

    private void recount() {
        long lowest = setup.promise().counted(written, synced);
        List<Member> waitedFor = set.waitedFor();
        if (waitedFor.size() + 1 < setup.promise().members()) {
            return;
        }
        for (int i = 0; i < waitedFor.size(); i++) {
            lowest = Math.min(lowest, waitedFor.get(i).position(setup.promise()));
        }
        if (lowest > confirm) {
            confirm = lowest;
            owner.confirmed(confirm);
        }
    }

    /// Who can be asked for what is rotten here.
    private List<RangeLink> givers() {
        List<RangeLink> givers = new ArrayList<>();
        for (Member each : members.values()) {
            LeaderLink link = each.link();
            LeaderRanges its = link == null ? null : link.ranges();
            if (its != null && state(each) instanceof MemberState.InSync) {
                givers.add(its.link());
            }
        }
        return givers;
    }

    // What follows is for the links and for the review of the set.

    /// Null where nothing is compared.
    @Nullable
    LeaderRanges ranges(FrameWriter out, Member member, RangeLink.Ends ends) {
        RangeLog own = ranges;
        Mending mends = mending;
        return own == null || mends == null
                ? null
                : new LeaderRanges(
                        new Comparing(
                                out,
                                own,
                                member.round(),
                                limits().compare(),
                                comparePace,
                                ends,
                                notices,
                                "member " + member.id()),
                        new RangeLink(out, own, mends, limits().batchBytes(), this::confirmOffset, ends));
    }

    /// Goes on comparing with a member that has all that is confirmed.
    void compare(Member member, Stream stream, LeaderRanges its, long nowNanos) {
        if (state(member) instanceof MemberState.InSync) {
            long there = Math.min(stream.told(), stream.synced());
            its.comparing().tick(log.begin(), Math.min(there, Math.min(confirm, synced)), nowNanos);
        }
    }

    LeaderSetup setup() {
        return setup;
    }

    Limits limits() {
        return setup.limits();
    }

    long reign() {
        return epochs.newest();
    }

    /// A member counts only once it has all that was there before this reign.
    private long leastToEnter() {
        return Math.max(confirm, epochs.epochs().getLast().start());
    }

    long end() {
        return written;
    }

    LogView view() {
        return new LogView(first.logId(), epochs.dropBelow(log.begin()), log.begin(), written, confirm);
    }

    /// The member of this number, which is made when there is none.
    Member member(long id) {
        return members.computeIfAbsent(id, Member::new);
    }

    void proven(String host) {
        strangers.leave(host);
    }

    /// Why somebody who has proved itself cannot be a member; null when it can.
    @Nullable
    Fault refusal(Hello peer, long nowNanos) {
        return Admission.refusal(setup, members, peer, nowNanos);
    }

    /// Why a log cannot be a copy of ours, whatever is in it: a message that ends one file there would lie within
    /// another, which shows only when the first file is full.
    @Nullable
    Fault refusal(Position position) {
        long ours = log.fileBytes();
        long its = position.fileBytes();
        return ours == 0 || its == 0 || ours == its
                ? null
                : new Fault(Cause.FILE_SIZES, "they have " + its + " bytes, and the leader's " + ours);
    }

    /// Adds everybody who may enter the set now.
    void candidates(Set<Long> wanted, long nowNanos) {
        for (Member each : members.values()) {
            if (each.mayEnter(setup.promise(), leastToEnter(), written, limits().slow(), nowNanos)) {
                wanted.add(each.id());
            }
        }
    }

    Member admit(LeaderLink link, Hello peer, long nowNanos) {
        Member member = member(peer.memberId());
        LeaderLink before = member.link();
        if (before != null) {
            before.end(new Fault(Cause.REPLACED, ""), true, nowNanos);
        }
        member.connected(link, peer.instance(), nowNanos);
        return member;
    }

    Stream stream(FrameWriter out, long at, Position position) {
        return new Stream(
                out,
                epochs,
                at,
                position.synced(),
                position.creditBytes(),
                limits().batchBytes(),
                limits().creditBytes());
    }

    /// A copy for this member; null when none is given.
    @Nullable
    CopyStream copy(FrameWriter out, Member member, LogView shown, long nowNanos) {
        CopySource source = copies.source();
        return source == null
                ? null
                : new CopyStream(
                        out,
                        copies,
                        source,
                        member.id(),
                        shown,
                        limits().batchBytes(),
                        limits().creditBytes(),
                        nowNanos);
    }

    /// The member copies, and is told of once a minute.
    void copies(Member member, CopyStream copy, Fault why, long nowNanos) {
        member.copies(copy);
        if (refusals.add(why, "member " + member.id() + " is copied anew", nowNanos)) {
            member.troubled();
        }
        set.review(nowNanos);
    }

    @Nullable
    Fault fill(CopyStream copy, long nowNanos) {
        Fault fault = copy.wantsOffer() ? copy.offer(view(), nowNanos) : null;
        return fault == null ? copy.fill(log, nowNanos) : fault;
    }

    @Nullable
    Fault beat(FrameWriter out) {
        return Stream.beat(out, reign(), written, confirm, leaderMillis);
    }

    void streams(Member member, Stream stream, long nowNanos) {
        if (copies.isHeldFor(member.id())) {
            copies.hold(member.id(), stream.written());
        }
        member.streams(stream.written(), stream.synced(), written, nowNanos);
        set.review(nowNanos);
        recount();
    }

    @Nullable
    Fault fill(Stream stream) {
        return stream.fill(log, written, confirm, leaderMillis);
    }

    @Nullable
    Fault beat(Stream stream) {
        return stream.beat(written, confirm, leaderMillis);
    }

    void acknowledged(Member member, Stream stream, long nowNanos) {
        member.heard(nowNanos);
        if (copies.isHeldFor(member.id())) {
            copies.hold(member.id(), stream.written());
        }
        member.acknowledged(stream.written(), stream.synced(), setup.promise(), written, nowNanos);
        if (!set.current().has(member.id())) {
            set.review(nowNanos);
        }
        recount();
        for (int i = links.size() - 1; i >= 0; i--) {
            links.get(i).tellConfirm(nowNanos);
        }
    }

    boolean owesConfirm(Stream stream) {
        return stream.owesConfirm(written, confirm);
    }

    void outranked(Member member, long epoch) {
        owner.outranked(member.id(), epoch);
    }

    void ended(LeaderLink link, @Nullable Member member, boolean proven, String host, Fault fault, long nowNanos) {
        boolean told =
                refusals.add(fault, member == null ? "a connection from " + host : "member " + member.id(), nowNanos);
        if (told && member != null) {
            member.troubled();
        }
        boolean entered = links.remove(link);
        if (entered && !proven) {
            strangers.leave(host);
        }
        if (member != null) {
            boolean gone = fault.cause().source() == Cause.Source.LINK
                    || fault.cause() == Cause.REPLACED
                    || fault.cause() == Cause.STEPPED_DOWN;
            left(
                    link,
                    member,
                    gone ? new MemberState.Silent(member.heardNanos()) : new MemberState.Refused(fault),
                    nowNanos);
        }
    }

    void left(LeaderLink link, Member member, MemberState state, long nowNanos) {
        links.remove(link);
        if (member.link() == link) {
            member.ended(state);
            copies.unlinked(member.id(), nowNanos);
            set.review(nowNanos);
        }
    }
}
