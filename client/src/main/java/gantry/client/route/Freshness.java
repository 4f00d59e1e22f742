package gantry.client.route;

import gantry.base.Endpoint;
import gantry.client.route.RouteView.Member;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;

/// Reads a nameserver's answer about a topic, and how fresh it is (design page 014 §2).
///
/// For:   route answers of our nameservers, and of others, which say nothing of freshness.
/// Owner: none (stateless).
/// Never: believes a number below zero.
final class Freshness {
    private static final String FRESHNESS = "gantryFreshness";
    private static final String HEARD_MILLIS = "heardMillis";

    private Freshness() {}

    static RouteView view(Endpoint from, Command answer, long nowNanos) throws JsonFault {
        JsonObject body = Json.read(answer.body()).asObject("a route");
        return new RouteView(from, TopicRoute.fromJson(body), heard(body), listening(answer), nowNanos);
    }

    private static Map<Member, Long> heard(JsonObject body) throws JsonFault {
        Map<Member, Long> heard = new LinkedHashMap<>();
        if (body.find(FRESHNESS) == null) {
            return heard;
        }
        JsonObject byName = body.object(FRESHNESS);
        for (int i = 0; i < byName.size(); i++) {
            String brokerName = byName.name(i, "a broker name");
            JsonObject byId = byName.value(i).asObject("the members of " + brokerName);
            for (int j = 0; j < byId.size(); j++) {
                String id = byId.name(j, "a broker id");
                long millis = byId.value(j).asObject("member " + id).whole(HEARD_MILLIS, -1L);
                if (millis >= 0) {
                    heard.put(new Member(brokerName, number(id)), millis);
                }
            }
        }
        return heard;
    }

    private static long number(String id) throws JsonFault {
        try {
            return Long.parseLong(id);
        } catch (NumberFormatException e) {
            throw JsonFault.of("a broker id is a number, not " + JsonFault.quote(id));
        }
    }

    private static long listening(Command answer) {
        String millis = answer.field(FieldNames.GANTRY_LISTENING_MILLIS);
        try {
            return millis == null ? 0 : Math.max(0, Long.parseLong(millis));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
