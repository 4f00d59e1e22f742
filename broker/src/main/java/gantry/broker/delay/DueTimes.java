package gantry.broker.delay;

import gantry.broker.topic.TopicNames;
import gantry.store.EntryRule;
import gantry.wire.message.RecordView;

/// What the queue entry of a record carries: of a delayed message the time at which it is due, else its tag's code.
///
/// For:   entries that are made again at recovery, as RocketMQ's delivery reads them.
/// Owner: none (immutable).
public final class DueTimes implements EntryRule {
    private final DelayLevels levels;

    public DueTimes(DelayLevels levels) {
        this.levels = levels;
    }

    @Override
    public long tagsCode(RecordView record) {
        boolean delayed = record.queueId() >= 0
                && record.queueId() < levels.count()
                && record.topic().equals(TopicNames.SCHEDULE_TOPIC);
        return delayed ? record.storeMillis() + levels.millis(record.queueId() + 1) : record.tagsCode();
    }
}
