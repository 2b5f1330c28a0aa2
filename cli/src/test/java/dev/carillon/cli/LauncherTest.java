package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script of a checkout, with a Java that prints how it is called. */
@Timeout(60)
class LauncherTest {

  private static final Path SCRIPT = Path.of("../carillon");

  private static final String JAVA =
      """
      #!/bin/bash
      for word; do
        case $word in
          -XshowSettings:properties)
            cd -P "${0%/*}/.."
            echo "    java.home = $PWD"
            sed 's/JAVA_VERSION="\\(.*\\)"/    java.specification.version = \\1/' release
            exit
            ;;
          -XX:DumpLoadedClassList=*) echo a/Class >"${word#*=}" ;;
          -Xshare:dump) makes=yes ;;
          -XX:SharedClassListFile=*) classes=${word#*=} ;;
          -XX:SharedArchiveFile=*) [[ ! $makes ]] || sed 's/^/has /' "$classes" >"${word#*=}" ;;
        esac
      done
      echo "in $PWD"
      printf '%s\\n' "$@"
      """;

  /** A Maven that notes when it begins and ends, and ends when the test lets it. */
  private static final String MAVEN =
      """
      #!/bin/bash
      cd "${0%/*}"
      echo begin >>builds
      while [[ ! -e go ]]; do sleep 0.05; done
      echo end >>builds
      """;

  private static final List<String> MODULES =
      List.of("cli", "client", "console", "functions", "local", "worker");

  /** What the script needs of a system; Maven is missing. */
  private static final List<String> TOOLS =
      List.of(
          "cat",
          "find",
          "grep",
          "mkdir",
          "mv",
          "readlink",
          "rm",
          "rmdir",
          "sed",
          "sleep",
          "tail",
          "tee",
          "touch");

  /** The jar, its archive, the mark of the build and the Java that was found. */
  private static final int FILES = 4;

  private static final long PAUSE_MILLIS = 10;
  private static final long LIMIT_SECONDS = 20;

  @TempDir private Path directory;
  private Path checkout;
  private Path elsewhere;

  @BeforeEach
  void copy() throws IOException {
    checkout = Files.createDirectory(directory.resolve("my checkout"));
    elsewhere = Files.createDirectory(directory.resolve("else where"));
    Files.copy(SCRIPT, checkout.resolve("carillon"));
    for (String module : MODULES) {
      Files.createDirectories(checkout.resolve(module).resolve("src/main"));
      Files.createFile(checkout.resolve(module).resolve("pom.xml"));
    }
    Files.createFile(checkout.resolve("pom.xml"));
    java("jdk", "17.0.1");
    Path tools = Files.createDirectory(directory.resolve("tools"));
    for (String tool : TOOLS) {
      program(tools.resolve(tool), "#!/bin/bash\nexec \"" + find(tool) + "\" \"$@\"\n");
    }
  }

  /** Systems have their tools in different directories. */
  private static Path find(String tool) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .map(each -> Path.of(each, tool))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new AssertionError("the PATH has no " + tool));
  }

  private void java(String name, String version) throws IOException {
    Path home = directory.resolve(name);
    program(Files.createDirectories(home.resolve("bin")).resolve("java"), JAVA);
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
  }

  private static void program(Path file, String text) throws IOException {
    assertThat(Files.writeString(file, text).toFile().setExecutable(true)).isTrue();
  }

  private void build() throws IOException {
    Path target = Files.createDirectories(checkout.resolve("cli/target"));
    Files.createFile(target.resolve("carillon.jar"));
    Files.createFile(target.resolve("launcher.built"));
    // Newer than the jar, so that no process in the background makes one.
    Path archive = Files.writeString(target.resolve("carillon.jsa"), "classes");
    Files.setLastModifiedTime(archive, FileTime.from(Instant.now().plusSeconds(60)));
  }

  private Process start(Path script, String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("/bin/bash", script.toString()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).directory(elsewhere.toFile());
    builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
    builder.environment().put("PATH", directory.resolve("tools").toString());
    return builder.redirectErrorStream(true).start();
  }

  private List<String> run(Path script, String... words) throws IOException, InterruptedException {
    Process process = start(script, words);
    // A read has no timeout, so a script that never ends would hold up the test for ever.
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.toHandle().destroy();
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return said.lines().toList();
  }

  private static void awaitArchive(Path archive) throws Exception {
    while (Files.size(archive) == 0 || files(archive.getParent()) > FILES) {
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private static int files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return (int) files.count();
    }
  }

  @Test
  void wordsReachTheJarUnchangedFromAnyDirectoryAndThroughALink() throws Exception {
    build();
    Path link = Files.createSymbolicLink(elsewhere.resolve("c"), checkout.resolve("carillon"));
    for (Path script : List.of(checkout.resolve("carillon"), link)) {
      List<String> called = run(script, "schedules", "show", "two words", "*");
      assertThat(called).startsWith("in " + elsewhere);
      assertThat(called)
          .endsWith(
              "-cp",
              checkout.resolve("cli/target/carillon.jar").toString(),
              "dev.carillon.cli.Main",
              "schedules",
              "show",
              "two words",
              "*");
    }
  }

  @Test
  void aScenarioIsPlayedByTheDeploymentThatAnOptionNames() throws Exception {
    build();
    for (String option : List.of("--url=http://localhost:1", "--stack", "--context")) {
      assertThat(run(checkout.resolve("carillon"), "simulate", "f.json", option, "x"))
          .contains("dev.carillon.cli.Main")
          .endsWith("simulate", "f.json", option, "x");
    }
    for (List<String> words :
        List.of(
            List.of("simulate", "f.json"),
            List.of("-o", "json", "simulate", "f.json"),
            List.of("--output=json", "simulate", "f.json"))) {
      assertThat(run(checkout.resolve("carillon"), words.toArray(String[]::new)))
          .singleElement()
          .asString()
          .contains("Maven 3.8 or newer is required to build");
    }
  }

  @Test
  void theFirstCallOfABuildHasAnArchiveOfClassesMadeForTheNext() throws Exception {
    build();
    Path archive = checkout.resolve("cli/target/carillon.jsa");
    Files.delete(archive);
    assertThat(run(checkout.resolve("carillon"), "status"))
        .contains("dev.carillon.cli.Main")
        .noneMatch(it -> it.startsWith("-XX:SharedArchiveFile="));
    awaitArchive(archive);
    assertThat(archive).hasContent("has a/Class");
    assertThat(run(checkout.resolve("carillon"), "status"))
        .contains("-XX:SharedArchiveFile=" + archive);
  }

  @Test
  void aJavaThatIsTooOldIsRefused() throws Exception {
    build();
    java("jdk", "11.0.2");
    assertThat(run(checkout.resolve("carillon"), "status"))
        .singleElement()
        .asString()
        .contains("JDK 17 or newer is required");
  }

  /** As a broken JDK, and as the java of macOS without a JDK. */
  @Test
  void aJavaThatDoesNotStartIsPassedOver() throws Exception {
    build();
    java("good", "17.0.1");
    Files.delete(directory.resolve("jdk/release"));
    program(directory.resolve("jdk/bin/java"), "#!/bin/bash\necho Unable to locate >&2\nexit 1\n");
    assertThat(run(checkout.resolve("carillon"), "status"))
        .singleElement()
        .asString()
        .contains("JDK 17 or newer is required");
    Files.createSymbolicLink(directory.resolve("tools/java"), directory.resolve("good/bin/java"));
    assertThat(run(checkout.resolve("carillon"), "status")).contains("dev.carillon.cli.Main");
  }

  @Test
  void withoutABuildAndMavenItSaysWhatIsMissing() throws Exception {
    assertThat(run(checkout.resolve("carillon"), "status"))
        .singleElement()
        .asString()
        .contains("Maven 3.8 or newer is required to build");
  }

  /** Managers of JDKs switch a link; the file behind it can be older than what is remembered. */
  @Test
  void aJavaBehindALinkIsExaminedAgainOnceTheLinkIsSwitched() throws Exception {
    build();
    Path link = directory.resolve("jdk");
    Files.move(link, directory.resolve("jdk17"));
    java("jdk11", "11.0.2");
    Files.setLastModifiedTime(
        directory.resolve("jdk11/bin/java"), FileTime.from(Instant.now().minusSeconds(3_600)));
    Files.createSymbolicLink(link, directory.resolve("jdk17"));
    assertThat(run(checkout.resolve("carillon"), "status")).contains("dev.carillon.cli.Main");
    Files.delete(link);
    Files.createSymbolicLink(link, directory.resolve("jdk11"));
    assertThat(run(checkout.resolve("carillon"), "status"))
        .singleElement()
        .asString()
        .contains("JDK 17 or newer is required");
  }

  /** Takes the place of JAVA_HOME, and returns the link that names its JDK. */
  private Path shim() throws IOException {
    Path selected = directory.resolve("selected");
    Files.move(directory.resolve("jdk"), directory.resolve("jdk17"));
    java("jdk25", "25");
    program(
        directory.resolve("tools/java"),
        "#!/bin/bash\nexec \"" + selected.resolve("bin/java") + "\" \"$@\"\n");
    return Files.createSymbolicLink(selected, directory.resolve("jdk17"));
  }

  @Test
  void aShimIsAskedForItsJdkAtEachCall() throws Exception {
    Path selected = shim();
    program(directory.resolve("tools/mvn"), "#!/bin/bash\necho \"$JAVA_HOME\" >\"${0%/*}/home\"\n");
    String allows = "--sun-misc-unsafe-memory-access=allow";
    assertThat(run(checkout.resolve("carillon"), "local"))
        .contains("dev.carillon.command.Main")
        .doesNotContain(allows);
    assertThat(directory.resolve("tools/home"))
        .hasContent(directory.resolve("jdk17").toRealPath().toString());
    Files.delete(selected);
    Files.createSymbolicLink(selected, directory.resolve("jdk25"));
    assertThat(run(checkout.resolve("carillon"), "local"))
        .contains("dev.carillon.command.Main")
        .contains(allows);
  }

  @Test
  void theArchiveOfClassesStaysWhileAShimSelectsTheSameJdk() throws Exception {
    build();
    shim();
    Path archive = checkout.resolve("cli/target/carillon.jsa");
    assertThat(run(checkout.resolve("carillon"), "status")).contains("dev.carillon.cli.Main");
    awaitArchive(archive);
    assertThat(run(checkout.resolve("carillon"), "status"))
        .contains("-XX:SharedArchiveFile=" + archive);
  }

  private List<String> builds() throws IOException {
    Path log = directory.resolve("tools/builds");
    return Files.exists(log) ? Files.readAllLines(log) : List.of();
  }

  private void letBuildsEnd() throws IOException {
    Files.createFile(directory.resolve("tools/go"));
  }

  @Test
  void aCallWaitsForTheBuildOfAnother() throws Exception {
    program(directory.resolve("tools/mvn"), MAVEN);
    Process first = start(checkout.resolve("carillon"), "status");
    while (builds().isEmpty()) {
      Thread.sleep(PAUSE_MILLIS);
    }
    Process second = start(checkout.resolve("carillon"), "status");
    BufferedReader waiting = second.inputReader(StandardCharsets.UTF_8);
    assertThat(waiting.readLine())
        .isEqualTo(
            "carillon: process "
                + first.pid()
                + " builds (it holds "
                + checkout.resolve("target/launcher.lock")
                + "); waiting for its end");
    letBuildsEnd();
    assertThat(waiting.lines())
        .contains("dev.carillon.cli.Main")
        .noneMatch(it -> it.contains("build"));
    assertThat(first.waitFor()).isZero();
    assertThat(builds()).containsExactly("begin", "end");
    assertThat(checkout.resolve("target")).isEmptyDirectory();
  }

  @Test
  void theLockOfACallThatWasKilledHoldsUpNoBuild() throws Exception {
    program(directory.resolve("tools/mvn"), MAVEN);
    letBuildsEnd();
    Process killed = start(checkout.resolve("no script"));
    killed.waitFor();
    Path lock = Files.createDirectories(checkout.resolve("target/launcher.lock"));
    Files.createFile(lock.resolve(killed.pid() + " 1"));
    assertThat(run(checkout.resolve("carillon"), "status")).contains("dev.carillon.cli.Main");
    // The number of its process can be in use again.
    Files.createFile(Files.createDirectory(lock).resolve(ProcessHandle.current().pid() + " 1"));
    Files.delete(checkout.resolve("cli/target/launcher.built"));
    assertThat(run(checkout.resolve("carillon"), "status")).contains("dev.carillon.cli.Main");
    // A call that was killed before it wrote its process leaves an empty lock.
    Files.createDirectory(lock);
    Files.delete(checkout.resolve("cli/target/launcher.built"));
    assertThat(run(checkout.resolve("carillon"), "status")).contains("dev.carillon.cli.Main");
    assertThat(builds()).containsExactly("begin", "end", "begin", "end", "begin", "end");
  }

  @Test
  void aBuildThatFailsReleasesItsLockAndSaysWhy() throws Exception {
    String failed =
        "carillon: the build failed; the output of Maven is in "
            + checkout.resolve("cli/target/launcher.log");
    assertThat(runWithMavenThatSays("[ERROR] no symbol"))
        .endsWith("[ERROR] no symbol", failed)
        .hasSize(3);
    // A Maven that does not start logs no error.
    assertThat(runWithMavenThatSays("no such option"))
        .endsWith("[INFO] Scanning", "no such option", failed)
        .hasSize(4);
    assertThat(checkout.resolve("target")).isEmptyDirectory();
  }

  private List<String> runWithMavenThatSays(String line) throws Exception {
    program(
        directory.resolve("tools/mvn"),
        "#!/bin/bash\necho '[INFO] Scanning'\necho '" + line + "' >&2\nexit 1\n");
    return run(checkout.resolve("carillon"), "status");
  }
}
