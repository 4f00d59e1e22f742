package gantry.bench.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// The kernel's figures are read from the right places.
@EnabledOnOs(OS.LINUX)
class ProcessFiguresTest {
    private final long self = ProcessHandle.current().pid();

    @Test
    void workCostsCpuSecondsThatTheMachineAlsoSees() {
        double before = ProcessFigures.cpuSeconds(self);
        double machineBefore = ProcessFigures.machineBusySeconds();
        byte[] bytes = new byte[1 << 20];
        CRC32 crc = new CRC32();
        while (ProcessFigures.cpuSeconds(self) - before < 0.2) {
            crc.update(bytes);
        }

        assertThat(ProcessFigures.machineBusySeconds() - machineBefore).isGreaterThan(0.1);
    }

    @Test
    void residentMemoryIsAtLeastItsAnonymousPart() {
        long anonymous = ProcessFigures.kibibytes(self, "RssAnon");

        assertThat(anonymous).isGreaterThan(10_000);
        assertThat(ProcessFigures.kibibytes(self, "VmHWM")).isGreaterThan(anonymous);
    }

    @Test
    void processThatIsGoneCountsAsNothing() {
        assertThat(ProcessFigures.cpuSeconds(Integer.MAX_VALUE)).isZero();
        assertThat(ProcessFigures.kibibytes(Integer.MAX_VALUE, "VmHWM")).isZero();
    }
}
