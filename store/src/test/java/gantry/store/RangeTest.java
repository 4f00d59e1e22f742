package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Shows that members find what differs, that rot is mended byte for byte and nothing else is written, and that
/// power may go at any operation of a mend.
class RangeTest {
    private static final StoreConfig CONFIG = Rig.TINY;
    private static final StoreConfig UNSEALED =
            CONFIG.withIntegrity(IntegrityConfig.DEFAULT.withScrub(0).withSeals(false));
    private static final String FIRST = "commitlog/" + Names.ofOffset(0);
    private static final int FILE = 4096;

    private Copying leader;
    private Copying follower;

    /// Three files, all of it confirmed, on disk and (where that is on) sealed on both.
    @BeforeEach
    void fill() throws OpenFailed {
        fill(CONFIG);
    }

    private void fill(StoreConfig config) throws OpenFailed {
        leader = new Copying(new FaultDisk(), config).leads();
        follower = new Copying(new FaultDisk(), config);
        for (int i = 0; i < 30; i++) {
            leader.rig.sendTagged(leader.rig.queue("a", i % 3), "tag", "m" + i + "-" + "x".repeat(300));
        }
        follower.follow(leader, FILE);
        leader.confirm(leader.log.end());
        follower.confirm(leader.log.end());
        for (int i = 0; i < 12; i++) {
            leader.rig.pass(600);
            follower.rig.pass(600);
        }
        assertThat(follower.log.durable()).isEqualTo(leader.log.end()).isGreaterThan(2 * FILE);
    }

    private static RangeLook look(Copying member, RangeAsk ask) {
        List<RangeLook> told = new ArrayList<>();
        member.log.look(ask, told::add);
        assertThat(told).hasSize(1);
        return told.getFirst();
    }

    private static RangeMended mend(Copying member, long from, ByteBuffer bytes) {
        return mend(member, from, bytes, sha256(bytes));
    }

    private static RangeMended mend(Copying member, long from, ByteBuffer bytes, byte[] digest) {
        List<RangeMended> told = new ArrayList<>();
        member.log.mend(from, bytes, digest, told::add);
        assertThat(told).hasSize(1);
        return told.getFirst();
    }

    private static byte[] sha256(ByteBuffer bytes) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes.duplicate());
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private ByteBuffer given(long from) {
        RangeLook look = look(leader, RangeAsk.given(from, leader.log.end(), 1000));
        ByteBuffer bytes = look instanceof RangeLook.Sound sound ? sound.bytes() : null;
        if (bytes == null) {
            throw new AssertionError("nothing is given from " + from + ": " + look);
        }
        return bytes;
    }

    private static void flip(Copying member, String file, int at) {
        member.disk.overwrite(file, at, (byte) (member.disk.bytes(file)[at] ^ 1));
    }

    @Test
    void walkGoesFromMessageToMessageOverAllFilesAndDigestsAreEqual() {
        int ranges = 0;
        long at = 0;
        while (at < leader.log.end()) {
            RangeLook.Sound ours = (RangeLook.Sound) look(leader, RangeAsk.next(at, leader.log.end(), 1000));
            assertThat(ours.from()).isEqualTo(at);
            assertThat(ours.to()).isGreaterThan(at);
            assertThat(look(follower, RangeAsk.exactly(at, ours.to())))
                    .isInstanceOfSatisfying(
                            RangeLook.Sound.class,
                            theirs -> assertThat(theirs.digest()).isEqualTo(ours.digest()));
            at = ours.to();
            ranges++;
        }
        assertThat(at).isEqualTo(leader.log.end());
        assertThat(ranges).isGreaterThan(8);
    }

    @Test
    void nothingIsSeenAboveWhatIsConfirmedOrBelowTheBegin() {
        long end = leader.log.end();
        leader.rig.send(leader.rig.queue("a", 0), "not confirmed");
        leader.rig.pass(600);
        assertThat(look(leader, RangeAsk.next(end, Long.MAX_VALUE, 1000))).isInstanceOf(RangeLook.Gone.class);
        assertThat(look(leader, RangeAsk.exactly(0, leader.log.end()))).isInstanceOf(RangeLook.Gone.class);
        assertThat(look(leader, RangeAsk.next(-5, end, 1000))).isInstanceOf(RangeLook.Gone.class);
        assertThat(mend(leader, end, given(0))).isInstanceOf(RangeMended.Gone.class);
    }

    /// Another member may ask for anything: what is sound here is not called rotten because no message begins there.
    @Test
    void noPlaceInsideAMessageIsCalledRottenWhoeverAsks() {
        RangeLook.Sound first = (RangeLook.Sound) look(leader, RangeAsk.next(0, leader.log.end(), 1));
        for (long at = 1; at < first.to(); at++) {
            assertThat(look(leader, RangeAsk.given(at, leader.log.end(), 1000)))
                    .as("from %d", at)
                    .isInstanceOf(RangeLook.NotNow.class);
            assertThat(look(leader, RangeAsk.exactly(at, first.to()))).isInstanceOf(RangeLook.NotNow.class);
            assertThat(look(leader, RangeAsk.exactly(0, at))).isInstanceOf(RangeLook.NotNow.class);
        }
        assertThat(leader.rig.store.rotten()).isEmpty();

        flip(leader, FIRST, (int) first.to() + 4);
        assertThat(look(leader, RangeAsk.given(first.to(), leader.log.end(), 1000)))
                .as("one that is rotten where a message begins")
                .isInstanceOf(RangeLook.Rotten.class);
    }

    /// Any bit of the first file, also those that no checksum of RocketMQ's format covers: a seal has them.
    @Test
    void anyByteOfASealedFileIsFoundAndMendedAndWhatStoodThereIsKept() {
        byte[] whole = follower.disk.bytes(FIRST);
        for (int at = 0; at < FILE; at += 7) {
            flip(follower, FIRST, at);
            byte[] rotten = follower.disk.bytes(FIRST);
            RangeLook found = look(follower, RangeAsk.exactly(0, FILE));
            assertThat(found).as("byte %d", at).isInstanceOf(RangeLook.Rotten.class);
            assertThat(follower.rig.store.rotten()).hasSize(1);

            long from = 0;
            int mended = 0;
            while (from < FILE) {
                RangeMended done = mend(follower, from, given(from));
                if (done instanceof RangeMended.Mended now) {
                    String kept = now.kept().substring("/store/".length());
                    byte[] aside = follower.disk.bytes(kept);
                    assertThat(aside).isEqualTo(Arrays.copyOfRange(rotten, (int) from, (int) from + aside.length));
                    mended++;
                    from = now.to();
                } else {
                    assertThat(done).as("byte %d", at).isInstanceOf(RangeMended.Same.class);
                    from = ((RangeMended.Same) done).to();
                }
            }
            assertThat(mended).as("byte %d", at).isEqualTo(1);
            assertThat(follower.disk.bytes(FIRST)).as("byte %d", at).isEqualTo(whole);
            assertThat(follower.rig.store.rotten()).isEmpty();
            assertThat(look(follower, RangeAsk.exactly(0, FILE))).isInstanceOf(RangeLook.Sound.class);
        }
        assertThat(follower.disk.files().stream().filter(name -> name.startsWith("gantryrot/")))
                .hasSize(KeptRot.MOST_KEPT);
    }

    @Test
    void rotIsATroubleUntilItIsMended() {
        flip(follower, FIRST, 200);
        look(follower, RangeAsk.exactly(0, FILE));
        assertThat(follower.rig.store.troubles())
                .singleElement()
                .returns(Trouble.Kind.BIT_ROT, Trouble::kind)
                .satisfies(trouble -> assertThat(trouble.sentence()).contains(FIRST, "from byte 0", "another member"));
        assertThat(follower.rig.notices).anyMatch(text -> text.startsWith("ALARM Bit rot"));
        assertThat(mend(follower, 0, given(0))).isInstanceOf(RangeMended.Mended.class);
        look(follower, RangeAsk.exactly(0, FILE));
        assertThat(follower.rig.store.troubles()).isEmpty();
        assertThat(follower.rig.notices).anyMatch(text -> text.startsWith("OVER Bit rot is mended"));
    }

    /// Without seals a bit of a topic's name is in no checksum: then nobody can say whose is right.
    @Test
    void whatIsSoundIsNeverWrittenOver() throws OpenFailed {
        fill(UNSEALED);
        byte[] bytes = follower.disk.bytes(FIRST);
        int tag = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("tag");
        flip(follower, FIRST, tag);
        byte[] changed = follower.disk.bytes(FIRST);
        RangeLook.Sound theirs = (RangeLook.Sound) look(follower, RangeAsk.exactly(0, FILE));
        RangeLook.Sound ours = (RangeLook.Sound) look(leader, RangeAsk.exactly(0, FILE));
        assertThat(theirs.digest()).isNotEqualTo(ours.digest());
        assertThat(mend(follower, 0, given(0))).isInstanceOf(RangeMended.Differs.class);
        assertThat(follower.disk.bytes(FIRST)).isEqualTo(changed);
        assertThat(follower.disk.files()).noneMatch(name -> name.startsWith("gantryrot/"));
    }

    @Test
    void withoutSealsOnlyTheDamagedMessageIsWrittenOver() throws OpenFailed {
        fill(UNSEALED);
        byte[] whole = follower.disk.bytes(FIRST);
        int first = new String(whole, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("m0-");
        flip(follower, FIRST, first + 40);
        assertThat(look(follower, RangeAsk.exactly(0, FILE))).isInstanceOf(RangeLook.Rotten.class);
        assertThat(mend(follower, 0, given(0))).isInstanceOf(RangeMended.Mended.class);
        assertThat(follower.disk.bytes(FIRST)).isEqualTo(whole);
    }

    @Test
    void bytesOfAnotherPlaceOrOfAnotherDigestAreNotTaken() {
        flip(follower, FIRST, 200);
        byte[] rotten = follower.disk.bytes(FIRST);
        ByteBuffer good = given(0);
        assertThat(mend(follower, 0, given(FILE))).isInstanceOf(RangeMended.Unfit.class);
        assertThat(mend(follower, 0, good, new byte[32])).isInstanceOf(RangeMended.Unfit.class);
        ByteBuffer bad =
                ByteBuffer.allocate(good.remaining()).put(good.duplicate()).flip();
        bad.put(150, (byte) (bad.get(150) ^ 4));
        assertThat(mend(follower, 0, bad)).isInstanceOf(RangeMended.Unfit.class);
        assertThat(mend(follower, 0, good.slice(0, good.remaining() - 3))).isInstanceOf(RangeMended.Unfit.class);
        assertThat(follower.disk.bytes(FIRST)).isEqualTo(rotten);
    }

    @Test
    void whoIsRottenGivesNothing() {
        flip(leader, FIRST, 200);
        assertThat(look(leader, RangeAsk.given(0, leader.log.end(), 1000))).isInstanceOf(RangeLook.Rotten.class);
    }

    /// A seal that was made of rotten bytes does not call the sound ones rotten.
    @Test
    void sealThatWasMadeOfRottenBytesIsMadeAnew() throws OpenFailed, DiskFailed {
        flip(follower, FIRST, 200);
        SealTable seals = new Seals(follower.disk, FILE).table(0);
        seals.open(0);
        new SealCheck(follower.disk, new Seals(follower.disk, FILE)).seal(seals, 0);
        seals.write(follower.disk);
        Copying again = new Copying(follower.disk.afterKill(), CONFIG);
        assertThat(look(again, RangeAsk.exactly(0, FILE))).isInstanceOf(RangeLook.Rotten.class);
        assertThat(mend(again, 0, given(0))).isInstanceOf(RangeMended.Mended.class);
        assertThat(look(again, RangeAsk.exactly(0, FILE))).isInstanceOf(RangeLook.Sound.class);
    }

    @Test
    void powerMayGoAtEveryOperationOfAMend() throws OpenFailed {
        byte[] whole = follower.disk.bytes(FIRST);
        flip(follower, FIRST, 200);
        byte[] rotten = follower.disk.bytes(FIRST);
        FaultDisk before = follower.disk.afterKill();
        ByteBuffer good = given(0);

        Copying once = new Copying(before.afterKill(), CONFIG);
        long start = once.disk.operations();
        assertThat(mend(once, 0, good)).isInstanceOf(RangeMended.Mended.class);
        long operations = once.disk.operations() - start;
        assertThat(operations).isGreaterThan(4);
        int stillRotten = 0;
        for (long k = 0; k < operations; k++) {
            Copying cut = new Copying(before.afterKill(), CONFIG);
            cut.disk.cutPowerAt(k);
            assertThatThrownBy(() -> mend(cut, 0, good)).isInstanceOf(FaultDisk.PowerCut.class);
            for (int fate = 0; fate < 4; fate++) {
                FaultDisk after = cut.disk.afterPowerLoss(new SplittableRandom(k * 10 + fate));
                byte[] now = after.bytes(FIRST);
                for (int i = 0; i < FILE; i++) {
                    assertThat(now[i] == rotten[i] || now[i] == whole[i])
                            .as("byte %d", i)
                            .isTrue();
                }
                String when = "operation " + k + ", fate " + fate;
                Copying again = new Copying(after, CONFIG);
                boolean isRotten = look(again, RangeAsk.exactly(0, FILE)) instanceof RangeLook.Rotten;
                assertThat(isRotten).as(when).isEqualTo(!Arrays.equals(now, whole));
                stillRotten += isRotten ? 1 : 0;
                assertThat(mend(again, 0, good))
                        .as(when)
                        .isInstanceOf(isRotten ? RangeMended.Mended.class : RangeMended.Same.class);
                assertThat(again.disk.bytes(FIRST)).as(when).isEqualTo(whole);
                assertThat(look(again, RangeAsk.exactly(0, FILE))).as(when).isInstanceOf(RangeLook.Sound.class);
                assertThat(Copying.files(again.disk, "commitlog"))
                        .as(when)
                        .isEqualTo(Copying.files(leader.disk, "commitlog"));
            }
        }
        assertThat(stillRotten).isPositive();
    }

    @Test
    void withoutRoomToKeepWhatStoodThereNothingIsWritten() {
        flip(follower, FIRST, 200);
        byte[] rotten = follower.disk.bytes(FIRST);
        follower.disk.fullFor(file -> file.path().startsWith(KeptRot.FOLDER));
        assertThat(mend(follower, 0, given(0))).isInstanceOf(RangeMended.Failed.class);
        assertThat(follower.disk.bytes(FIRST)).isEqualTo(rotten);
    }

    /// The scrubber's findings are asked for: also a block in the middle of which a message begins.
    @Test
    void whatTheScrubberFindsCanBeFetchedFromWhereAMessageBegins() throws OpenFailed {
        StoreConfig scrubbing = CONFIG.withScrub(1 << 20);
        byte[] whole = follower.disk.bytes(FIRST);
        int tag = new String(whole, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("tag", 1500);
        flip(follower, FIRST, tag);
        Copying again = new Copying(follower.disk.afterKill(), scrubbing);
        for (int i = 0; i < 30; i++) {
            again.rig.pass(500);
        }
        assertThat(again.log.rotten()).hasSize(1);
        for (int tries = 0; tries < 50 && !again.log.rotten().isEmpty(); tries++) {
            long from = again.log.rotten().getFirst().from();
            assertThat(mend(again, from, given(from)))
                    .isInstanceOfAny(RangeMended.Mended.class, RangeMended.Same.class);
        }
        assertThat(again.log.rotten()).isEmpty();
        assertThat(again.disk.bytes(FIRST)).isEqualTo(whole);
    }

    /// In a group a message that cannot be read is waited for, because another member may give it again.
    @Test
    void consumerWaitsForAMessageThatIsMended() {
        flip(follower, FIRST, 5);
        ConsumeQueue queue = follower.rig.queue("a", 0);
        for (int i = 0; i < 3; i++) {
            assertThat(follower.rig.statusAt(queue, 0)).isEqualTo(Fetch.Status.UNREADABLE);
            follower.rig.pass(11_000);
        }
        assertThat(follower.log.rotten()).as("it is asked for").isNotEmpty();
        mend(follower, 0, given(0));
        assertThat(follower.rig.read(queue, 0)).hasSize(10).first().asString().startsWith("m0-");
        assertThat(follower.rig.notices).noneMatch(text -> text.contains("A message is lost"));
    }

    @Test
    void messageThatNobodyGivesAgainIsLostAfterAMinute() {
        flip(follower, FIRST, 5);
        ConsumeQueue queue = follower.rig.queue("a", 0);
        for (int i = 0; i < 8; i++) {
            follower.rig.statusAt(queue, 0);
            follower.rig.pass(11_000);
        }
        assertThat(follower.rig.notices).anyMatch(text -> text.contains("A message is lost"));
        assertThat(follower.rig.read(queue, 0)).hasSize(9);
        mend(follower, 0, given(0));
        assertThat(follower.rig.read(queue, 0)).as("it is there again").hasSize(10);
    }
}
