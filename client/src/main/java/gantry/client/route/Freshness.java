package gantry.client.route;

import gantry.base.Endpoint;
import gantry.client.route.RouteView.Member;
import gantry.wire.body.FreshRoute;
import gantry.wire.body.Heard;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.util.LinkedHashMap;
import java.util.Map;

/// Reads a nameserver's answer about a topic, and how fresh it is (design page 014 §2).
///
/// For:   route answers of our nameservers, and of others, which say nothing of freshness.
/// Owner: none (stateless).
/// Never: believes a number that no nameserver can mean.
final class Freshness {
    /// What was heard longer ago than this is as good as not heard.
    private static final long MOST_MILLIS = 86_400_000;

    private Freshness() {}

    static RouteView view(Endpoint from, Command answer, long nowNanos) throws JsonFault {
        FreshRoute fresh = FreshRoute.fromJson(Json.read(answer.body()));
        Map<Member, Long> heard = new LinkedHashMap<>();
        fresh.heard()
                .forEach((name, byId) -> byId.forEach((id, when) -> heard.put(new Member(name, id), millis(when))));
        return new RouteView(from, fresh.route(), heard, listening(answer), nowNanos);
    }

    private static long millis(Heard when) {
        return Math.clamp(when.millis(), 0, MOST_MILLIS);
    }

    private static long listening(Command answer) {
        String millis = answer.field(FieldNames.GANTRY_LISTENING_MILLIS);
        try {
            return millis == null ? 0 : Math.clamp(Long.parseLong(millis), 0, MOST_MILLIS);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
