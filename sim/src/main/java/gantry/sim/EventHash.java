package gantry.sim;

/// A running hash over everything that happens.
///
/// For:   telling two runs apart at the first event that differs.
/// Owner: the scheduler's thread.
/// Never: identity hashes, or anything else that differs from one process to the next.
public final class EventHash {
    private static final long PRIME = 0x100000001B3L;
    private long value = 0xCBF29CE484222325L;

    public void mix(long fact) {
        value = Long.rotateLeft((value ^ fact) * PRIME, 29) + fact;
    }

    public void mix(String fact) {
        for (int i = 0; i < fact.length(); i++) {
            value = (value ^ fact.charAt(i)) * PRIME;
        }
    }

    public long value() {
        return value;
    }
}
