package gantry.net.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gantry.base.Endpoint;
import gantry.base.Network.ListenFailed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A page is given to whoever asks for it, and strangers get an answer or a closed connection, however they come.
class HttpPortTest {
    private static final Endpoint ANY_PORT = new Endpoint("127.0.0.1", 0);

    private final List<String> notices = new CopyOnWriteArrayList<>();
    private HttpPort port;

    @BeforeEach
    void open() throws Exception {
        port = HttpPort.open(ANY_PORT, HttpPortTest::page, (level, text) -> notices.add(level + " " + text));
    }

    @AfterEach
    void close() {
        port.close();
    }

    private static Page page(String path, String accept) {
        return switch (path) {
            case "/it" -> Page.text(Page.OK, "this is it, for " + accept);
            case "/fault" -> throw new IllegalStateException("planted");
            default -> Page.text(Page.NOT_FOUND, "no " + path);
        };
    }

    @Test
    void pageIsGivenAndTheConnectionCloses() throws Exception {
        String said = ask("GET /it?x=1 HTTP/1.1\r\nHost: a\r\nAccept: text/x\r\n\r\n");
        assertThat(said)
                .startsWith("HTTP/1.1 200 OK\r\n")
                .contains("\r\ncontent-length: 22\r\n", "\r\nconnection: close\r\n")
                .endsWith("\r\n\r\nthis is it, for text/x");
        assertThat(ask("GET /else HTTP/1.0\r\n\r\n"))
                .startsWith("HTTP/1.1 404 ")
                .endsWith("no /else");
        assertThat(port.turned().values()).containsOnly(0L);
    }

    @Test
    void headHasTheHeadersAlone() throws Exception {
        assertThat(ask("HEAD /it HTTP/1.1\r\nHost: a\r\n\r\n"))
                .startsWith("HTTP/1.1 200 OK\r\n")
                .contains("content-length: 16")
                .endsWith("\r\n\r\n");
    }

    @Test
    void onlyReadingIsAnswered() throws Exception {
        assertThat(ask("POST /it HTTP/1.1\r\nContent-Length: 0\r\n\r\n"))
                .startsWith("HTTP/1.1 405 ")
                .contains("allow: GET, HEAD");
        assertThat(port.turned()).containsEntry(Turned.METHOD, 1L);
    }

    @Test
    void whatIsNoRequestIsRefusedAndCounted() throws Exception {
        assertThat(ask("\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        assertThat(ask("GET /" + "a".repeat(HttpPort.MOST_LINE_BYTES) + " HTTP/1.1\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(ask("GET /it HTTP/1.1\r\nX: " + "a".repeat(HttpPort.MOST_HEADER_BYTES) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(port.turned()).containsEntry(Turned.MALFORMED, 3L);
        assertThat(ask("GET /it HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void whoIsSilentMakesRoomForWhoAsks() throws Exception {
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < HttpPort.MOST_CONNECTIONS * 2; i++) {
            silent.add(new Socket(InetAddress.getLoopbackAddress(), port.local().port()));
        }
        assertThat(ask("GET /it HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 200 ");
        assertThat(port.turned()).containsEntry(Turned.CROWD, HttpPort.MOST_CONNECTIONS + 1L);
        for (Socket each : silent) {
            each.close();
        }
    }

    @Test
    void whoTricklesIsLeftInTime() throws Exception {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), port.local().port())) {
            socket.getOutputStream().write("GET /it HTTP/1.1\r\nX: ".getBytes(StandardCharsets.US_ASCII));
            await().atMost(HttpPort.LONGEST.plus(Duration.ofSeconds(5)))
                    .until(() -> port.turned().getOrDefault(Turned.LATE, 0L) == 1L);
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void faultOfAPageIsAnsweredAndTold() throws Exception {
        assertThat(ask("GET /fault HTTP/1.1\r\n\r\n"))
                .startsWith("HTTP/1.1 500 ")
                .contains("planted");
        assertThat(notices).singleElement().asString().startsWith("ALARM ").contains("planted", "HttpPortTest");
        assertThat(ask("GET /it HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void takenPortIsSaidInASentence() {
        assertThatThrownBy(() -> HttpPort.open(port.local(), HttpPortTest::page, (level, text) -> {}))
                .isInstanceOf(ListenFailed.class)
                .hasMessageContaining("is in use");
    }

    private String ask(String request) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), port.local().port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
