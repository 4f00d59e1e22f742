package gantry.sim.house;

import gantry.sim.disk.SimDisk;
import gantry.store.FileId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/// Bits of old messages that turn over on the disks of a group's members.
///
/// For:   seeing that each is found and fetched again from another member.
/// Owner: the scheduler's thread.
/// Never: in one file on two disks, so that somebody has every message; in the newest file, of which a start may not
///        know yet that it is whole; where a block is not sealed, because its seal was lost in a crash: nobody could
///        say then which of two members has the right bit.
final class Rot {
    private static final int MOST_AT_ONCE = 4;
    private static final int SEAL_HEADER_BYTES = 64;
    /// A block is a 16th of a file that is smaller than a MiB.
    private static final int FEWEST_BLOCKS = 16;

    private record Flip(BrokerProcess member, SimDisk disk, FileId file, long at, int was) {
        /// It is neither mended nor gone with its file or its disk.
        boolean isThere() {
            return disk == member.disk && disk.peek(file, at) >= 0 && disk.peek(file, at) != was;
        }

        boolean isMended() {
            return disk == member.disk && disk.peek(file, at) == was;
        }
    }

    private final RandomGenerator random;
    private final List<Flip> flips = new ArrayList<>();

    Rot(RandomGenerator random) {
        this.random = random;
    }

    /// Turns some bits over in what all members have.
    void strike(List<BrokerProcess> members, long segmentBytes) {
        long begin = 0;
        long end = Long.MAX_VALUE;
        for (BrokerProcess member : members) {
            begin = Math.max(begin, member.minOffset());
            end = Math.min(end, member.confirmOffset() / segmentBytes * segmentBytes);
        }
        Set<Long> struck = new HashSet<>();
        for (int i = 1 + random.nextInt(MOST_AT_ONCE); i > 0 && end > begin; i--) {
            long place = begin + random.nextLong(end - begin);
            long base = place / segmentBytes * segmentBytes;
            BrokerProcess member = members.get(random.nextInt(members.size()));
            if (struck.add(base)) {
                String digits = Long.toString(base);
                FileId file = new FileId("commitlog/" + "0".repeat(20 - digits.length()) + digits);
                int was = member.disk.peek(file, place - base);
                if (was >= 0 && isSealed(member.disk, digits, place - base, segmentBytes)) {
                    flips.add(new Flip(member, member.disk, file, place - base, was));
                    member.disk.rot(file, (place - base) * Byte.SIZE + random.nextInt(Byte.SIZE));
                }
            }
        }
    }

    /// As `SealLayout` draws it: 64 bytes, and 8 for each block, which are zero while it has no seal.
    private static boolean isSealed(SimDisk disk, String digits, long at, long segmentBytes) {
        FileId seals = new FileId("gantryseals/" + "0".repeat(20 - digits.length()) + digits);
        long pair = SEAL_HEADER_BYTES + at / (segmentBytes / FEWEST_BLOCKS) * Long.BYTES;
        for (long i = pair; i < pair + Long.BYTES; i++) {
            if (disk.peek(seals, i) > 0) {
                return true;
            }
        }
        return false;
    }

    boolean isThere() {
        return flips.stream().anyMatch(Flip::isThere);
    }

    boolean isIn(BrokerProcess member) {
        return flips.stream().anyMatch(flip -> flip.member() == member && flip.isThere());
    }

    /// What is rotten still, for a sentence.
    String words() {
        StringBuilder words = new StringBuilder();
        for (Flip flip : flips) {
            if (flip.isThere()) {
                words.append(flip.member().address)
                        .append(' ')
                        .append(flip.file().path())
                        .append(" byte ");
                words.append(flip.at()).append("; ");
            }
        }
        return words.toString();
    }

    /// How many were mended.
    int mended() {
        return (int) flips.stream().filter(Flip::isMended).count();
    }
}
