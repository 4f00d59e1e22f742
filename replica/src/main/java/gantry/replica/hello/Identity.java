package gantry.replica.hello;

import gantry.base.Require;
import gantry.replica.frame.Hello;

/// Who a member is.
///
/// For:   the hello.
/// Owner: none (immutable).
///
/// @param memberId its number in the group (RocketMQ's brokerId)
/// @param instance drawn when its process started, so that two processes with one number are told apart
public record Identity(String cluster, String group, long memberId, long instance) {
    public Identity {
        Require.that(isName(cluster), "a cluster name has 1 to " + Hello.MAX_NAME_BYTES + " printable ASCII bytes");
        Require.that(isName(group), "a broker name has 1 to " + Hello.MAX_NAME_BYTES + " printable ASCII bytes");
        Require.that(memberId >= 0, "a member id is 0 or more");
    }

    /// What a member's certificate says.
    public String certifiedName() {
        return certifiedName(cluster, group, memberId);
    }

    static String certifiedName(String cluster, String group, long memberId) {
        return cluster + "/" + group + "/" + memberId;
    }

    private static boolean isName(String name) {
        return !name.isEmpty()
                && name.length() <= Hello.MAX_NAME_BYTES
                && name.chars().allMatch(each -> each >= 0x20 && each <= 0x7E);
    }
}
