package gantry.broker.register;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Of several words about the leader, some of them old, one counts, and it does not change to and fro.
class LeaderNewsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Endpoint A = new Endpoint("ns-a", 9876);
    private static final Endpoint B = new Endpoint("ns-b", 9876);
    private static final LeaderPlace OLD = place("old");
    private static final LeaderPlace NEW = place("new");

    private final LeaderNews news = new LeaderNews();

    @Test
    void nobodyIsNamedBeforeANameserverSaysSo() {
        news.tick(0);
        assertThat(news.newest()).isEmpty();
    }

    @Test
    void wordThatChangedLastWinsHoweverOftenTheOldOneIsRepeated() {
        news.named(A, OLD, 0);
        news.named(B, OLD, 0);
        news.named(B, NEW, 10 * SECOND);
        for (int second = 10; second < 40; second++) {
            news.named(B, NEW, second * SECOND);
            news.named(A, OLD, second * SECOND + 1);
            assertThat(news.newest()).contains(NEW);
        }
    }

    @Test
    void freshWordWinsOverANewerOneOfANameserverThatIsAway() {
        news.named(A, OLD, 0);
        news.named(B, NEW, SECOND);
        news.named(A, OLD, 5 * SECOND);
        assertThat(news.newest()).contains(NEW);
        news.named(A, OLD, SECOND + LeaderNews.FRESH_NANOS);
        assertThat(news.newest()).contains(OLD);
    }

    @Test
    void leaderThatNobodyNamesAnyMoreIsKeptForAMinute() {
        news.named(A, OLD, 0);
        news.named(B, NEW, SECOND);
        news.tick(LeaderNews.KEPT_NANOS);
        assertThat(news.newest()).contains(NEW);
        news.tick(LeaderNews.KEPT_NANOS + SECOND - 1);
        assertThat(news.newest()).contains(NEW);
        news.tick(LeaderNews.KEPT_NANOS + SECOND);
        assertThat(news.newest()).isEmpty();
    }

    @Test
    void answerThatNamesNoAddressNamesNobody() {
        assertThat(LeaderPlace.read("10.0.0.1:10911", "10.0.0.1:10912", "10.0.0.2:10911"))
                .contains(new LeaderPlace(new Endpoint("10.0.0.1", 10911), new Endpoint("10.0.0.1", 10912)));
        assertThat(LeaderPlace.read(null, "10.0.0.1:10912", "me:1")).isEmpty();
        assertThat(LeaderPlace.read("10.0.0.1:10911", null, "me:1")).isEmpty();
        assertThat(LeaderPlace.read("10.0.0.1:10911", "", "me:1")).isEmpty();
        assertThat(LeaderPlace.read("10.0.0.1:10911", "10.0.0.1:0", "me:1")).isEmpty();
        assertThat(LeaderPlace.read("10.0.0.1:99999", "10.0.0.1:10912", "me:1")).isEmpty();
        assertThat(LeaderPlace.read("me:1", "me:2", "me:1")).isEqualTo(Optional.empty());
    }

    private static LeaderPlace place(String host) {
        return new LeaderPlace(new Endpoint(host, 10911), new Endpoint(host, 10912));
    }
}
