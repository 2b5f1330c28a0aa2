package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.Call.Result;
import dev.carillon.client.schedule.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A command that cancels jobs says how many. */
@Timeout(600)
class CancelledJobsTest extends EngineCommands {

  /** Its jobs wait, because no resource of this name has a value. */
  private static final String WAITING =
      """
      trigger: {type: manual}
      constraints: [{type: resource, name: none, atLeast: 1}]
      target: {queue: work, template: {}}
      state: ACTIVE
      """;

  private void storeWithTwoJobs(String name, String document) throws IOException {
    store(name, document);
    good("schedules launch " + name);
    good("schedules launch " + name);
  }

  @Test
  void aDeletionSaysHowManyJobsItCancels() throws IOException {
    storeWithTwoJobs("a", WAITING);
    store("b", WAITING);

    assertThat(good("schedules delete a b --yes").err())
        .matches("deleted \\S+/a; cancelled 2 waiting and 0 collecting jobs\ndeleted \\S+/b\n");
  }

  /** The jobs that a backlog keeps are not counted when it is deleted. */
  @Test
  void aDeletionThatCountsNoJobsSaysSo() throws IOException {
    store("a", WAITING.replaceAll("constraints: .*\n", ""));
    good("schedules suspend a --mode backlog");

    assertThat(good("schedules delete a --yes").err())
        .matches("deleted \\S+/a; cancelled any waiting jobs \\(not counted\\)\n");
  }

  @Test
  void aReplacementSaysHowManyJobsItCancels() throws IOException {
    storeWithTwoJobs("a", WAITING);
    Path file = Files.writeString(directory.resolve("a.yaml"), WAITING.replace("none", "another"));

    Result apply = good("apply --yes -o json -f " + file);
    assertThat(apply.err()).contains("/a; cancelled 2 waiting and 0 collecting jobs\n");
    JsonNode plan = Json.read(apply.out(), JsonNode.class);
    assertThat(plan.get(0).path("action").asText()).isEqualTo("replace");
    Files.writeString(file, WAITING.replace("none", "third"));
    assertThat(good("apply --yes -f " + file).err())
        .contains("done: replace ")
        .doesNotContain("cancelled");
  }

  @Test
  void thePrunedSchedulesAndADeletedAppSayHowManyJobsTheyCancel() throws IOException {
    Path app =
        Files.writeString(
            directory.resolve("app.yaml"),
            "programs: [p]\nschedules:\n  a:\n    program: p\n" + WAITING.indent(4));
    Path none = Files.writeString(directory.resolve("none.yaml"), "[]\n");

    good("apps deploy exports " + app);
    good("schedules launch a");
    assertThat(good("apply --yes --prune --app exports -f " + none).err())
        .containsPattern("done: delete \\S+/a; cancelled 1 waiting and 0 collecting jobs\n");

    good("apps deploy exports " + app);
    good("schedules launch a");
    assertThat(good("apps delete exports --yes").err())
        .matches("deleted app \\S+/exports; cancelled 1 waiting and 0 collecting jobs\n");
  }
}
