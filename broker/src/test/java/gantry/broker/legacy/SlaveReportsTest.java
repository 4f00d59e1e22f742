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

    private @Nullable LegacyFault say(long sent, long... offsets) {
        byte[] all = bytes(offsets);
        return reports.feed(ByteBuffer.wrap(all), 0, all.length, BEGIN, END, sent);
    }

    private void refuses(LegacyCause cause, long sent, long... offsets) {
        assertThat(say(sent, offsets))
                .isNotNull()
                .extracting(LegacyFault::cause)
                .isEqualTo(cause);
    }

    @Test
    void reportsInPiecesOfEverySizeAreTheSame() {
        byte[] all = bytes(2000, 2000, 2345, 3000);
        for (int piece = 1; piece <= all.length; piece++) {
            SlaveReports each = new SlaveReports();
            for (int at = 0; at < all.length; at += piece) {
                int length = Math.min(piece, all.length - at);
                assertThat(each.feed(ByteBuffer.wrap(all), at, length, BEGIN, END, 3000))
                        .isNull();
            }
            assertThat(each.start()).isEqualTo(2000);
            assertThat(each.held()).isEqualTo(3000);
        }
    }

    @Test
    void sevenBytesSayNothing() {
        assertThat(reports.feed(ByteBuffer.wrap(bytes(2000)), 0, 7, BEGIN, END, 0))
                .isNull();
        assertThat(reports.isBegun()).isFalse();
    }

    @Test
    void emptyLogBeginsWithTheOldestByteAndMaySayZeroUntilItHasSome() {
        assertThat(say(0, 0)).isNull();
        assertThat(reports.start()).isEqualTo(BEGIN);
        assertThat(reports.held()).isEqualTo(BEGIN);
        assertThat(say(2000, 0, 0, 1500)).isNull();
        assertThat(reports.held()).isEqualTo(1500);
        refuses(LegacyCause.FALSE_REPORT, 2000, 0);
    }

    @Test
    void emptyLogCannotHaveWhatNobodyHasSentIt() {
        assertThat(say(0, 0)).isNull();
        refuses(LegacyCause.FALSE_REPORT, 2000, 999);
    }

    @Test
    void firstReportOutsideOfTheLogIsRefusedByName() {
        refuses(LegacyCause.SLAVE_AHEAD, 0, END + 1);
        refuses(LegacyCause.SLAVE_AHEAD, 0, Long.MAX_VALUE);
        refuses(LegacyCause.SLAVE_BEHIND, 0, BEGIN - 1);
        refuses(LegacyCause.FALSE_REPORT, 0, -1);
        refuses(LegacyCause.FALSE_REPORT, 0, Long.MIN_VALUE);
        assertThat(reports.isBegun()).isFalse();
        assertThat(say(0, END)).isNull();
    }

    @Test
    void laterReportNeitherGoesBackNorLiesBehindWhatWasSent() {
        assertThat(say(0, 2000)).isNull();
        refuses(LegacyCause.FALSE_REPORT, 3000, 1999);
        refuses(LegacyCause.FALSE_REPORT, 3000, 3001);
        refuses(LegacyCause.FALSE_REPORT, 3000, -1);
        assertThat(reports.held()).isEqualTo(2000);
        assertThat(say(3000, 3000)).isNull();
        assertThat(reports.held()).isEqualTo(3000);
    }

    @Test
    void secondReportBeforeAnythingWasSentCannotSayMore() {
        refuses(LegacyCause.FALSE_REPORT, 0, 2000, 2001);
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
            each.feed(ByteBuffer.wrap(noise), 0, noise.length, BEGIN, END, END);
            assertThat(each.held()).isBetween(0L, END);
            assertThat(each.isBegun() ? each.start() : BEGIN).isBetween(BEGIN, END);
        }
    }

    @Test
    void probesOfOtherProtocolsAreRefused() {
        for (String probe :
                new String[] {"GET / HTTP/1.1\r\n\r\n", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001"}) {
            byte[] all = probe.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
            assertThat(new SlaveReports().feed(ByteBuffer.wrap(all), 0, all.length, BEGIN, END, 0))
                    .isNotNull();
        }
    }
}
