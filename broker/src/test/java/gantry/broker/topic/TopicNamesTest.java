package gantry.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Which names are good, and what is said of the others.
class TopicNamesTest {
    @Test
    void ordinaryNamesAndRetryNamesAreGood() {
        assertThat(TopicNames.faultOfTopic("order-created_1|x")).isNull();
        assertThat(TopicNames.faultOfTopic("%RETRY%" + "g".repeat(200))).isNull();
    }

    @Test
    void aBadCharacterIsNamedWithItsPlace() {
        assertThat(TopicNames.faultOfTopic("a b")).contains("position 1");
        assertThat(TopicNames.faultOfGroup("../etc")).contains("position 0");
    }

    @Test
    void tooLongAndEmptyNamesAreRefused() {
        assertThat(TopicNames.faultOfTopic("x".repeat(128))).contains("128").contains("127");
        assertThat(TopicNames.faultOfTopic(" ")).contains("empty");
    }

    @Test
    void theBrokersOwnTopicsAreClosedToSenders() {
        assertThat(TopicNames.isClosedToSenders(TopicNames.FACTS_TOPIC)).isTrue();
        assertThat(TopicNames.isClosedToSenders("orders")).isFalse();
    }
}
