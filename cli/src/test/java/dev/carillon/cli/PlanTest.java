package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A plan has all values that differ, though the files also introduce calendars and pools. */
@Timeout(600)
class PlanTest extends EngineCommands {

  private static final String CALENDAR = "calendar: {dates: [2030-12-25]}\n";

  private Path write(String name, String text) throws IOException {
    Path file = directory.resolve("files").resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private Result diff() {
    return call.run("diff -f " + directory.resolve("files"));
  }

  private static String excluding(String names) {
    return YEARLY.replace("1 1 ?\"", "1 1 ?\", exclude: [" + names + "]");
  }

  @Test
  void eachFieldThatDiffersIsShownThoughACalendarIsNew() throws IOException {
    write("kept.yaml", CALENDAR);
    write("a.yaml", excluding("kept"));
    write("b.yaml", YEARLY);
    assertThat(call.run("apply --yes -f " + directory.resolve("files")).code()).isZero();
    write("fresh.yaml", CALENDAR);
    write("other.yaml", CALENDAR);
    write("a.yaml", excluding("fresh, kept, other") + "priority: 2\n");
    write("b.yaml", excluding("fresh").replace("team: data", "team: web"));

    Result diff = diff();
    assertThat(diff.code()).as(diff.err()).isEqualTo(2);
    assertThat(diff.lines().stream().map(line -> line.replaceAll("commands-\\d+/", "")))
        .containsExactlyInAnyOrder(
            "+ create calendar fresh",
            "+ create calendar other",
            "~ replace a",
            "    /priority: 5 -> 2",
            "    /trigger/exclude/0: (none) -> \"fresh\"",
            "    /trigger/exclude/2: (none) -> \"other\"",
            "~ replace b",
            "    /tags/team: \"data\" -> \"web\"",
            "    /trigger/exclude/0: (none) -> \"fresh\"");
  }

  @Test
  void aFaultBesideANewCalendarIsFoundBeforeAnythingIsApplied() throws IOException {
    write("fresh.yaml", CALENDAR);
    write("a.yaml", excluding("fresh").replace("0 0 3 1 1 ?", "0 0 3 30 2 ?"));

    assertThat(diff().err()).contains("a.yaml:3: /trigger/expression: ");
  }

  private static String pooled(String pool) {
    return YEARLY
        .replace("queue: work, ", "")
        .replace("program: exporter", "program: exporter\npool: " + pool);
  }

  @Test
  void schedulesOfANewPoolAreAppliedWithIt() throws IOException {
    write("b.yaml", YEARLY);
    write("c.yaml", pooled("match"));
    assertThat(call.run("apply --yes -f " + directory.resolve("files")).code()).isZero();
    write("zoo.yaml", "name: fresh\npool: {queue: work}\n");
    write("closed.yaml", CALENDAR);
    write("a.yaml", pooled("fresh"));
    write("b.yaml", pooled("fresh").replace("1 1 ?\"", "1 1 ?\", exclude: [closed]"));
    write("c.yaml", pooled("fresh"));

    Result apply = call.run("apply --yes -f " + directory.resolve("files"));
    assertThat(apply.code()).as(apply.err()).isZero();
    assertThat(apply.lines().stream().map(line -> line.replaceAll("commands-\\d+/", "")))
        .contains("+ create pool fresh", "+ create a", "~ replace b", "~ replace c")
        .contains(
            "    /pool: null -> \"fresh\"",
            "    /target/queue: \"work\" -> null",
            "    /trigger/exclude/0: (none) -> \"closed\"",
            "    /pool: \"match\" -> \"fresh\"");
    assertThat(diff().code()).isZero();
  }

  @Test
  void aPoolThatNoFileHasIsAFault() throws IOException {
    write("zoo.yaml", "name: fresh\npool: {queue: work}\n");
    write("a.yaml", pooled("frseh"));

    assertThat(diff().err()).contains("a.yaml:2: /pool: there is no pool");
  }

  @Test
  void aFaultBesideANewPoolIsFoundBeforeAnythingIsApplied() throws IOException {
    write("zoo.yaml", "name: fresh\npool: {queue: work}\n");
    write("a.yaml", pooled("fresh").replace("template:", "queue: work, template:"));

    assertThat(diff().err()).contains("a.yaml:6: /target/queue: ");
  }

  @Test
  void onlyTheFaultsThatTheFilesDoNotRepairAreReported() throws IOException {
    write("zoo.yaml", "name: fresh\npool: {queue: work}\n");
    write("closed.yaml", CALENDAR);
    write("a.yaml", pooled("fresh").replace("1 1 ?\"", "30 2 ?\", exclude: [closed, lost]"));

    assertThat(diff().err())
        .contains("a.yaml:4: /trigger/expression: ", "a.yaml:4: /trigger/exclude/1: there is no")
        .doesNotContain("/pool", "/trigger/exclude/0");
  }

  private static final String ONCE =
      """
      trigger: {type: at, time: "2020-01-31T08:00:00Z"}
      target: {queue: work, template: {}}
      state: ACTIVE
      """;

  @Test
  void aScheduleThatDeletedItselfIsUnchanged() throws IOException {
    write("b.yaml", YEARLY);
    write("once.yaml", ONCE + "afterCompletion: delete\n");

    Result apply = call.run("apply --yes -f " + directory.resolve("files"));
    assertThat(apply.code()).as(apply.err()).isZero();
    assertThat(apply.lines()).hasSize(1);
    assertThat(apply.err())
        .containsPattern(
            "commands-\\d+/once: its time is past, and it deletes itself after its fire")
        .contains("1 to create, 0 to replace, 0 to delete, 1 unchanged");
    assertThat(good("schedules list -o name").lines()).containsExactly("b");
    assertThat(diff().code()).isZero();
    assertThat(call.run("diff -o json -f " + directory.resolve("files")).out())
        .contains("\"unchanged\"", "its time is past");
  }

  @Test
  void aPastTimeIsAFaultOfAScheduleThatStaysOrIsStored() throws IOException {
    write("once.yaml", ONCE);
    assertThat(diff().err()).containsPattern("once\\.yaml:1: /trigger/time: .*; it is in the past");

    write("once.yaml", ONCE + "afterCompletion: delete\ncolour: red\n");
    assertThat(diff().err()).contains("once.yaml:5: /colour: ", "; it is in the past");

    String later = ONCE.replace("2020", "2099") + "afterCompletion: delete\n";
    write("once.yaml", later);
    assertThat(call.run("apply --yes -f " + directory.resolve("files")).code()).isZero();
    write("once.yaml", later.replace("2099", "2020"));
    assertThat(diff().err()).containsPattern("once\\.yaml:1: /trigger/time: .*; it is in the past");
  }

  @Test
  void whatAnImportPrintsAppliesInAnEmptyNamespace() throws IOException {
    write("zoo.yaml", "name: fresh\npool: {queue: work}\n");
    write("closed.yaml", CALENDAR);
    write("a.yaml", pooled("fresh").replace("1 1 ?\"", "1 1 ?\", exclude: [closed]"));
    assertThat(call.run("apply --yes -f " + directory.resolve("files")).code()).isZero();
    String moved = good("export").out().replaceAll("\"commands-(\\d+)\"", "\"moved-$1\"");
    Path lines = Files.writeString(directory.resolve("moved.ndjson"), moved);
    Path printed =
        Files.writeString(
            directory.resolve("printed.yaml"), good("import carillon " + lines + " -o yaml").out());

    assertThat(good("apply --yes -f " + printed).err()).contains("3 to create");
    assertThat(good("diff -f " + printed).err()).contains("3 unchanged");
  }
}
