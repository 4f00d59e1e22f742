package gantry.server;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.net.SystemClock;
import gantry.store.AppendBatch;
import gantry.store.Disk;
import gantry.store.Refusal;
import gantry.store.Store;
import gantry.store.StoreConfig;
import gantry.store.disk.FileDisk;
import gantry.wire.json.Json;
import gantry.wire.message.RecordDraft;
import gantry.wire.message.RecordWriter;
import gantry.wire.message.TagsCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// The command `verify` on real files: what it prints, what its exit code says, and what it leaves alone.
class VerifyCommandTest {
    private static final int MESSAGES = 300;

    @TempDir
    Path folder;

    private Path store;

    private record Answer(int code, String out, String err) {}

    /// A store of several files, stopped cleanly.
    @BeforeEach
    void fill() throws Exception {
        store = folder.resolve("data/store");
        try (FileDisk disk = new FileDisk(store)) {
            Store open = Store.open(
                    StoreConfig.DEFAULT.withSegmentBytes(1 << 16),
                    disk,
                    new SystemClock(),
                    Runnable::run,
                    (_, _) -> {},
                    (_, _) -> {},
                    _ -> {});
            AppendBatch batch = new AppendBatch(new Deaf(), 1 << 20);
            batch.reset();
            for (int i = 0; i < MESSAGES; i++) {
                RecordDraft draft = new RecordDraft()
                        .topic("orders".getBytes(StandardCharsets.UTF_8))
                        .queueId(i % 2)
                        .body(new byte[500]);
                assertThat(batch.room((int) RecordWriter.sizeOf(draft))).isTrue();
                int start = batch.staging().position();
                int size = RecordWriter.write(batch.staging(), draft);
                batch.add(open.queue("orders", i % 2), start, size, TagsCode.NONE, false);
            }
            open.append(batch);
            assertThat(batch.endOffset()).isPositive();
            open.close();
        }
    }

    private static final class Deaf implements AppendBatch.Listener {
        @Override
        public void written(AppendBatch batch) {}

        @Override
        public void confirmed(AppendBatch batch) {}

        @Override
        public void late(AppendBatch batch) {}

        @Override
        public void refused(AppendBatch batch, Refusal why) {
            throw new AssertionError(why.toString());
        }
    }

    private static Answer run(Object... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String[] words = Stream.concat(Stream.of("verify"), Stream.of(args).map(String::valueOf))
                .toArray(String[]::new);
        return new Answer(line.execute(words), out.toString(), err.toString());
    }

    private Map<String, FileTime> files() throws IOException {
        Map<String, FileTime> times = new TreeMap<>();
        try (Stream<Path> all = Files.walk(store)) {
            for (Path one : all.toList()) {
                times.put(one.toString(), Files.getLastModifiedTime(one));
            }
        }
        return times;
    }

    private void overwrite(String file, long at, byte[] bytes) throws IOException {
        try (RandomAccessFile raw = new RandomAccessFile(store.resolve(file).toFile(), "rw")) {
            raw.seek(at);
            raw.write(bytes);
        }
    }

    @Test
    void cleanStoreHasCodeZeroAndEveryFileKeepsItsTime() throws IOException {
        Map<String, FileTime> before = files();
        Answer answer = run(store);

        assertThat(answer.code()).as(answer.toString()).isZero();
        assertThat(answer.out())
                .contains("commitlog/00000000000000000000", "consumequeue/orders/1")
                .endsWith("clean: " + MESSAGES + " messages, nothing is damaged.\n");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void dataFolderAboveTheStoreMayBeNamedToo() {
        assertThat(run(folder.resolve("data")).code()).isZero();
    }

    @Test
    void damageHasCodeOneAndNamesFileAndByteForPeopleAndScripts() throws Exception {
        overwrite("commitlog/00000000000000065536", 0, new byte[] {0, 0, 7, 7});
        Answer table = run(store);
        assertThat(table.code()).isEqualTo(1);
        assertThat(table.out())
                .contains("DAMAGE: " + store.resolve("commitlog/00000000000000065536") + ", byte 0: ")
                .contains("NOT CLEAN");

        Answer json = run(store, "-o", "json");
        assertThat(json.code()).isEqualTo(1);
        assertThat(json.err()).isEmpty();
        Json.read(json.out().strip());
        assertThat(json.out()).contains("\"clean\":false", "\"byte\":0", "\"severity\":\"damage\"");
    }

    @Test
    void repairMakesTheQueueAgainAndLeavesTheLog() throws IOException {
        Path queue = store.resolve("consumequeue/orders/1/00000000000000000000");
        Path log = store.resolve("commitlog/00000000000000000000");
        byte[] queueBefore = Files.readAllBytes(queue);
        byte[] logBefore = Files.readAllBytes(log);
        overwrite("consumequeue/orders/1/00000000000000000000", 100, new byte[40]);
        assertThat(run(store).code()).isEqualTo(1);

        Answer repaired = run(store, "--repair");
        assertThat(repaired.code()).as(repaired.toString()).isZero();
        assertThat(repaired.out()).contains("repaired: Consume queue orders/1 was rebuilt");
        assertThat(Files.readAllBytes(queue)).isEqualTo(queueBefore);
        assertThat(Files.readAllBytes(log)).isEqualTo(logBefore);
        assertThat(run(store).code()).isZero();
    }

    @Test
    void openStoreHasCodeTwo() throws Exception {
        try (FileDisk disk = new FileDisk(store)) {
            Disk.Lock lock = disk.lock().orElseThrow();
            assertThat(run(store))
                    .returns(2, Answer::code)
                    .satisfies(answer -> assertThat(answer.err()).contains("the store is in use"));
            lock.close();
        }
        assertThat(run(store).code()).isZero();
    }

    @Test
    void folderThatIsNoStoreHasCodeTwoAndStaysEmpty() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        for (String flag : new String[] {"-o=table", "--repair"}) {
            Answer answer = run(empty, flag);
            assertThat(answer.code()).isEqualTo(2);
            assertThat(answer.err()).contains("there is no store here");
        }
        assertThat(empty).isEmptyDirectory();
    }
}
