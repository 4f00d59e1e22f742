package gantry.broker.replica;

import gantry.base.Clock;
import gantry.replica.frame.RangeDigest;
import gantry.replica.range.RangeDone;
import gantry.replica.range.RangeLog;
import gantry.replica.range.RangeSeen;
import gantry.replica.range.RottenRange;
import gantry.store.MemberLog;
import gantry.store.RangeAsk;
import gantry.store.RangeLook;
import gantry.store.RangeMended;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;

/// A member's log, as comparing and mending ask for it.
///
/// For:   the one translation between what `replica` asks and what `store` does.
/// Owner: the log sequencer.
/// Never: decides; keeps anything.
final class RangesOfLog implements RangeLog {
    private final MemberLog log;
    private final Clock clock;
    private final Consumer<Runnable> answers;

    /// @param answers runs what is told, inside the log sequencer and never within a call of the machine
    RangesOfLog(MemberLog log, Clock clock, Consumer<Runnable> answers) {
        this.log = log;
        this.clock = clock;
        this.answers = answers;
    }

    @Override
    public List<RottenRange> rotten() {
        return log.rotten().stream()
                .map(each -> new RottenRange(each.from(), each.to(), each.what()))
                .toList();
    }

    @Override
    public void look(long from, long to, int mostBytes, Seen answer) {
        look(RangeAsk.next(from, to, mostBytes), answer);
    }

    @Override
    public void lookAt(long from, long to, Seen answer) {
        look(RangeAsk.exactly(from, to), answer);
    }

    @Override
    public void give(long from, long to, int mostBytes, Seen answer) {
        look(RangeAsk.given(from, to, mostBytes), answer);
    }

    private void look(RangeAsk ask, Seen answer) {
        log.look(ask, look -> answers.accept(() -> answer.seen(seen(ask.from(), look), clock.nanos())));
    }

    private static RangeSeen seen(long from, RangeLook look) {
        return switch (look) {
            case RangeLook.Sound sound -> {
                ByteBuffer bytes = sound.bytes();
                RangeDigest digest = RangeDigest.of(sound.digest());
                yield bytes == null
                        ? RangeSeen.sound(sound.from(), sound.to(), digest)
                        : RangeSeen.sound(sound.from(), sound.to(), digest, bytes);
            }
            case RangeLook.Rotten rotten -> {
                byte[] digest = rotten.digest();
                yield RangeSeen.rotten(
                        rotten.from(),
                        rotten.to(),
                        digest == null ? RangeDigest.NONE : RangeDigest.of(digest),
                        rotten.what());
            }
            case RangeLook.Gone _ -> RangeSeen.gone(from);
            case RangeLook.NotNow(String why) -> RangeSeen.notNow(from, why);
        };
    }

    @Override
    public void mend(long from, ByteBuffer bytes, RangeDigest digest, Done answer) {
        log.mend(
                from,
                bytes,
                digest.bytes(),
                mended -> answers.accept(() -> answer.done(done(from, mended), clock.nanos())));
    }

    private static RangeDone done(long from, RangeMended mended) {
        return switch (mended) {
            case RangeMended.Mended(long to, String _) -> new RangeDone(RangeDone.Kind.MENDED, to, "");
            case RangeMended.Same(long to) -> new RangeDone(RangeDone.Kind.SAME, to, "");
            case RangeMended.Differs(long to, String why) -> new RangeDone(RangeDone.Kind.DIFFERS, to, why);
            case RangeMended.Unfit(String why) -> new RangeDone(RangeDone.Kind.UNFIT, from, why);
            case RangeMended.Gone _ -> new RangeDone(RangeDone.Kind.GONE, from, "");
            case RangeMended.Failed(String why) -> new RangeDone(RangeDone.Kind.FAILED, from, why);
        };
    }
}
