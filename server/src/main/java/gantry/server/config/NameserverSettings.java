package gantry.server.config;

import gantry.control.nameserver.NameserverConfig;
import gantry.control.routes.RouteRules;
import java.time.Duration;

/// From values to the nameserver's configuration.
///
/// For:   the component "NameserverConfig" in the table of keys.
/// Owner: none (stateless).
public final class NameserverSettings {
    private NameserverSettings() {}

    public static NameserverConfig of(Values values) throws StartRefused {
        RouteRules usual = RouteRules.DEFAULT;
        return new NameserverConfig(
                new RouteRules(
                        usual.brokerTimeout(),
                        values.of(Keys.REGISTRATION_REPLACES),
                        values.of(Keys.TELL_MINIMUM_ID),
                        usual.maxBrokers(),
                        usual.maxTopicEntries()),
                values.of(Keys.ORDERED_TOPICS),
                values.of(Keys.ORDER_TO_BROKERS),
                values.of(Keys.ACTING_MASTER),
                values.of(Keys.TOPIC_LIST),
                NameserverConfig.FIRST_WORDS,
                values.of(Keys.WAIT_FOR_SERVICE) ? Duration.ofSeconds(values.of(Keys.WAIT_SECONDS)) : Duration.ZERO);
    }
}
