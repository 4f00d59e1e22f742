package gantry.sim.disk;

import java.util.function.Supplier;

/// What goes wrong with a simulated disk, apart from power cuts.
///
/// For:   turning faults on and off while the world runs.
/// Owner: whoever plays fate; the disk reads it.
public final class DiskFaults {
    /// Space for file content; writes beyond it fail as FULL.
    long capacityBytes = Long.MAX_VALUE;
    /// One write in so many fails with an I/O error; 0 for none.
    int writeFailsOneIn;
    /// One read in so many fails with an I/O error; 0 for none.
    int readFailsOneIn;
    /// One sync in so many fails, and poisons its file; 0 for none.
    int syncFailsOneIn;
    /// Syncs take this much longer than usual.
    long stallNanos;

    public void capacity(long bytes) {
        capacityBytes = bytes;
    }

    public void writesFail(int oneIn) {
        writeFailsOneIn = oneIn;
    }

    public void readsFail(int oneIn) {
        readFailsOneIn = oneIn;
    }

    public void syncsFail(int oneIn) {
        syncFailsOneIn = oneIn;
    }

    public void stall(long nanos) {
        stallNanos = nanos;
    }

    /// Does `work` while every read succeeds; for whoever checks.
    public <T> T withoutReadFailures(Supplier<T> work) {
        int before = readFailsOneIn;
        readFailsOneIn = 0;
        try {
            return work.get();
        } finally {
            readFailsOneIn = before;
        }
    }

    /// True when nothing is wrong.
    public boolean none() {
        return capacityBytes == Long.MAX_VALUE
                && writeFailsOneIn == 0
                && readFailsOneIn == 0
                && syncFailsOneIn == 0
                && stallNanos == 0;
    }

    /// Everything works again.
    public void heal() {
        capacityBytes = Long.MAX_VALUE;
        writeFailsOneIn = 0;
        readFailsOneIn = 0;
        syncFailsOneIn = 0;
        stallNanos = 0;
    }
}
