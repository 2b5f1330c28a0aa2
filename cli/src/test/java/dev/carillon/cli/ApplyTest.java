package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.FakeTerminal;
import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Schedules as code, on a local engine. */
@Timeout(600)
class ApplyTest {

  private static final AtomicInteger NAMESPACES = new AtomicInteger();

  private static final String DAILY =
      """
      # Every night.
      trigger:
        type: cron
        expression: "0 0 3 * * ?"
      target:
        queue: work
        template: {at: "${scheduledFor}"}
      state: ACTIVE
      """;

  @TempDir private Path directory;
  private String namespace;
  private Call call;

  @BeforeEach
  void connect() throws InterruptedException {
    namespace = "apply-" + NAMESPACES.incrementAndGet();
    call = Call.to(Engine.shared().http()).in(namespace);
  }

  private Path write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private Result apply(String options) {
    return call.run("apply -f " + directory + " " + options);
  }

  private Result good(String options) {
    Result result = apply(options);
    assertThat(result.code()).as(result.err()).isZero();
    return result;
  }

  @Test
  void aFolderIsPlannedAppliedAndFoundUnchanged() throws IOException {
    write("nightly.yaml", DAILY);
    write(
        "list.json", "[{\"name\": \"one\", " + json() + "}, {\"name\": \"two\", " + json() + "}]");

    Result plan = good("--dry-run");
    assertThat(plan.lines())
        .containsExactly(
            "+ create " + namespace + "/one",
            "+ create " + namespace + "/two",
            "+ create " + namespace + "/nightly");
    assertThat(plan.err()).contains("3 to create, 0 to replace, 0 to delete, 0 unchanged");
    assertThat(call.run("schedules list -o name").lines()).isEmpty();

    Result unasked = apply("");
    assertThat(unasked.code()).isEqualTo(1);
    assertThat(unasked.err()).contains("--yes");
    assertThat(good("--yes").err()).contains("done: create " + namespace + "/nightly");
    assertThat(call.run("schedules list -o name").lines()).containsExactly("nightly", "one", "two");

    Result again = good("");
    assertThat(again.out()).isEmpty();
    assertThat(again.err()).contains("3 unchanged");
    assertThat(call.run("diff -f " + directory).code()).isZero();
  }

  private static String json() {
    return "\"trigger\": {\"type\": \"manual\"}, \"target\": {\"queue\": \"work\", \"template\": {}}";
  }

  @Test
  void aChangeShowsTheFieldsThatDifferAndIsAskedFor() throws IOException {
    write("nightly.yaml", DAILY);
    good("--yes");
    write(
        "nightly.yaml",
        DAILY.replace("0 0 3", "0 0 4").replace("ACTIVE", "SUSPENDED") + "priority: 2\n");

    Result diff = call.run("diff -f " + directory);
    assertThat(diff.code()).isEqualTo(2);
    assertThat(diff.lines())
        .containsExactly(
            "~ replace " + namespace + "/nightly",
            "    /priority: 5 -> 2",
            "    /trigger/expression: \"0 0 3 * * ?\" -> \"0 0 4 * * ?\"",
            "    /state: \"ACTIVE\" -> \"SUSPENDED\"");
    assertThat(call.run("diff -o json -f " + directory).out()).contains("\"/priority\"");

    FakeTerminal screen = new FakeTerminal(true, 0, "no", "yes");
    Result refused = call.on(screen).run("apply -f " + directory);
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.out()).contains("\u001b[33mreplace");
    assertThat(call.run("apply -f " + directory).code()).isZero();
    assertThat(screen.questions).containsOnly("Apply 1 change? [y/N] ");
    assertThat(call.run("schedules show nightly -o json").out()).contains("\"0 0 4 * * ?\"");
  }

  @Test
  void poolsAreAppliedBeforeTheSchedulesAndFoundUnchanged() throws IOException {
    write("nightly.yaml", DAILY);
    write("zoo.yaml", "name: nightly\npool: {queue: work, weights: {acme: 3}}\n");
    assertThat(good("--yes").lines())
        .containsExactly(
            "+ create pool " + namespace + "/nightly", "+ create " + namespace + "/nightly");
    assertThat(good("").err()).contains("2 unchanged");

    write("zoo.yaml", "name: nightly\npool: {queue: work, depth: 7}\n");
    assertThat(good("--yes").lines())
        .containsExactly(
            "~ replace pool " + namespace + "/nightly",
            "    /depth: 100 -> 7",
            "    /weights/acme: 3 -> (none)");
    write("zoo.yaml", call.run("pools show nightly -o yaml").out());
    assertThat(good("").err()).contains("2 unchanged");

    write("zoo.yaml", "name: nightly\npool:\n  queue: work\n  depth: 0\n");
    Result faulty = apply("--yes");
    assertThat(faulty.code()).isEqualTo(1);
    assertThat(faulty.err()).contains(directory + "/zoo.yaml:4: /pool/depth: ");
    assertThat(call.run("pools show nightly -o json").out()).contains("\"depth\" : 7");
  }

  @Test
  void namespacesComeFromTheDocumentOrTheDirectory() throws IOException {
    write(namespace + "-b/a.yaml", DAILY);
    write("c.yaml", "namespace: " + namespace + "-c\nname: named\n" + DAILY);

    assertThat(good("--dry-run -o name").lines())
        .containsExactlyInAnyOrder(namespace + "-b/a", namespace + "-c/named");
  }

  @Test
  void anAnswerOfTheApiIsADocumentToo() throws IOException {
    write("nightly.yaml", DAILY);
    good("--yes");
    write("nightly.yaml", call.run("schedules show nightly -o yaml").out());

    assertThat(good("").err()).contains("1 unchanged");
  }

  @Test
  void eachFaultOfEachFileIsShownAndNothingIsApplied() throws IOException {
    write("a.yaml", DAILY.replace("0 0 3 * * ?", "0 0 25 * * ?") + "colour: red\n");
    write("b.json", "{\n \"trigger\": {\"type\": \"manual\"}\n}");
    write("c.yaml", "trigger: [\n");
    write("d.yaml", DAILY);
    write("e.yaml", "- {}\n- 7\n");
    write("f.yaml", "name: d\n" + DAILY);

    Result result = apply("--yes");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains(directory + "/a.yaml:4: /trigger/expression: ")
        .contains(directory + "/a.yaml:9: /colour: ")
        .contains(directory + "/b.json:1: ")
        .containsPattern("c\\.yaml:\\d: ")
        .contains(directory + "/e.yaml:1: /0: a document of a list needs the member 'name'")
        .contains(directory + "/e.yaml:2: /1: it is not a document")
        .contains(directory + "/f.yaml:1: " + namespace + "/d is also at")
        .doesNotContain("d.yaml:4");
    assertThat(call.run("schedules list -o name").lines()).isEmpty();
    assertThat(call.run("diff -f " + directory).code()).isEqualTo(1);
  }

  @Test
  void unusableFilesAreFaults() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertThat(call.run("apply -f " + empty + " absent.yaml").err())
        .contains(empty + ": it has no file")
        .contains("absent.yaml: it cannot be read");
    Files.write(directory.resolve("x.yaml"), new byte[] {(byte) 0xC3, (byte) 0x28});
    assertThat(apply("").err()).contains("not a text in UTF-8");
    write("x.yaml", "a: 1\na: 2\n");
    assertThat(apply("").err()).contains("x.yaml:2: Duplicate");
  }

  @Test
  void pruningDeletesWhatNoFileOfTheAppHas() throws IOException {
    deployOld();
    write("kept.yaml", DAILY);

    assertThat(apply("--prune").err()).contains("--app NAME");
    Result plan = call.run("diff -f " + directory + " --prune --app exports");
    assertThat(plan.lines())
        .containsExactly("+ create " + namespace + "/kept", "- delete " + namespace + "/old");
    good("--yes --prune --app exports");
    assertThat(call.run("schedules list -o name").lines()).containsExactly("kept");
  }

  @Test
  void pruningLeavesANamespaceAloneThatNeitherTheCommandNorADocumentNames() throws IOException {
    deployOld();
    nameTheNamespaceInAContext();
    String kept = "+ create " + namespace + "-b/kept";
    String old = "- delete " + namespace + "/old";
    String line = "diff -f " + directory + " --prune --app exports";

    write("kept.yaml", "namespace: " + namespace + "-b\n" + DAILY);
    assertThat(call.run(line).lines()).containsExactly(kept);
    assertThat(call.run(line + " -n " + namespace).lines()).containsExactly(kept, old);
    assertThat(call.in(namespace).run(line).lines()).containsExactly(kept, old);
    call.without("CARILLON_NAMESPACE");
    write("own.yaml", "name: own\n" + DAILY);
    assertThat(call.run(line).lines()).contains(kept, old);
  }

  @Test
  void pruningWithoutAnyDocumentDeletesInTheNamespaceOfTheCommand() throws IOException {
    deployOld();
    assertThat(apply("--prune --app exports --yes").err()).contains("it has no file that ends");
    nameTheNamespaceInAContext();

    write("empty.yaml", "[]\n");
    assertThat(good("--prune --app exports --yes").lines())
        .containsExactly("- delete " + namespace + "/old");
  }

  /** Deploys an app with a schedule that no file has. */
  private void deployOld() throws IOException {
    Path app =
        write("app.yaml", "programs: [p]\nschedules:\n  old: {program: p, " + flow() + "}\n");
    assertThat(call.run("apps deploy exports " + app).code()).isZero();
    Files.delete(app);
  }

  private void nameTheNamespaceInAContext() throws IOException {
    Path config = write("config", "current: a\ncontexts: {a: {namespace: " + namespace + "}}\n");
    call.without("CARILLON_NAMESPACE").with("CARILLON_CONFIG", config.toString());
  }

  private static String flow() {
    return "trigger: {type: manual}, target: {queue: work, template: {}}";
  }

  @Test
  void aScheduleThatChangesAfterThePlanIsNotReplaced() throws IOException {
    write("nightly.yaml", DAILY);
    good("--yes");
    write("nightly.yaml", DAILY + "priority: 2\n");
    Path other =
        write("other/nightly.yaml", "namespace: " + namespace + "\n" + DAILY + "priority: 3\n");
    FakeTerminal screen =
        new FakeTerminal(true, 0) {
          @Override
          public String ask(String question) {
            call.on(new FakeTerminal(false, 0)).run("apply --yes -f " + other);
            return "y";
          }
        };

    Result result = call.on(screen).run("apply -f " + directory.resolve("nightly.yaml"));
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("was changed since the plan was made");
    assertThat(call.run("schedules show nightly -o json").out()).contains("\"priority\" : 3");
  }

  @Test
  void aScheduleThatChangesAfterThePlanIsNotPruned() throws IOException {
    deployOld();
    write("kept.yaml", DAILY);

    Result result = prunedAfter("schedules resume old");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains(namespace + "/old was changed since the plan was made");
    assertThat(call.run("schedules list -o name").lines()).containsExactly("kept", "old");
    Result deleted = prunedAfter("schedules delete old --yes");
    assertThat(deleted.code()).as(deleted.err()).isZero();
  }

  /** Prunes after another caller has run a command while the plan was shown. */
  private Result prunedAfter(String line) {
    FakeTerminal screen =
        new FakeTerminal(true, 0) {
          @Override
          public String ask(String question) {
            assertThat(call.on(new FakeTerminal(false, 0)).run(line).code()).isZero();
            return "y";
          }
        };
    return call.on(screen).run("apply --prune --app exports -f " + directory);
  }
}
