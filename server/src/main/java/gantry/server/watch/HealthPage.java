package gantry.server.watch;

import gantry.broker.query.BrokerView;
import gantry.broker.query.MemberAdvice;
import gantry.broker.query.Reason;
import gantry.broker.query.ReplicaFigures;
import gantry.broker.replica.ComparisonStatus;
import gantry.broker.replica.MemberStatus;
import gantry.broker.replica.ReplicaStatus;
import gantry.broker.replica.StateComparison;
import gantry.net.http.Page;
import gantry.replica.member.MemberState;
import gantry.wire.json.Dialect;
import gantry.wire.json.JsonWriter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/// The health pages.
///
/// For:   people, and what starts and stops processes: 200 when the answer is yes, 503 when it is no, and why.
/// Owner: none (stateless).
/// Never: a number for what is not known: that is "unknown".
final class HealthPage {
    private static final String JSON = "application/json; charset=utf-8";

    private HealthPage() {}

    /// Whether all is well, everything that is not, and each member of the group.
    static Page whole(Seen seen, CopyRates rates) {
        JsonWriter out = new JsonWriter(Dialect.STANDARD)
                .beginObject()
                .field("verdict", seen.isWell() ? "well" : "not well")
                .field("role", seen.role())
                .field("live", seen.isLive())
                .field("ready", seen.isReady());
        reasons(out, seen.reasons());
        seen.routes()
                .ifPresent(routes -> out.name("nameserver")
                        .beginObject()
                        .field("brokers", routes.brokers())
                        .field("stalls", routes.stalls())
                        .field("suspects", routes.suspects())
                        .endObject());
        seen.broker().ifPresent(broker -> broker(out, broker, rates));
        return page(seen.isWell(), out.endObject());
    }

    /// Whether the process moves; if not, only a restart helps.
    static Page live(Seen seen) {
        return answer(
                "live",
                seen.isLive(),
                seen.reasons().stream()
                        .filter(reason -> reason.part().equals("process"))
                        .toList());
    }

    /// Whether clients should come here.
    static Page ready(Seen seen) {
        return answer(
                "ready",
                seen.isReady(),
                seen.reasons().stream().filter(Reason::closes).toList());
    }

    private static Page answer(String question, boolean yes, List<Reason> reasons) {
        JsonWriter out = new JsonWriter(Dialect.STANDARD).beginObject().field(question, yes);
        reasons(out, reasons);
        return page(yes, out.endObject());
    }

    private static Page page(boolean yes, JsonWriter out) {
        return Page.of(yes ? Page.OK : Page.UNAVAILABLE, JSON, out + "\n");
    }

    private static void reasons(JsonWriter out, List<Reason> reasons) {
        out.name("reasons").beginArray();
        for (Reason reason : reasons) {
            out.beginObject()
                    .field("part", reason.part())
                    .field("state", reason.state())
                    .field("why", reason.sentence())
                    .endObject();
        }
        out.endArray();
    }

    private static void broker(JsonWriter out, BrokerView broker, CopyRates rates) {
        out.name("broker")
                .beginObject()
                .field("brokerName", broker.brokerName())
                .field("brokerId", broker.brokerId())
                .field("nameservers", broker.nameservers().count())
                .field("registeredAt", broker.nameservers().known())
                .field("logBegin", broker.store().begin())
                .field("logEnd", broker.store().end())
                .field("confirmOffset", broker.store().confirm())
                .field("durableOffset", broker.store().durable());
        broker.group().ifPresent(group -> group(out, group, rates));
        out.endObject();
    }

    private static void group(JsonWriter out, ReplicaStatus group, CopyRates rates) {
        out.name("replica")
                .beginObject()
                .field("role", group.role().name().toLowerCase(Locale.ROOT))
                .field("epoch", group.epoch())
                .field("promise", group.promise().words())
                .field("strangers", group.strangers());
        out.name("refused").beginObject();
        group.refused().forEach((cause, count) -> out.field(cause.name(), count));
        out.endObject().name("members").beginArray();
        group.members().forEach(member -> member(out, group, member, rates));
        out.endArray();
        comparison(out, group.comparison());
        out.endObject();
    }

    private static void comparison(JsonWriter out, ComparisonStatus comparison) {
        out.name("comparison")
                .beginObject()
                .field("rangesCompared", comparison.compared())
                .field("rangesMended", comparison.mended())
                .field("rottenPlaces", comparison.unmended())
                .name("members")
                .beginArray();
        for (ComparisonStatus.Of member : comparison.members()) {
            out.beginObject()
                    .field("brokerId", member.memberId())
                    .field("rangesCompared", member.compared())
                    .field("rangesRottenThere", member.rottenThere())
                    .field("rangesDiffering", member.differing());
            seconds(out, "wholeLogComparedSecondsAgo", member.wholeMillis(), "never");
            seconds(out, "lastComparisonEndedSecondsAgo", member.endedMillis(), "never");
            if (member.at() >= 0) {
                out.field("comparedTo", member.at()).field("comparesTo", member.goesTo());
            }
            out.endObject();
        }
        out.endArray();
        StateComparison state = comparison.state();
        out.name("state").beginObject().field("outcome", state.outcome().name().toLowerCase(Locale.ROOT));
        if (state.logOffset() >= 0) {
            out.field("logOffset", state.logOffset()).field("atMillis", state.wallMillis());
        }
        if (state.differs()) {
            out.field("parts", state.parts()).field("differsFrom", state.firstAt());
        }
        if (state.isLate()) {
            out.field("notCompared", state.missing());
        }
        out.endObject().endObject();
    }

    private static void member(JsonWriter out, ReplicaStatus group, MemberStatus member, CopyRates rates) {
        MemberAdvice advice = MemberAdvice.of(group, member);
        out.beginObject()
                .field("brokerId", member.memberId())
                .field("address", member.address())
                .field("state", advice.why())
                .field("well", advice.isWell())
                .field("next", advice.next());
        whole(out, "lagBytes", ReplicaFigures.lagBytes(member));
        whole(out, "lagMessages", member.lagMessages());
        seconds(out, "lagSeconds", member.lagMillis(), "unknown");
        seconds(out, "heardSecondsAgo", member.heardMillis(), "never");
        if (member.state() instanceof MemberState.Reseeding copying) {
            out.name("reseed")
                    .beginObject()
                    .field("doneBytes", copying.doneBytes())
                    .field("totalBytes", copying.totalBytes());
            whole(out, "bytesPerSecond", rates.of(member.memberId()));
            out.endObject();
        }
        out.endObject();
    }

    private static void whole(JsonWriter out, String name, OptionalLong value) {
        out.name(name);
        if (value.isPresent()) {
            out.whole(value.getAsLong());
        } else {
            out.text("unknown");
        }
    }

    private static void seconds(JsonWriter out, String name, OptionalLong millis, String absent) {
        out.name(name);
        if (millis.isPresent()) {
            out.decimal(millis.getAsLong() / 1000.0);
        } else {
            out.text(absent);
        }
    }
}
