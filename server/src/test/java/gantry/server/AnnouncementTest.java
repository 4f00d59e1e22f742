package gantry.server;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import org.junit.jupiter.api.Test;

/// What is printed to be pasted can be pasted.
class AnnouncementTest {
    @Test
    void commandInAFolderWithBlanksIsOneWordForAShell() {
        assertThat(Announcement.quoted("./gantry")).isEqualTo("./gantry");
        assertThat(Announcement.quoted("/opt/my brokers/gantry")).isEqualTo("'/opt/my brokers/gantry'");
        assertThat(Announcement.quoted("/opt/it's/gantry")).isEqualTo("'/opt/it'\\''s/gantry'");
    }

    @Test
    void addressOfEveryInterfaceIsNotProposedToClients() {
        assertThat(Announcement.reachable(new Endpoint("0.0.0.0", 9876))).isEqualTo(new Endpoint("127.0.0.1", 9876));
        assertThat(Announcement.reachable(new Endpoint("10.0.0.1", 9876))).isEqualTo(new Endpoint("10.0.0.1", 9876));
    }
}
