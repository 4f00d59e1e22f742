package gantry.server.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// The core reaches the world through its seams only: no clock, thread, file, socket or chance of its own.
///
/// Each ban names what to use instead; the simulator depends on all of them.
class SeamsTest {
    private final JavaClasses product = Product.classes();

    @Test
    void coreReadsNoClock() {
        noneOfCore()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.time.Clock")
                .because("time comes from gantry.base.Clock, or as an argument")
                .check(product);
    }

    @Test
    void coreStartsNoThreadAndWaitsForNone() {
        noneOfCore()
                .and()
                .resideOutsideOfPackage("gantry.base..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.Thread")
                .orShould()
                .dependOnClassesThat(describe(
                        "are of java.util.concurrent",
                        one -> one.getPackageName().equals("java.util.concurrent")
                                && !one.getSimpleName().equals("TimeUnit")))
                .because("what may block goes through gantry.base.Offload and comes back as a command")
                .check(product);
    }

    @Test
    void coreOpensNoSocketAndNoFile() {
        noneOfCore()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.channels..", "java.nio.file..", "javax.net..")
                .orShould()
                .dependOnClassesThat(describe(
                        "open files by java.io",
                        one -> one.getName().startsWith("java.io.File")
                                || one.getName().startsWith("java.io.RandomAccess")))
                .because("sockets are behind gantry.base.Network, files behind gantry.store.Disk")
                .check(product);
    }

    @Test
    void coreDrawsNoChance() {
        noneOfCore()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.Random")
                .orShould()
                .callMethod(UUID.class, "randomUUID")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(System.class, "identityHashCode", Object.class)
                .because("random numbers come from gantry.base.Entropy")
                .check(product);
    }

    @Test
    void stateCrossesThreadsOnlyWhereItMay() {
        DescribedPredicate<JavaClass> shared = describe(
                "are locks, atomics or concurrent collections",
                one -> one.getPackageName().equals("java.util.concurrent.locks")
                        || one.getPackageName().equals("java.util.concurrent.atomic")
                        || one.getName().startsWith("java.util.concurrent.Concurrent")
                        || one.getName().startsWith("java.util.concurrent.CopyOnWrite")
                        || one.getName().endsWith("BlockingQueue")
                        || one.getName().endsWith("BlockingDeque"));
        // Its plain `get` and `set` read numbers out of byte arrays, which is nobody else's business.
        DescribedPredicate<JavaMethodCall> sharing = describe(
                "are ordered accesses of a VarHandle",
                call -> call.getTargetOwner().getName().equals("java.lang.invoke.VarHandle")
                        && !call.getName().equals("get")
                        && !call.getName().equals("set"));
        String because = "state crosses threads as a command, an Image or a Published";
        noClasses()
                .that()
                .resideOutsideOfPackages("gantry.base..", "gantry.net..", "gantry.store.disk..")
                .should()
                .dependOnClassesThat(shared)
                .orShould()
                .callMethodWhere(sharing)
                .because(because)
                .check(product);
        noFields()
                .that()
                .areDeclaredInClassesThat()
                .resideOutsideOfPackages("gantry.base..", "gantry.net..", "gantry.store.disk..")
                .should()
                .haveModifier(JavaModifier.VOLATILE)
                .because(because)
                .check(product);
        noMethods()
                .that()
                .areDeclaredInClassesThat()
                .resideOutsideOfPackages("gantry.base..", "gantry.net..", "gantry.store.disk..")
                .should()
                .haveModifier(JavaModifier.SYNCHRONIZED)
                .because(because)
                .check(product);
    }

    @Test
    void staticFieldsAreFinal() {
        fields().that().areStatic().should().beFinal().check(product);
    }

    @Test
    void nobodyReflects() {
        noClasses()
                .that()
                .resideOutsideOfPackage("gantry.server..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.lang.reflect..")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("sun.misc.Unsafe")
                .check(product);
    }

    @Test
    void namesSayWhatAThingIs() {
        // On the wire RocketMQ's names stand as they are.
        classes()
                .that()
                .resideOutsideOfPackage("gantry.wire..")
                .should(be(describe(
                        "named without Manager, Util, Helper, Impl, Common, Data or Info at the end",
                        one -> !one.getSimpleName().matches(".*(Manager|Utils?|Helper|Impl|Common|Data|Info)"))))
                .check(product);
        methods().should().haveNameNotMatching("get[A-Z].*").check(product);
    }

    private static GivenClassesConjunction noneOfCore() {
        return noClasses()
                .that()
                .resideInAnyPackage(
                        "gantry.base..",
                        "gantry.wire..",
                        "gantry.store..",
                        "gantry.replica..",
                        "gantry.broker..",
                        "gantry.control..")
                .and()
                .resideOutsideOfPackage("gantry.store.disk..");
    }
}
