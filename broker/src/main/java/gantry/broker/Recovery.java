package gantry.broker;

import gantry.base.Notices;
import gantry.broker.append.Outcome;
import gantry.broker.facts.Fact;
import gantry.broker.facts.FactLog;
import gantry.broker.facts.Found;
import gantry.broker.facts.StateFile;
import gantry.broker.group.Groups;
import gantry.broker.topic.Catalogue;
import gantry.store.Store;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/// Folds the broker's state together at start: the files of `config/`, then the facts behind each of them.
///
/// ```
///   topics.json at 40   ──▶ topics  + facts about topics  from 40 on        written by us: it says where it stands
///   consumerOffset.json ──▶ offsets + nothing                               written by RocketMQ: newer than every fact
///   no delayOffset.json ──▶ nothing + every fact about delay from 0 on      only if the log has them all
/// ```
/// For:   topics, groups, offsets and delay progress as they were.
/// Owner: none; runs once, before anybody is served.
/// Never: goes on with a file that it cannot read; takes what is unknown for empty.
final class Recovery {
    private final Store store;
    private final FactLog facts;
    private final Catalogue catalogue;
    private final Groups groups;
    private final FactFold fold;
    private final Notices notices;
    private final Map<StateFile, Long> from = new EnumMap<>(StateFile.class);
    /// Topics and groups that were deleted and not made again, with the place in the log where that is said.
    private final Map<String, Long> goneTopics = new LinkedHashMap<>();
    /// The same for topics that were made again: what the log has of them comes later than that.
    private final Map<String, Long> endedTopics = new LinkedHashMap<>();

    private final Set<String> goneGroups = new LinkedHashSet<>();
    private boolean needsAll;
    private boolean adopts;
    private boolean factsAreNotAll;
    private long foldedTo;
    private long filesAt;

    Recovery(Store store, FactLog facts, Catalogue catalogue, Groups groups, FactFold fold, Notices notices) {
        this.store = store;
        this.facts = facts;
        this.catalogue = catalogue;
        this.groups = groups;
        this.fold = fold;
        this.notices = notices;
    }

    /// @return whether files of RocketMQ were taken over: then the state has to be exported before anybody is served
    boolean run(Map<StateFile, Found> files) throws FactLog.Unreadable {
        long end = facts.end();
        for (StateFile file : StateFile.values()) {
            take(file, files.getOrDefault(file, new Found.Absent()), end);
        }
        long first = from.values().stream().mapToLong(Long::longValue).min().orElse(end);
        if (first < end && first < facts.begin()) {
            throw new FactLog.Unreadable(
                    sentenceOfMissing(files) + " The log's own record of them reaches back to fact " + facts.begin()
                            + " only, but it is needed from fact " + first
                            + " on. Bring the file back from a copy of config/, then start again.",
                    null);
        }
        foldedTo = facts.replay(first, this::replayed);
        letGo();
        if (needsAll && factsAreNotAll) {
            throw new FactLog.Unreadable(
                    sentenceOfMissing(files)
                            + " The log does not have all of it, because this store was taken over from"
                            + " RocketMQ. Bring the file back from a copy of config/, then start again.",
                    null);
        }
        tell(files, first, end);
        return adopts;
    }

    /// Facts below it are in the state.
    long foldedTo() {
        return foldedTo;
    }

    /// A file may hold facts up to here that the log does not show yet: the state is none of one moment before they
    /// are folded once more.
    long wholeFrom() {
        return Math.max(foldedTo, filesAt);
    }

    private void take(StateFile file, Found found, long end) {
        switch (found) {
            case Found.Whole whole -> {
                whole.facts().forEach(fold::fold);
                adopts |= whole.position().isEmpty();
                // Files and log can come from different moments after a loss of power: then the log is shorter than
                // the files say.
                from.put(file, Math.min(end, whole.position().orElse(end)));
                filesAt = Math.max(filesAt, whole.position().orElse(end));
            }
            case Found.Absent _, Found.Damaged _ -> {
                needsAll |= end > 0;
                from.put(file, 0L);
            }
        }
    }

    /// A commit may have got into the log behind the end of what it belongs to; and a crash may have come
    /// between the end of a topic and the end of its queues.
    private void letGo() {
        goneTopics.forEach((topic, logEnd) -> {
            groups.forgetTopic(topic);
            if (store.topicEnds().hasBelow(topic, logEnd)) {
                catalogue.goOnDeleting(topic, logEnd, Outcome.IGNORED);
            } else {
                store.topicEnds().beginAnew(topic, logEnd);
            }
        });
        endedTopics.forEach((topic, logEnd) -> {
            if (store.topicEnds().hasBelow(topic, logEnd)) {
                catalogue.endQueues(topic, logEnd, Outcome.IGNORED);
            } else {
                store.topicEnds().beginAnew(topic, logEnd);
            }
        });
        goneGroups.forEach(groups::forgetGroup);
    }

    private boolean replayed(long queueOffset, long logEnd, Fact fact) {
        switch (fact) {
            case Fact.TopicGone gone -> goneTopics.put(gone.topic(), logEnd);
            case Fact.TopicSet set -> {
                Long ended = goneTopics.remove(set.config().topic());
                if (ended != null) {
                    endedTopics.put(set.config().topic(), ended);
                }
            }
            case Fact.GroupGone gone -> goneGroups.add(gone.group());
            case Fact.GroupSet set -> goneGroups.remove(set.group().group());
            case Fact.Offsets _,
                    Fact.OffsetsGone _,
                    Fact.DelayProgress _,
                    Fact.Adopted _,
                    Fact.StatePoint _,
                    Fact.StateTold _ -> {}
        }
        if (fact instanceof Fact.Adopted) {
            factsAreNotAll = true;
        } else if (queueOffset >= from.getOrDefault(StateFile.of(fact), 0L)) {
            fold.fold(fact);
        } else if (fact instanceof Fact.TopicGone gone && queueOffset >= from.getOrDefault(StateFile.OFFSETS, 0L)) {
            groups.forgetTopic(gone.topic());
        } else if (fact instanceof Fact.GroupGone gone && queueOffset >= from.getOrDefault(StateFile.OFFSETS, 0L)) {
            groups.forgetGroup(gone.group());
        }
        return true;
    }

    private static String sentenceOfMissing(Map<StateFile, Found> files) {
        StringBuilder sentence = new StringBuilder();
        files.forEach((file, found) -> {
            if (found instanceof Found.Damaged damaged) {
                sentence.append(damaged.sentence()).append('.');
            } else if (found instanceof Found.Absent) {
                sentence.append(file.file().path()).append(" is missing.");
            }
        });
        return sentence.isEmpty() ? "A file of config/ is older than the log." : sentence.toString();
    }

    private void tell(Map<StateFile, Found> files, long first, long end) {
        files.values().forEach(found -> {
            if (found instanceof Found.Damaged damaged) {
                notices.alarm(damaged.sentence() + ". Nothing is lost: it was made again from the log");
            }
        });
        if (adopts) {
            notices.info("Took over from RocketMQ: " + catalogue.topicConfigs().size() + " topics, "
                    + catalogue.groupConfigs().size() + " groups, and the offsets of "
                    + groups.offsetsNow().size()
                    + " pairs of topic and group");
        }
        if (end > first) {
            notices.info("folded " + (end - first) + " facts of the log into the state of topics, groups and offsets");
        }
    }
}
