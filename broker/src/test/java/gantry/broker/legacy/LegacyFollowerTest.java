package gantry.broker.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.broker.replica.Reopening;
import gantry.store.ConsumeQueue;
import gantry.store.OpenFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Shows what a follower believes of a RocketMQ master: nothing that it has not compared or checked.
class LegacyFollowerTest {
    private static final byte[] LOG = MasterKit.log(5);

    @TempDir
    private Path folder;

    private MasterKit kit() throws OpenFailed {
        MasterKit kit = new MasterKit(folder);
        kit.end = LOG.length;
        return kit;
    }

    private static MasterKit.Dialled link(MasterKit kit) {
        return kit.replication().orElseThrow(() -> new AssertionError("never dialled: " + kit.state()));
    }

    /// A follower that has the whole log.
    private MasterKit inStep() throws OpenFailed {
        MasterKit kit = kit();
        kit.pass(3000);
        link(kit).say(MasterKit.frame(1, LOG, 1, LOG.length));
        kit.pass(300);
        kit.beatsAt = LOG.length;
        return kit;
    }

    private String file(String name) throws IOException {
        return Files.readString(folder.resolve("config").resolve(name));
    }

    @Test
    void copiesFromTheFirstByteOnAndReportsWhatItHasWritten() throws OpenFailed {
        MasterKit kit = kit();
        kit.pass(3000);
        assertThat(link(kit).there).isEqualTo(MasterKit.MASTER.replication());
        assertThat(link(kit).reported()).as("0 would mean the last file").isEqualTo(1);
        link(kit).say(MasterKit.frame(1, LOG, 1, 400));
        assertThat(link(kit).reported()).as("whole records only").isLessThan(400);
        link(kit).say(MasterKit.frame(400, LOG, 400, LOG.length));
        assertThat(link(kit).reported()).isEqualTo(LOG.length);
        kit.pass(300);
        assertThat(kit.state()).isEqualTo("IN_SYNC");
        ConsumeQueue queue = Objects.requireNonNull(kit.store.find("orders", 0), "the queue");
        assertThat(queue.maxOffset()).isEqualTo(5);
    }

    @Test
    void noByteIsAskedForBeforeTheTablesAreOnDisk() throws OpenFailed, IOException {
        MasterKit kit = kit();
        kit.refusedCode = 45;
        kit.pass(20_000);
        assertThat(kit.replication()).isEmpty();
        assertThat(kit.state()).contains("REFUSED", "TABLES", "refused request 45");
        assertThat(folder.resolve("config/topics.json")).doesNotExist();
        kit.refusedCode = -1;
        kit.pass(6000);
        assertThat(kit.replication()).isPresent();
        assertThat(file("topics.json")).contains("orders");
    }

    @Test
    void offsetsInTheFilesNeverLieBehindTheLogHere() throws OpenFailed, IOException {
        MasterKit kit = inStep();
        kit.offsets = "{\"offsetTable\":{\"orders@group\":{0:4,1:77}},\"pullOffsetTable\":{\"a\":1}}";
        kit.pass(12_000);
        assertThat(file("consumerOffset.json"))
                .contains("{0:4,1:0}")
                .contains("pullOffsetTable")
                .doesNotContain("gantryFacts");
        assertThat(file("delayOffset.json")).contains("{3:0}");
    }

    @Test
    void emptyTableOfTopicsIsNotBelieved() throws OpenFailed, IOException {
        MasterKit kit = inStep();
        kit.topics = "{\"topicConfigTable\":{}}";
        kit.pass(12_000);
        assertThat(file("topics.json")).contains("orders");
        assertThat(kit.state()).contains("TABLES", "empty");
    }

    @Test
    void compactedTopicIsSaidToBeMoreThanCanBeTakenOver() throws OpenFailed {
        MasterKit kit = kit();
        kit.topics = "{\"topicConfigTable\":{\"c\":{\"topicName\":\"c\",\"readQueueNums\":1,\"writeQueueNums\":1,"
                + "\"perm\":6,\"attributes\":{\"cleanup.policy\":\"COMPACTION\"}}}}";
        kit.pass(10_000);
        assertThat(kit.state()).contains("NOT_CARRIED", "topic c is compacted");
        assertThat(kit.replication()).isEmpty();
    }

    static Stream<Arguments> mastersThatCannotBeFollowed() {
        return Stream.of(
                named("OTHER_NAME", kit -> kit.brokerName = "other"),
                named("NOT_CARRIED", kit -> kit.more = "enableControllerMode=true"),
                named("NOT_CARRIED", kit -> kit.more = "brokerRole=SLAVE"),
                named("TABLES", kit -> kit.segmentBytes = -1),
                named("TABLES", kit -> kit.begin = 3),
                named("TABLES", kit -> kit.end = -5),
                named("TABLES", kit -> kit.topics = "<html>"));
    }

    private static Arguments named(String cause, Consumer<MasterKit> setting) {
        return Arguments.of(cause, setting);
    }

    @ParameterizedTest
    @MethodSource("mastersThatCannotBeFollowed")
    void masterThatCannotBeFollowedIsNamedAndNothingIsWritten(String cause, Consumer<MasterKit> setting)
            throws OpenFailed {
        MasterKit kit = kit();
        setting.accept(kit);
        kit.pass(20_000);
        assertThat(kit.state()).contains("REFUSED", cause);
        assertThat(kit.notices).filteredOn(text -> text.contains(cause)).hasSize(1);
        assertThat(kit.replication()).isEmpty();
        assertThat(folder.resolve("config/topics.json")).doesNotExist();
    }

    static Stream<Arguments> lies() {
        return Stream.of(
                lie("NOT_ITS_PLACE", log -> MasterKit.frame(-1, log, 1, log.length)),
                lie("NOT_ITS_PLACE", log -> MasterKit.frame(0, log, 0, log.length)),
                lie("NOT_ITS_PLACE", log -> MasterKit.frame(Long.MAX_VALUE, log, 0, log.length)),
                lie("BODY_SIZE", log -> changed(MasterKit.frame(1, log, 1, log.length), 8, 0x7F)),
                lie("BODY_SIZE", log -> changed(MasterKit.frame(1, log, 1, log.length), 8, 0xFF)),
                lie("RECORD_SIZE", log -> MasterKit.frame(1, changed(log, 1, 0xFF), 1, log.length)),
                lie("RECORD_DAMAGED", log -> MasterKit.frame(1, changed(log, 5, 1), 1, log.length)),
                lie("RECORD_DAMAGED", log -> MasterKit.frame(1, changed(log, 35, 1), 1, log.length)),
                lie("RECORD_DAMAGED", log -> MasterKit.frame(1, changed(log, 95, 1), 1, log.length)));
    }

    private static Arguments lie(String cause, UnaryOperator<byte[]> frame) {
        return Arguments.of(cause, frame);
    }

    private static byte[] changed(byte[] bytes, int at, int value) {
        byte[] other = bytes.clone();
        other[at] = (byte) (other[at] == value ? value + 1 : value);
        return other;
    }

    @ParameterizedTest
    @MethodSource("lies")
    void lieClosesTheConnectionChangesNothingAndIsTriedAgainFiveSecondsLater(String cause, UnaryOperator<byte[]> frame)
            throws OpenFailed {
        MasterKit kit = kit();
        kit.pass(3000);
        MasterKit.Dialled first = link(kit);
        first.say(frame.apply(LOG));
        assertThat(first.closed).contains(cause);
        assertThat(kit.store.appended()).isZero();
        kit.pass(4500);
        assertThat(kit.state()).contains("REFUSED", cause);
        assertThat(link(kit)).isSameAs(first);
        kit.pass(1000);
        assertThat(link(kit)).isNotSameAs(first);
        link(kit).say(MasterKit.frame(1, LOG, 1, LOG.length));
        kit.pass(300);
        assertThat(kit.state()).isEqualTo("IN_SYNC");
        assertThat(kit.follower.status().refused()).hasSize(1);
    }

    @Test
    void masterThatSaysNothingIsNamedWithinTenSeconds() throws OpenFailed {
        MasterKit kit = inStep();
        kit.beatsAt = -1;
        kit.pass(9_000);
        assertThat(kit.state()).isEqualTo("IN_SYNC");
        MasterKit.Dialled first = link(kit);
        kit.pass(1_500);
        assertThat(kit.state()).startsWith("SILENT");
        assertThat(first.closed).contains("10 s");
    }

    /// RocketMQ's masters do so when a slave asks for what they have deleted.
    @Test
    void masterThatOnlySaysThatItLivesIsNamed() throws OpenFailed {
        MasterKit kit = inStep();
        kit.end = LOG.length + 500L;
        kit.pass(16_000);
        assertThat(kit.notices).anyMatch(text -> text.contains("NOTHING_COMES"));
    }

    @Test
    void silentBrokerPortIsNamed() throws OpenFailed {
        MasterKit kit = kit();
        kit.answers = false;
        kit.pass(10_000);
        assertThat(kit.state()).startsWith("SILENT");
        assertThat(kit.notices).anyMatch(text -> text.contains("did not answer request 26 within 5 s"));
    }

    @Test
    void logThatBeginsLaterMovesTheBeginOfAnEmptyStore() throws OpenFailed {
        MasterKit kit = kit();
        kit.begin = 3L * MasterKit.SEGMENT_BYTES;
        kit.end = kit.begin + 100;
        kit.pass(3000);
        assertThat(kit.follower.reopening()).contains(new Reopening.BeginAt(kit.begin, MasterKit.SEGMENT_BYTES));
        assertThat(kit.replication()).isEmpty();
    }

    private static final long HEAD = 2L * MasterKit.SEGMENT_BYTES;
    private static final byte[] LATER = MasterKit.log(5, HEAD, 40);

    /// A follower that has the whole log of a master whose oldest files are gone, and with them queue 1 of `orders`.
    private MasterKit withoutHead() throws OpenFailed {
        MasterKit kit = new MasterKit(folder, HEAD);
        kit.end = HEAD + LATER.length;
        kit.queueEnds.put("orders/0", 45L);
        kit.queueEnds.put("orders/1", 77L);
        kit.pass(3000);
        link(kit).say(MasterKit.frame(HEAD, LATER, 0, LATER.length));
        kit.beatsAt = kit.end;
        return kit;
    }

    private static long end(MasterKit kit, int queueId) {
        ConsumeQueue queue = kit.store.find("orders", queueId);
        return queue == null ? 0 : queue.maxOffset();
    }

    @Test
    void queueWhoseMessagesAreGoneGoesOnWhereTheMastersDoes() throws OpenFailed, IOException {
        MasterKit kit = withoutHead();
        kit.pass(300);
        assertThat(kit.state()).as("not before queues are known").isEqualTo("CATCHING_UP, 0 bytes behind");
        kit.pass(12_000);
        assertThat(kit.state()).isEqualTo("IN_SYNC");
        assertThat(end(kit, 1)).isEqualTo(77);
        assertThat(end(kit, 0)).isEqualTo(45);
        assertThat(kit.askedQueues)
                .as("once, and of no queue that has messages")
                .containsExactly("orders/1");
        assertThat(file("consumerOffset.json")).as("no offset is lost").contains("{0:1,1:77}");
    }

    /// The master counted a message that is still on its way: to begin behind it would leave no place for it.
    @Test
    void queueIsNotBegunBeforeWhatTheMasterCountedHasCome() throws OpenFailed {
        MasterKit kit = withoutHead();
        kit.pass(300);
        byte[] more = MasterKit.log(6, HEAD, 40);
        kit.end = HEAD + more.length;
        kit.pass(6000);
        assertThat(kit.askedQueues).containsExactly("orders/1");
        assertThat(end(kit, 1)).isZero();
        assertThat(kit.state()).startsWith("CATCHING_UP");
        link(kit).say(MasterKit.frame(HEAD + LATER.length, more, LATER.length, more.length));
        kit.pass(6000);
        assertThat(end(kit, 0)).isEqualTo(46);
        assertThat(end(kit, 1)).isEqualTo(77);
    }

    @Test
    void masterThatDoesNotSayWhereAQueueGoesOnIsNamedAndAskedAgain() throws OpenFailed {
        MasterKit kit = withoutHead();
        kit.refusedCode = 30;
        kit.pass(70_000);
        assertThat(kit.state()).contains("TABLES", "refused request 30", "queue 1 of topic orders");
        assertThat(kit.notices)
                .filteredOn(text -> text.contains("refused request 30"))
                .hasSize(2);
        kit.refusedCode = -1;
        kit.pass(6000);
        assertThat(kit.state()).isEqualTo("IN_SYNC");
        assertThat(end(kit, 1)).isEqualTo(77);
    }

    private void reconnected(MasterKit kit) {
        kit.beatsAt = -1;
        link(kit).hangUp();
        kit.pass(6_000);
    }

    @Test
    void endOfOurLogIsComparedWithTheMastersOnEveryConnection() throws OpenFailed, IOException {
        MasterKit kit = inStep();
        reconnected(kit);
        assertThat(link(kit).reported()).isEqualTo(LOG.length);
        byte[] other = MasterKit.log(8);
        other[200] ^= 1;
        kit.offsets = "{\"offsetTable\":{\"orders@stranger\":{0:1}}}";
        link(kit).say(MasterKit.frame(1, other, 1, other.length));
        kit.pass(300);
        assertThat(kit.state()).contains("REFUSED", "OTHER_LOG", "log offset 200");
        assertThat(kit.store.appended()).isEqualTo(LOG.length);
    }

    @Test
    void connectionThatBreaksGoesOnWhereTheLogEnds() throws OpenFailed {
        MasterKit kit = inStep();
        reconnected(kit);
        byte[] longer = MasterKit.log(8);
        kit.end = longer.length;
        link(kit).say(MasterKit.frame(1, longer, 1, longer.length));
        kit.pass(300);
        assertThat(kit.store.appended()).isEqualTo(longer.length);
        assertThat(kit.state()).isEqualTo("IN_SYNC");
    }

    @Test
    void masterWhoseLogIsShorterOrBeginsBehindOursIsRefused() throws OpenFailed {
        MasterKit kit = inStep();
        kit.end = 10;
        reconnected(kit);
        kit.pass(20_000);
        assertThat(kit.state()).contains("AHEAD");
        kit.begin = MasterKit.SEGMENT_BYTES;
        kit.end = kit.begin + 1;
        kit.pass(12_000);
        assertThat(kit.state()).contains("BEHIND_OLDEST", "empty store directory");
        assertThat(kit.store.appended()).isEqualTo(LOG.length);
    }

    @Test
    void troubleThatLastsIsToldOnceAMinute() throws OpenFailed {
        MasterKit kit = kit();
        kit.brokerName = "other";
        kit.pass(150_000);
        List<String> told =
                kit.notices.stream().filter(text -> text.contains("OTHER_NAME")).toList();
        assertThat(told).hasSize(3).allMatch(text -> text.contains("Next: set the same brokerName"));
    }
}
