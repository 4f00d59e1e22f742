package gantry.broker.session;

import gantry.base.Link;
import gantry.store.AppendBatch;
import gantry.store.ConsumeQueue;
import gantry.store.Refusal;
import gantry.wire.frame.Codec;
import gantry.wire.frame.FrameFlags;
import gantry.wire.frame.FrameWriter;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.header.SendAnswer;
import gantry.wire.message.MessageProperties;
import gantry.wire.message.PropertyNames;
import gantry.wire.message.RecordDraft;
import gantry.wire.message.RecordHost;
import gantry.wire.message.RecordWriter;
import gantry.wire.message.UniqueKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The messages of one burst of one connection on their way into the log, with what is needed to answer them.
///
/// For:   one append and one answer write for everything that arrived together (design page 001 §2).
/// Owner: the session until it is appended, then the store until the last callback.
/// Never: allocates per message once it has grown to its usual size.
///
/// ```
///   records  [ r0 | r1 r2 r3 | r4 ]        one request may own several records (a batch send)
///   requests [ q0 | q1       | q2 ]        first record, how many, correlation id, key of the answer
/// ```
public final class AppendBurst implements AppendBatch.Listener {
    /// Room for the largest message and some neighbours; a larger record is refused.
    static final int MOST_STAGING_BYTES = 8 * 1024 * 1024;

    private static final int FIRST_REQUESTS = 32;
    private static final int NO_KEY = 0;

    /// The region name that clients of a broker without one expect (remoting.md §1.5).
    public static final String REGION = "DefaultRegion";

    private final RecordHost storeHost;
    private final LateAnswer late;
    private final Traffic traffic;
    private final Consumer<AppendBurst> done;
    private final AppendBatch batch = new AppendBatch(this, MOST_STAGING_BYTES);
    private final RecordDraft draft;
    private final MessageProperties properties = new MessageProperties();
    private final PropertyTail tail = new PropertyTail();
    private final UniqueKey keyMaker;
    private final SendAnswer sendAnswer;
    private final FrameWriter answers = new FrameWriter();

    private @Nullable Link link;
    private int requests;
    private int closedRecords;
    private boolean anyWaits;
    private int[] firstRecord = new int[FIRST_REQUESTS];
    private int[] recordCount = new int[FIRST_REQUESTS];
    private int[] correlationIds = new int[FIRST_REQUESTS];
    private Codec[] codecs = new Codec[FIRST_REQUESTS];
    private boolean[] oneway = new boolean[FIRST_REQUESTS];
    private int[] queueIds = new int[FIRST_REQUESTS];
    private int[] keyLengths = new int[FIRST_REQUESTS];
    private byte[] keys = new byte[FIRST_REQUESTS * UniqueKey.MAX_CHARS];

    AppendBurst(
            RecordDraft draft,
            RecordHost storeHost,
            int salt,
            LateAnswer late,
            Traffic traffic,
            Consumer<AppendBurst> done) {
        this.draft = draft;
        this.storeHost = storeHost;
        this.late = late;
        this.traffic = traffic;
        this.done = done;
        this.sendAnswer = new SendAnswer(storeHost, REGION, true);
        this.keyMaker = new UniqueKey(storeHost, salt >>> 16, salt);
    }

    void open(Link newLink) {
        link = newLink;
        batch.reset();
        batch.listsKeys();
        answers.reset();
        requests = 0;
        closedRecords = 0;
        anyWaits = false;
    }

    AppendBatch batch() {
        return batch;
    }

    boolean isEmpty() {
        return batch.count() == 0;
    }

    /// What the next record will consist of; fill it, then `stage`.
    public RecordDraft draft() {
        return draft;
    }

    /// For looking at the properties of the message at hand.
    public MessageProperties properties() {
        return properties;
    }

    /// For properties that the broker adds to the message at hand.
    public PropertyTail tail() {
        return tail;
    }

    /// Makes names for messages whose sender gave them none.
    public UniqueKey keyMaker() {
        return keyMaker;
    }

    public RecordHost storeHost() {
        return storeHost;
    }

    /// Whether the draft still fits; if not, close this burst and go on with another.
    public boolean hasRoom(long bytes) {
        return bytes <= MOST_STAGING_BYTES && batch.room((int) bytes);
    }

    /// Encodes the draft as the next record.
    ///
    /// @param continuesUnit true for all but the first message of a batch send
    /// @return the record's size, or a negative constant of `RecordWriter`
    public int stage(ConsumeQueue queue, long tagsCode, boolean continuesUnit) {
        ByteBuffer staging = batch.staging();
        int start = staging.position();
        int size = RecordWriter.write(staging, draft);
        if (size > 0) {
            batch.add(queue, start, size, tagsCode, continuesUnit);
        }
        return size;
    }

    /// The record that was staged last can be found by this unique key.
    public void uniqueKey(byte[] utf8, int from, int length) {
        batch.key(utf8, from, from + length);
    }

    /// The record that was staged last can be found by what its properties, which stand there, give as `KEYS`.
    public void keys(MessageProperties of) {
        int at = of.find(PropertyNames.KEYS);
        if (at >= 0) {
            batch.keys(of.bytes(), of.valueStart(at), of.valueStart(at) + of.valueLength(at));
        }
    }

    /// All records staged since the last call belong to this request.
    ///
    /// @param queueId of the answer, which is the queue that was asked for, also while a message waits elsewhere
    /// @param waits   whether its answer has to wait until the records are confirmed
    public void close(HeaderReader header, int queueId, boolean waits, byte[] key, int keyFrom, int keyLength) {
        if (requests == firstRecord.length) {
            grow();
        }
        int i = requests++;
        firstRecord[i] = closedRecords;
        recordCount[i] = batch.count() - closedRecords;
        closedRecords = batch.count();
        correlationIds[i] = header.correlationId();
        codecs[i] = header.codec();
        oneway[i] = header.isOneway();
        queueIds[i] = queueId;
        anyWaits |= waits;
        batch.waitsForSync(anyWaits);
        if (keyLength > UniqueKey.MAX_CHARS) {
            keyLengths[i] = NO_KEY;
        } else {
            keyLengths[i] = keyLength;
            System.arraycopy(key, keyFrom, keys, i * UniqueKey.MAX_CHARS, keyLength);
        }
    }

    @Override
    public void written(AppendBatch b) {
        encodeAnswers(ResponseCodes.SUCCESS, null);
    }

    @Override
    public void confirmed(AppendBatch b) {
        traffic.taken(batch.count(), batch.staging().position());
        finish();
    }

    @Override
    public void late(AppendBatch b) {
        answers.reset();
        encodeAnswers(late.code(), late.remark());
        finish();
    }

    @Override
    public void refused(AppendBatch b, Refusal why) {
        traffic.refused(batch.count());
        answers.reset();
        for (int i = 0; i < requests; i++) {
            if (!oneway[i]) {
                answers.begin(codecs[i], Refusals.codeOf(why), FrameFlags.ANSWER, correlationIds[i]);
                answers.remark(why.remark());
                answers.end(0);
            }
        }
        finish();
    }

    private void encodeAnswers(int code, @Nullable String remark) {
        for (int i = 0; i < requests; i++) {
            if (!oneway[i]) {
                int first = firstRecord[i];
                for (int record = first; record < first + recordCount[i]; record++) {
                    sendAnswer.add(batch.logOffset(record));
                }
                sendAnswer.transactionId(keys, i * UniqueKey.MAX_CHARS, keyLengths[i]);
                sendAnswer.write(
                        answers, codecs[i], code, correlationIds[i], remark, queueIds[i], batch.queueOffset(first));
            }
        }
    }

    private void finish() {
        Link to = link;
        link = null;
        if (to != null && answers.size() > 0) {
            to.send(answers.bytes(), 0, answers.size());
        }
        done.accept(this);
    }

    private void grow() {
        int length = requests * 2;
        firstRecord = Arrays.copyOf(firstRecord, length);
        recordCount = Arrays.copyOf(recordCount, length);
        correlationIds = Arrays.copyOf(correlationIds, length);
        codecs = Arrays.copyOf(codecs, length);
        oneway = Arrays.copyOf(oneway, length);
        queueIds = Arrays.copyOf(queueIds, length);
        keyLengths = Arrays.copyOf(keyLengths, length);
        keys = Arrays.copyOf(keys, length * UniqueKey.MAX_CHARS);
    }
}
