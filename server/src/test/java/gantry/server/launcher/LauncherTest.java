package gantry.server.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher itself, in a folder of its own, with a Java and a Maven that only say how they were called.
class LauncherTest {
    /// Everything the launcher may use of a machine, besides Java, Maven and apt-get.
    private static final List<String> TOOLS = List.of(
            "bash",
            "env",
            "sed",
            "grep",
            "readlink",
            "dirname",
            "basename",
            "find",
            "mktemp",
            "flock",
            "ln",
            "mv",
            "ls",
            "tail",
            "head",
            "rm",
            "cp",
            "mkdir",
            "chmod",
            "touch",
            "id",
            "cat",
            "tar",
            "gzip",
            "sleep");

    @TempDir
    Path temp;

    private Path home;
    private Path bin;
    private Path jvms;
    private Path calls;

    private record Ended(int code, String out, String err) {}

    @BeforeEach
    void copyTheLauncher() throws IOException {
        home = Files.createDirectory(temp.resolve("home"));
        bin = Files.createDirectory(temp.resolve("bin"));
        jvms = Files.createDirectory(temp.resolve("jvms"));
        calls = temp.resolve("calls");
        String launcher = Files.readString(Path.of("../gantry"));
        String usual = "/usr/lib/jvm/*25* /usr/java/*25* /opt/*25* /opt/java/*25*";
        assertThat(launcher).contains(usual);
        script(home.resolve("gantry"), launcher.replace(usual, jvms + "/*25*"));
        Files.writeString(home.resolve("pom.xml"), "<project>\n  <version>0.1.0</version>\n</project>\n");
        Files.createDirectories(home.resolve("server/src/main"));
        Files.writeString(home.resolve("server/pom.xml"), "");
        for (String tool : TOOLS) {
            Files.createSymbolicLink(bin.resolve(tool), find(tool));
        }
    }

    @Test
    void withoutJdkItSaysWhatToInstallAndStops() throws Exception {
        Ended ended = run(Map.of(), "standalone");
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err())
                .contains("there is no JDK 25 here")
                .contains("apt-get install openjdk-25-jdk-headless")
                .hasLineCount(1);
    }

    @Test
    void olderJavaHomeIsPassedOverForTheUsualFolders() throws Exception {
        jdk("jdk-17", "17.0.15");
        jdk("jdk-25", "25.0.3");
        maven("3.9.9", true);
        Ended ended = run(Map.of("JAVA_HOME", jvms.resolve("jdk-17").toString()), "standalone");
        assertThat(ended.out()).startsWith("jdk-25 ");
    }

    @Test
    void javaHomeIsUsedWhenItIsOne() throws Exception {
        jdk("jdk-25", "25.0.3");
        jdk("mine", "25");
        maven("3.9.9", true);
        Ended ended = run(Map.of("JAVA_HOME", jvms.resolve("mine").toString()), "standalone");
        assertThat(ended.out()).startsWith("mine ");
    }

    @Test
    void withoutMavenItSaysWhatToInstallAndStops() throws Exception {
        jdk("jdk-25", "25.0.3");
        Ended ended = run(Map.of(), "standalone");
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).contains("there is no Maven 3.8 or newer here").contains("apt-get install maven");
    }

    @Test
    void tooOldMavenFetchesANewerOne() throws Exception {
        jdk("jdk-25", "25.0.3");
        maven("3.6.3", true);
        Ended ended = run(Map.of(), "standalone");
        assertThat(ended.err()).contains("fetching org.apache.maven:apache-maven:3.9.16:tar.gz:bin");
        assertThat(Files.readString(calls)).contains("fetched 3.9.16: -B -Dstyle.color=never -q package");
        assertThat(ended.code()).isZero();
    }

    @Test
    void firstStartBuildsAndTheSecondOnlyStarts() throws Exception {
        jdk("jdk-25", "25.0.3");
        maven("3.9.9", true);
        Ended first = run(Map.of("GANTRY_JAVA_OPTS", "-Xmx1g -Da=b"), "standalone", "--data-dir", "a folder");
        assertThat(first.code()).isZero();
        assertThat(first.err()).contains("first start: building Gantry");
        assertThat(first.out())
                .contains(" -Xmx1g -Da=b -cp ")
                .contains("/lib/a.jar:")
                .endsWith("gantry.server.Main standalone --data-dir a folder\n");
        Ended second = run(Map.of(), "standalone");
        assertThat(second.err()).isEmpty();
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void optionsThatJavaDoesNotTakeAreNamedWithTheirVariable() throws Exception {
        jdk("jdk-25", "25.0.3");
        maven("3.9.9", true);
        run(Map.of(), "standalone");
        script(jvms.resolve("jdk-25/bin/java"), """
                #!/usr/bin/env bash
                [[ " $* " = *" -Xmxlots "* ]] || exit 0
                echo 'Invalid maximum heap size: -Xmxlots' >&2
                echo 'Error: Could not create the Java Virtual Machine.' >&2
                exit 1
                """);
        Ended ended = run(Map.of("GANTRY_JAVA_OPTS", "-Da=b -Xmxlots"), "standalone");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err())
                .isEqualTo(
                        "gantry: Java does not start with GANTRY_JAVA_OPTS=\"-Da=b -Xmxlots\", it says \"Invalid maximum heap"
                                + " size: -Xmxlots\": correct that variable, or unset it.\n");
    }

    @Test
    void newerSourceIsBuiltAgain() throws Exception {
        jdk("jdk-25", "25.0.3");
        maven("3.9.9", true);
        run(Map.of(), "standalone");
        Path source = Files.writeString(home.resolve("server/src/main/A.java"), "class A {}");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));
        assertThat(run(Map.of(), "standalone").err()).contains("the sources are newer than the build");
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void twoFirstStartsBuildOnce() throws Exception {
        jdk("jdk-25", "25.0.3");
        maven("3.9.9", true);
        Process one = start(Map.of(), "standalone");
        Process two = start(Map.of(), "broker");
        assertThat(ended(one).out()).endsWith("Main standalone\n");
        assertThat(ended(two).out()).endsWith("Main broker\n");
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void failedBuildIsNoBuild() throws Exception {
        jdk("jdk-25", "25.0.3");
        maven("3.9.9", false);
        Ended ended = run(Map.of(), "standalone");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains("the build failed; the reason stands above.");
        assertThat(home.resolve(".gantry/app")).doesNotExist();
    }

    @Test
    void testRunsEverythingAndPassesArguments() throws Exception {
        jdk("jdk-25", "25.0.3");
        maven("3.9.9", true);
        Ended ended = run(Map.of(), "test", "-pl", "net");
        assertThat(ended.code()).isZero();
        assertThat(Files.readString(calls)).endsWith(": -B -Dstyle.color=never -T 2 verify -pl net\n");
    }

    @Test
    void misspeltRoleIsOneSentence() throws Exception {
        Ended ended = run(Map.of(), "standlone");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err())
                .startsWith("gantry: \"standlone\" is not a role of Gantry")
                .hasLineCount(1);
    }

    @Test
    void helpAndVersionNeedNoJava() throws Exception {
        assertThat(run(Map.of(), "--version").out()).isEqualTo("gantry 0.1.0\n");
        assertThat(run(Map.of(), "--help").out()).contains("gantry standalone").contains("gantry broker");
    }

    /// A folder that looks like a JDK, whose `java` says its name and arguments.
    private void jdk(String name, String version) throws IOException {
        Path folder = Files.createDirectories(jvms.resolve(name).resolve("bin")).getParent();
        Files.writeString(folder.resolve("release"), "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"" + version + "\"\n");
        script(folder.resolve("bin/javac"), "#!/usr/bin/env bash\n");
        script(folder.resolve("bin/java"), "#!/usr/bin/env bash\necho " + name + " \"$@\"\n");
    }

    /// A Maven that writes down how it was called, takes a moment, and leaves what a build would leave.
    private void maven(String version, boolean builds) throws IOException {
        String body = """
                #!/usr/bin/env bash
                case "$*" in
                  *--version*) echo "Apache Maven VERSION" ;;
                  *:get*)
                    folder="${!#}" && folder="${folder#*=}/org/apache/maven/apache-maven/3.9.16"
                    mkdir -p "$folder/m/bin"
                    sed -e 's/Maven [0-9.]*/Maven 3.9.16/' -e 's/"called/"fetched 3.9.16/' "$0" >"$folder/m/bin/mvn"
                    chmod +x "$folder/m/bin/mvn"
                    tar -czf "$folder/apache-maven-3.9.16-bin.tar.gz" -C "$folder" m
                    ;;
                  *)
                    echo "called: $*" >>CALLS
                    sleep 0.3
                    BUILDS || exit 1
                    mkdir -p server/target/quick/lib
                    touch server/target/quick/lib/a.jar server/target/quick/gantry-server-0.1.0.jar
                    ;;
                esac
                """;
        script(
                bin.resolve("mvn"),
                body.replace("VERSION\"", version + "\"")
                        .replace("CALLS", calls.toString())
                        .replace("BUILDS", Boolean.toString(builds)));
    }

    private long builds() throws IOException {
        return Files.readString(calls)
                .lines()
                .filter(line -> line.contains(" package "))
                .count();
    }

    private Ended run(Map<String, String> environment, String... args) throws Exception {
        return ended(start(environment, args));
    }

    private Process start(Map<String, String> environment, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(home.resolve("gantry").toString()));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command).directory(temp.toFile());
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", bin.toString(), "HOME", temp.toString()));
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static Ended ended(Process process) throws Exception {
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), out, err);
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Path find(String tool) {
        for (String folder : List.of("/usr/bin", "/bin", "/usr/local/bin")) {
            if (Files.isExecutable(Path.of(folder, tool))) {
                return Path.of(folder, tool);
            }
        }
        throw new AssertionError("this machine has no " + tool);
    }
}
