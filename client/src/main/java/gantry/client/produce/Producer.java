package gantry.client.produce;

import gantry.base.Clock;
import gantry.base.Sequencer;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.route.RouteSource;
import gantry.wire.message.MessageProperties;
import gantry.wire.message.PropertyNames;
import gantry.wire.message.RecordHost;
import gantry.wire.message.UniqueKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Sends messages.
///
/// For:   applications; one for all their threads.
/// Owner: itself; every method is safe from any thread.
/// Never: waits beyond a message's time, whatever nameservers and brokers do.
///
/// A send that gets no answer in its share of the time is tried at another broker under the same message id; so what
/// hangs costs a fraction of a second, and a message may be stored twice but can be told by its id.
public final class Producer {
    /// How long a send may take altogether, unless it says something else.
    public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(10);

    /// How much later than its limit a blocking send gives up by itself, if nobody ticks.
    private static final Duration TICK_SLACK = Duration.ofSeconds(1);

    private final Sends sends;
    private final Clock clock;
    private final Sequencer naming;
    private final UniqueKey names;

    /// @param processId and `salt` tell the makers of message ids apart
    public Producer(
            RemotingClient client, RouteSource routes, String group, int processId, int salt, Sequencer.Faults faults) {
        this.clock = client.clock();
        this.sends = new Sends(client, routes, group, salt & 0x7fff, faults);
        this.naming = new Sequencer("message-ids", Runnable::run, faults);
        this.names = new UniqueKey(RecordHost.UNKNOWN, processId, salt);
    }

    /// Sends, and waits until a broker has confirmed it.
    ///
    /// @throws CallFailed when none has within `DEFAULT_LIMIT`; with the code `NO_ANSWER` it may be stored
    public SendReceipt send(Message message) throws CallFailed {
        return send(message, DEFAULT_LIMIT);
    }

    public SendReceipt send(Message message, Duration limit) throws CallFailed {
        return await(sendAsync(message, limit), limit);
    }

    /// Sends several, and waits for all. Those of one topic share requests.
    ///
    /// @return a receipt for each, in their order
    public List<SendReceipt> send(List<Message> messages, Duration limit) throws CallFailed {
        List<CompletableFuture<SendReceipt>> sent = new ArrayList<>(messages.size());
        for (Message each : messages) {
            sent.add(sendAsync(each, limit));
        }
        List<SendReceipt> receipts = new ArrayList<>(messages.size());
        for (CompletableFuture<SendReceipt> each : sent) {
            receipts.add(await(each, limit));
        }
        return receipts;
    }

    /// Sends. What depends on the result runs on an event loop and must not block.
    public CompletableFuture<SendReceipt> sendAsync(Message message) {
        return sendAsync(message, DEFAULT_LIMIT);
    }

    /// @return completes with the receipt or with a `CallFailed`, soon after `limit` at the latest
    public CompletableFuture<SendReceipt> sendAsync(Message message, Duration limit) {
        long bornMillis = clock.wallMillis();
        Map<String, String> properties = new LinkedHashMap<>(message.properties());
        String name = properties.get(PropertyNames.UNIQ_KEY.text());
        if (name == null) {
            name = nextName(bornMillis);
            properties.put(PropertyNames.UNIQ_KEY.text(), name);
        }
        properties.putIfAbsent(PropertyNames.WAIT.text(), "true");
        Outgoing one = new Outgoing(
                message,
                name,
                MessageProperties.encode(properties),
                bornMillis,
                limit,
                clock.nanos() + limit.toNanos());
        sends.send(one);
        return one.receipt;
    }

    /// Ends sends whose time is over, and tries again what waits.
    public void tick() {
        sends.tick();
    }

    /// Sends that are not confirmed fail, and so do those that come.
    public void close() {
        sends.close();
    }

    private String nextName(long bornMillis) {
        String[] name = new String[1];
        naming.runAndWait(() -> name[0] = names.next(bornMillis));
        return name[0];
    }

    private static SendReceipt await(CompletableFuture<SendReceipt> receipt, Duration limit) throws CallFailed {
        try {
            return receipt.get(limit.plus(TICK_SLACK).toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CallFailed failed) {
                throw new CallFailed(failed);
            }
            throw new AssertionError("a send fails with CallFailed only", e);
        } catch (TimeoutException e) {
            throw CallFailed.because("the message was not confirmed within " + limit.toMillis()
                    + " ms, and this client does not even say why: nobody ticks it");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CallFailed.because("interrupted while waiting for a send's confirmation; it may be stored");
        }
    }
}
