package gantry.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.wire.message.MessageFlags;
import gantry.wire.message.PropertyNames;
import gantry.wire.peer.PeerLibrary;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Shows that every code, flag and name here is the official libraries', by comparing constants.
class CodesGoldenTest {
    /// Headers of functions that no 5.x broker has: filter servers, access lists of 4.x.
    private static final Pattern ENDED_WITH_4 =
            Pattern.compile("Acl|AccessConfig|GlobalWhiteAddrs|FilterServer|MessageFilterClass");

    @ParameterizedTest
    @MethodSource("gantry.wire.peer.PeerLibrary#all")
    void everyRequestCodeOfThePeerIsHere(PeerLibrary peer) throws IllegalAccessException {
        assertThat(ints(RequestCodes.class)).containsAllEntriesOf(ints(peer.type("RequestCode")));
    }

    @ParameterizedTest
    @MethodSource("gantry.wire.peer.PeerLibrary#all")
    void everyResponseCodeOfThePeerIsHere(PeerLibrary peer) throws IllegalAccessException {
        assertThat(ints(ResponseCodes.class))
                .containsAllEntriesOf(ints(peer.type("ResponseCode")))
                .containsAllEntriesOf(ints(peer.type("RemotingSysResponseCode")));
    }

    /// Codes of our own are named so, and far from the peer's.
    @Test
    void noCodeHereIsUnknownToBothPeers() throws IllegalAccessException {
        Map<String, Integer> theirs = ints(PeerLibrary.V4.type("RequestCode"));
        theirs.putAll(ints(PeerLibrary.V5.type("RequestCode")));
        Map<String, Integer> ours = ints(RequestCodes.class);
        Map<String, Integer> only = new TreeMap<>(ours);
        only.keySet().removeIf(name -> !name.startsWith("GANTRY_"));
        ours.keySet().removeAll(only.keySet());
        assertThat(theirs).containsAllEntriesOf(ours);
        assertThat(only.values()).allMatch(code -> code / 1000 == 77).doesNotContainAnyElementsOf(theirs.values());

        Map<String, Integer> answers = ints(PeerLibrary.V4.type("ResponseCode"));
        answers.putAll(ints(PeerLibrary.V5.type("ResponseCode")));
        answers.putAll(ints(PeerLibrary.V5.type("RemotingSysResponseCode")));
        assertThat(answers).containsAllEntriesOf(ints(ResponseCodes.class));
    }

    @Test
    void languagesAreNumberedAsThePeerDoes() {
        for (Language language : Language.values()) {
            Object theirs = PeerLibrary.V5.constant("LanguageCode", language.name());
            assertThat(PeerLibrary.call(theirs, "getCode")).isEqualTo((byte) language.number());
        }
    }

    @Test
    void versionsAreNumberedAsThePeerDoes() throws IllegalAccessException {
        Map<String, Integer> ours = ints(Versions.class);
        ours.remove("OURS");
        assertThat(ours).isNotEmpty();
        ours.forEach((name, number) -> {
            Enum<?> theirs = (Enum<?>) PeerLibrary.V5.constant("MQVersion$Version", name);
            assertThat(number).as(name).isEqualTo(place(theirs));
        });
    }

    @Test
    void messageFlagsHaveThePeersBits() throws IllegalAccessException {
        Map<String, Integer> theirs = ints(PeerLibrary.V5.type("MessageSysFlag"));
        assertThat(theirs)
                .containsEntry("COMPRESSED_FLAG", MessageFlags.COMPRESSED)
                .containsEntry("MULTI_TAGS_FLAG", MessageFlags.MULTI_TAGS)
                .containsEntry("TRANSACTION_PREPARED_TYPE", MessageFlags.TRANSACTION_PREPARED)
                .containsEntry("TRANSACTION_COMMIT_TYPE", MessageFlags.TRANSACTION_COMMIT)
                .containsEntry("TRANSACTION_ROLLBACK_TYPE", MessageFlags.TRANSACTION_ROLLBACK)
                .containsEntry("BORNHOST_V6_FLAG", MessageFlags.BORN_HOST_V6)
                .containsEntry("STOREHOSTADDRESS_V6_FLAG", MessageFlags.STORE_HOST_V6)
                .containsEntry("NEED_UNWRAP_FLAG", MessageFlags.NEED_UNWRAP)
                .containsEntry("INNER_BATCH_FLAG", MessageFlags.INNER_BATCH)
                .containsEntry("COMPRESSION_TYPE_COMPARATOR", MessageFlags.COMPRESSION_MASK)
                .containsEntry("COMPRESSION_LZ4_TYPE", MessageFlags.COMPRESSION_LZ4)
                .containsEntry("COMPRESSION_ZSTD_TYPE", MessageFlags.COMPRESSION_ZSTD)
                .containsEntry("COMPRESSION_ZLIB_TYPE", MessageFlags.COMPRESSION_ZLIB);
    }

    @Test
    void everyPropertyNameHereIsThePeers() throws IllegalAccessException {
        Set<Object> theirs = new HashSet<>();
        for (Field field : PeerLibrary.V5.type("MessageConst").getFields()) {
            if (field.getType() == String.class) {
                theirs.add(field.get(null));
            }
        }
        for (Field field : PropertyNames.class.getFields()) {
            assertThat(theirs).contains(((FieldName) field.get(null)).text());
        }
    }

    /// Credentials and marks that are in no header class are the only names here that no header class has.
    @Test
    void headerFieldNamesAreThoseOfTheOfficialHeaderClasses() throws Exception {
        Set<String> theirs =
                headerFields(PeerLibrary.V4, "rocketmq-common", "org.apache.rocketmq.common.protocol.header.");
        theirs.addAll(
                headerFields(PeerLibrary.V5, "rocketmq-remoting", "org.apache.rocketmq.remoting.protocol.header."));
        theirs.addAll(headerFields(PeerLibrary.V5, "rocketmq-remoting", "org.apache.rocketmq.remoting.rpc."));
        Set<String> ours = new TreeSet<>();
        for (Field field : FieldNames.class.getFields()) {
            ours.add(((FieldName) field.get(null)).text());
        }

        assertThat(ours).containsAll(theirs);
        ours.removeAll(theirs);
        assertThat(ours)
                .containsExactlyInAnyOrder(
                        "gantryAll",
                        "gantryFreshness",
                        "gantryGone",
                        "gantryListeningMillis",
                        "gantryUndo",
                        "gantryWhole",
                        "MSG_REGION",
                        "TRACE_ON",
                        "IS_SUPPORT_HEART_BEAT_V2",
                        "IS_SUB_CHANGE",
                        "__ZONE_NAME",
                        "__ZONE_MODE",
                        "AccessKey",
                        "Signature",
                        "SecurityToken",
                        "_UNIQUE_KEY_QUERY",
                        "ReqT",
                        "READ_AHEAD_MODE");
    }

    private static Set<String> headerFields(PeerLibrary peer, String jar, String prefix) throws IOException {
        Class<?> header = peer.type("CommandCustomHeader");
        Set<String> names = new TreeSet<>();
        for (String name : peer.classNames(jar, prefix)) {
            Class<?> type = peer.type(name);
            boolean ended = peer == PeerLibrary.V4 && ENDED_WITH_4.matcher(name).find();
            if (header.isAssignableFrom(type) && !ended) {
                for (Field field : type.getDeclaredFields()) {
                    // The letters of a short send stand in its own class.
                    if (!Modifier.isStatic(field.getModifiers())
                            && field.getName().length() > 1) {
                        names.add(field.getName());
                    }
                }
            }
        }
        return names;
    }

    @SuppressWarnings("EnumOrdinal") // the peers send the place in their enum
    private static int place(Enum<?> constant) {
        return constant.ordinal();
    }

    private static Map<String, Integer> ints(Class<?> type) throws IllegalAccessException {
        Map<String, Integer> all = new TreeMap<>();
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (field.getType() == int.class && Modifier.isPublic(field.getModifiers())) {
                    all.putIfAbsent(field.getName(), field.getInt(null));
                }
            }
        }
        return all;
    }
}
