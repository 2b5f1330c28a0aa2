package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A plan has all values that differ, though the files also introduce calendars. */
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
}
