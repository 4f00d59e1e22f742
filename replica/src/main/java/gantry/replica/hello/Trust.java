package gantry.replica.hello;

import gantry.base.Invariant;
import gantry.base.Require;
import gantry.replica.frame.Hello;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// What the members of a group know each other by.
///
/// For:   proofs and nonces of the hello.
/// Owner: none (immutable).
/// Never: shows the secret; its text form does not hold it.
///
/// With a shared secret a proof is an HMAC-SHA256 that only who knows the secret can make. With certificates
/// the link below has made sure who the peer is, and hands the name over; the same code is then made with an
/// empty key and only ties the four frames together.
public final class Trust {
    public static final int MIN_SECRET_BYTES = 16;

    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] NO_SECRET = new byte[1];

    private final int proofKind;
    private final byte[] secret;

    private Trust(int proofKind, byte[] secret) {
        this.proofKind = proofKind;
        this.secret = secret;
    }

    public static Trust bySecret(byte[] secret) {
        Require.that(
                secret.length >= MIN_SECRET_BYTES,
                "the replication secret has " + secret.length + " bytes, it needs " + MIN_SECRET_BYTES + " at least");
        return new Trust(Hello.BY_SECRET, secret.clone());
    }

    public static Trust byCertificate() {
        return new Trust(Hello.BY_CERTIFICATE, NO_SECRET);
    }

    public int proofKind() {
        return proofKind;
    }

    public boolean needsCertificate() {
        return proofKind == Hello.BY_CERTIFICATE;
    }

    /// A number that never came before, and that nobody without the secret can foretell, though the random stream
    /// itself can be.
    byte[] nonce(RandomGenerator random) {
        byte[] drawn = new byte[Hello.NONCE_BYTES];
        random.nextBytes(drawn);
        return code("gantry replica nonce", drawn);
    }

    /// The code over a purpose and the parts, each with its length, so that no two lists of parts look the same.
    byte[] code(String purpose, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            add(mac, purpose.getBytes(StandardCharsets.US_ASCII));
            for (byte[] part : parts) {
                add(mac, part);
            }
            return mac.doFinal();
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw Invariant.broken("TRUST-1 every Java has " + ALGORITHM + " (" + e.getMessage() + ")");
        }
    }

    static boolean same(byte[] one, byte[] other) {
        return MessageDigest.isEqual(one, other);
    }

    private static void add(Mac mac, byte[] part) {
        int length = part.length;
        mac.update((byte) (length >>> 24));
        mac.update((byte) (length >>> 16));
        mac.update((byte) (length >>> 8));
        mac.update((byte) length);
        mac.update(part);
    }

    @Override
    public String toString() {
        return needsCertificate() ? "trust by certificate" : "trust by secret";
    }
}
