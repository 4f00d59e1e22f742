package gantry.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Who may import whom: the table of the modules, as a test.
class ImportTableTest {
    /// As it stands in ARCHITECTURE.md; a module that is not here may not exist.
    private static final Map<String, Set<String>> MAY_IMPORT = Map.ofEntries(
            entry("base", Set.of()),
            entry("wire", Set.of("base")),
            entry("store", Set.of("base", "wire")),
            entry("replica", Set.of("base")),
            entry("broker", Set.of("base", "wire", "store", "replica")),
            entry("control", Set.of("base", "wire", "replica")),
            entry("net", Set.of("base")),
            entry("client", Set.of("base", "wire", "net")),
            entry("gateway", Set.of("base", "wire", "broker")),
            entry("ops", Set.of("base", "wire", "client", "store")),
            entry(
                    "server",
                    Set.of(
                            "base", "wire", "store", "replica", "broker", "control", "net", "client", "gateway",
                            "ops")));

    private final JavaClasses product = Product.classes();

    @Test
    void everyImportIsOneThatTheTableAllows() {
        Map<String, Set<String>> forbidden = new TreeMap<>();
        for (JavaClass one : product) {
            String from = Product.moduleOf(one);
            assertThat(MAY_IMPORT).as("the module of " + one.getName()).containsKey(from);
            one.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                    .filter(Product::isOurs)
                    .filter(target -> !Product.moduleOf(target).equals(from))
                    .filter(target -> !MAY_IMPORT.get(from).contains(Product.moduleOf(target)))
                    .forEach(target -> forbidden
                            .computeIfAbsent(one.getName(), name -> new TreeSet<>())
                            .add(target.getName()));
        }
        assertThat(forbidden).isEmpty();
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("gantry.(**)").should().beFreeOfCycles().check(product);
    }

    @Test
    void baseStoreAndBrokerNeedNoLibrary() {
        noClasses()
                .that()
                .resideInAnyPackage("gantry.base..", "gantry.store..", "gantry.broker..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("gantry..", "java..", "org.jspecify..")
                .check(product);
    }

    @Test
    void replicaNeedsNothingButTheProofsOfTheJdk() {
        assertThat(product.stream().filter(one -> Product.moduleOf(one).equals("replica")))
                .isNotEmpty();
        noClasses()
                .that()
                .resideInAPackage("gantry.replica..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                        "gantry.base..", "gantry.replica..", "java..", "javax.crypto..", "org.jspecify..")
                .check(product);
    }

    @Test
    void nothingOfApacheIsOnTheClassPath() {
        assertThat(System.getProperty("java.class.path"))
                .doesNotContain("org/apache/rocketmq")
                .doesNotContain("rocketmq-");
    }
}
