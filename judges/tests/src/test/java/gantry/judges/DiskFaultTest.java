package gantry.judges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gantry.judges.court.ClientVersion;
import gantry.judges.court.Judge;
import gantry.judges.court.Peer;
import gantry.judges.court.Progress;
import gantry.judges.court.Talk;
import gantry.judges.program.Line;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What official clients see of a disk that is full, and of a log that has lost its head.
final class DiskFaultTest {
    private static final int MIB = 1 << 20;

    /// R063: what a disk that has room again may take.
    private static final Duration BACK = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    /// Consumers and their offsets go on; sends fail in words that name cause, path and limit, and go on by themselves.
    @ParameterizedTest
    @EnumSource
    void fullDiskStopsSendsOnlyAndOnlyWhileItIsFull(ClientVersion version) throws Exception {
        assumeTrue(Peer.isGantry() && Peer.mayMount(), "this machine does not let us mount");
        Path disk = Files.createDirectories(folder.resolve("disk"));
        try (Peer peer = Peer.gantryBehind(
                        "mount -t tmpfs -o size=96m none " + disk,
                        "full-" + version,
                        folder,
                        Peer.Flush.ASYNC,
                        disk.resolve("store"),
                        "mappedFileSizeCommitLog=1048576",
                        "maxIndexNum=1000",
                        "diskSpaceReserveBytes=16777216",
                        "diskSpaceEnoughBytes=0");
                Judge judge = Judge.start("senders-" + version, version, peer, folder);
                Judge consumers = Judge.start("consumers-" + version, version, peer, folder)) {
            judge.tell("topic topic=full queues=2").await("done");
            Talk sender = judge.tell("send topic=full count=0 retries=0 size=500 pause=20");
            Talk consumer = consumers.tell("push topic=full group=g persist=300");
            consumer.awaitCount("got", 20);

            Path hog = Path.of("/proc/" + peer.pid() + "/root" + disk.toAbsolutePath() + "/hog");
            fill(hog, 8L * MIB);
            Line failed = sender.await("failed");
            assertThat(failed.integer("code")).isEqualTo(14);
            assertThat(failed.text("text")).contains("DISK_FULL", "commitlog", "diskSpaceReserveBytes");
            // What was sent before comes, and the offsets of it are taken.
            int sent = sender.all("sent").size();
            consumer.awaitCount("got", sent);
            Map<Integer, Long> ends = Progress.ends(judge, "full");
            Awaitility.await().atMost(Talk.PATIENCE).until(() -> ends.equals(Progress.of(judge, "full", "g")));

            int before = sender.all("sent").size();
            Files.delete(hog);
            long freed = System.nanoTime();
            sender.awaitCount("sent", before + 1);
            assertThat(Duration.ofNanos(System.nanoTime() - freed)).isLessThan(BACK);
            consumer.awaitCount("got", before + 1);
            sender.stop();
        }
    }

    /// Leaves so many bytes free.
    private static void fill(Path hog, long leftBytes) throws IOException {
        byte[] block = new byte[MIB / 4];
        try (OutputStream out = Files.newOutputStream(hog)) {
            while (Objects.requireNonNull(hog.getParent()).toFile().getUsableSpace() > leftBytes) {
                out.write(block);
            }
        }
    }

    /// A group that stands where nothing is left goes on with the first message that is there, and misses none
    /// of those.
    @ParameterizedTest
    @EnumSource
    void groupThatStandsInALostHeadGoesOnWithTheFirstMessageThatIsLeft(ClientVersion version) throws Exception {
        assumeTrue(Peer.isGantry(), "Apache's files are larger");
        Path store = folder.resolve("store");
        try (Peer peer = Peer.gantry(
                        "head-" + version, folder, Peer.Flush.ASYNC, store, "mappedFileSizeCommitLog=262144");
                Judge judge = Judge.start("head-" + version, version, peer, folder)) {
            judge.tell("topic topic=head queues=1").await("done");
            judge.tell("send topic=head count=5 size=100 queue=0").await("done");
            Talk first = judge.tell("push topic=head group=g persist=300");
            first.awaitCount("got", 5);
            first.stop();
            assertThat(Progress.of(judge, "head", "g")).containsEntry(0, 5L);
            judge.tell("send mode=batch batch=50 topic=head from=5 count=2000 size=500 queue=0")
                    .await("done");

            peer.terminate(Duration.ofSeconds(20));
            deleteFirst(store.resolve("commitlog"));
            peer.restart();
            Talk asked = awaitRange(judge);
            long min = asked.all("range").getFirst().longInteger("min");
            assertThat(min).isGreaterThan(5);

            Talk next = judge.tell("push topic=head group=g persist=300");
            List<Line> got = next.awaitCount("got", (int) (2005 - min));
            assertThat(got.stream()
                            .mapToLong(line -> line.longInteger("offset"))
                            .distinct()
                            .count())
                    .isEqualTo(2005 - min);
            assertThat(got.stream()
                            .mapToLong(line -> line.longInteger("offset"))
                            .min())
                    .hasValue(min);
            next.stop();
        }
    }

    /// Its connection is new after the restart.
    private static Talk awaitRange(Judge judge) {
        Talk[] asked = new Talk[1];
        Awaitility.await().atMost(Talk.PATIENCE).until(() -> {
            asked[0] = judge.tell("offsets topic=head");
            Awaitility.await()
                    .atMost(Talk.PATIENCE)
                    .until(() -> !asked[0].all("done").isEmpty()
                            || !asked[0].all("broken").isEmpty());
            return !asked[0].all("range").isEmpty();
        });
        return asked[0];
    }

    private static void deleteFirst(Path log) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(log)) {
            Path first = log.resolve("99999999999999999999");
            for (Path file : files) {
                first = file.compareTo(first) < 0 ? file : first;
            }
            Files.delete(first);
        }
    }
}
