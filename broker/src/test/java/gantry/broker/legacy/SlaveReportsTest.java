package gantry.broker.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a slave says is taken in pieces of any size, and only what can be is believed.
class SlaveReportsTest {
    private static final long BEGIN = 1000;
    private static final long END = 5000;

    private final SlaveReports reports = new SlaveReports();

    private static byte[] bytes(long... offsets) {
        ByteBuffer all = ByteBuffer.allocate(offsets.length * 8);
        for (long offset : offsets) {
            all.putLong(offset);
        }
        return all.array();
    }

    private @Nullable LegacyFault say(long... offsets) {
        byte[] all = bytes(offsets);
        return reports.feed(ByteBuffer.wrap(all), 0, all.length, BEGIN, END);
    }

    private void refuses(LegacyCause cause, long... offsets) {
        assertThat(say(offsets)).isNotNull().extracting(LegacyFault::cause).isEqualTo(cause);
    }

    @Test
    void reportsInPiecesOfEverySizeAreTheSame() {
        byte[] all = bytes(2000, 2345, 3000);
        for (int piece = 1; piece <= all.length; piece++) {
            SlaveReports each = new SlaveReports();
            feed(each, bytes(2000), piece);
            each.sent(2345);
            each.sent(3000);
            feed(each, all, piece);
            assertThat(each.start()).isEqualTo(2000);
            assertThat(each.held()).isEqualTo(3000);
        }
    }

    private static void feed(SlaveReports each, byte[] all, int piece) {
        for (int at = 0; at < all.length; at += piece) {
            int length = Math.min(piece, all.length - at);
            assertThat(each.feed(ByteBuffer.wrap(all), at, length, BEGIN, END)).isNull();
        }
    }

    @Test
    void sevenBytesSayNothing() {
        assertThat(reports.feed(ByteBuffer.wrap(bytes(2000)), 0, 7, BEGIN, END)).isNull();
        assertThat(reports.isBegun()).isFalse();
    }

    @Test
    void emptyLogBeginsWithTheOldestByteAndMaySayZeroUntilItHasSome() {
        assertThat(say(0)).isNull();
        assertThat(reports.start()).isEqualTo(BEGIN);
        assertThat(reports.held()).isEqualTo(BEGIN);
        reports.sent(1500);
        reports.sent(2000);
        assertThat(say(0, 0, 1500)).isNull();
        assertThat(reports.held()).isEqualTo(1500);
        refuses(LegacyCause.FALSE_REPORT, 0);
    }

    @Test
    void emptyLogCannotHaveWhatNobodyHasSentIt() {
        assertThat(say(0)).isNull();
        reports.sent(2000);
        refuses(LegacyCause.FALSE_REPORT, 999);
    }

    @Test
    void firstReportOutsideOfTheLogIsRefusedByName() {
        refuses(LegacyCause.SLAVE_AHEAD, END + 1);
        refuses(LegacyCause.SLAVE_AHEAD, Long.MAX_VALUE);
        refuses(LegacyCause.SLAVE_BEHIND, BEGIN - 1);
        refuses(LegacyCause.FALSE_REPORT, -1);
        refuses(LegacyCause.FALSE_REPORT, Long.MIN_VALUE);
        assertThat(reports.isBegun()).isFalse();
        assertThat(say(END)).isNull();
    }

    @Test
    void laterReportNeitherGoesBackNorLiesBehindWhatWasSent() {
        assertThat(say(2000)).isNull();
        reports.sent(3000);
        refuses(LegacyCause.FALSE_REPORT, 1999);
        refuses(LegacyCause.FALSE_REPORT, 3001);
        refuses(LegacyCause.FALSE_REPORT, -1);
        assertThat(reports.held()).isEqualTo(2000);
        assertThat(say(3000)).isNull();
        assertThat(reports.held()).isEqualTo(3000);
    }

    /// RocketMQ's slaves write what they were sent at once whole, or nothing of it.
    @Test
    void reportInTheMiddleOfWhatWasSentWholeIsRefused() {
        assertThat(say(2000)).isNull();
        reports.sent(2500);
        reports.sent(3000);
        reports.sent(3500);
        assertThat(say(3000)).as("several may be written before one report").isNull();
        refuses(LegacyCause.FALSE_REPORT, 3250);
        assertThat(reports.held()).isEqualTo(3000);
    }

    @Test
    void secondReportBeforeAnythingWasSentCannotSayMore() {
        refuses(LegacyCause.FALSE_REPORT, 2000, 2001);
        assertThat(reports.held()).isEqualTo(2000);
    }

    @Test
    void noiseNeverLeavesMoreThanWasSent() {
        Random random = new Random(7);
        for (int round = 0; round < 20_000; round++) {
            SlaveReports each = new SlaveReports();
            byte[] noise = new byte[random.nextInt(64)];
            random.nextBytes(noise);
            if (round % 2 == 0) {
                // Small numbers, some of which can be.
                for (int at = 0; at < noise.length; at++) {
                    noise[at] = at % 8 < 6 ? 0 : noise[at];
                }
            }
            each.sent(END);
            each.feed(ByteBuffer.wrap(noise), 0, noise.length, BEGIN, END);
            assertThat(each.held()).isBetween(0L, END);
            assertThat(each.isBegun() ? each.start() : BEGIN).isBetween(BEGIN, END);
        }
    }

    @Test
    void probesOfOtherProtocolsAreRefused() {
        for (String probe :
                new String[] {"GET / HTTP/1.1\r\n\r\n", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001"}) {
            byte[] all = probe.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
            assertThat(new SlaveReports().feed(ByteBuffer.wrap(all), 0, all.length, BEGIN, END))
                    .isNotNull();
        }
    }
}
