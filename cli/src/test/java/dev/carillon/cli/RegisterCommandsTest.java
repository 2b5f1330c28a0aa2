package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commands for apps, programs, calendars, resources and pools. */
@Timeout(600)
class RegisterCommandsTest extends EngineCommands {

  @Test
  void calendarsAndResourcesAreStoredListedAndDeleted() throws IOException {
    Path file = Files.writeString(directory.resolve("off.yaml"), "dates: [2030-12-25]\n");

    assertThat(good("calendars put off " + file).out()).contains("2030-12-25");
    assertThat(good("calendars list -o name").lines()).containsExactly("off");
    assertThat(good("calendars show off -o yaml").out()).contains("2030-12-25");
    assertThat(good("calendars delete off --yes").err()).contains("deleted calendar");
    assertThat(good("resources put disk 12.5 --ttl PT1H").out()).contains("12.5");
    assertThat(good("resources list").out()).contains("disk", "12.5");
    assertThat(good("resources show disk").out()).contains("Expires");
    assertThat(good("resources delete disk --yes").err()).contains("deleted resource");
    assertThat(good("resources list").err()).contains("none in namespace");
  }

  @Test
  void poolsAreStoredListedPausedResumedAndDeleted() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("encode.yaml"),
            "queue: encode\ndepth: 20\nweights: {acme: 3}\nmaxInFlight: {default: 5}\n");

    assertThat(good("pools put encode " + file).out()).contains("acme: 3");
    assertThat(good("pools list -o name").lines()).containsExactly("encode");
    assertThat(good("pools list").lines().get(1)).matches("encode +ACTIVE +encode +20 +fair *");
    assertThat(good("pools show encode").out())
        .containsPattern("In the queue +0 of 20\n")
        .containsPattern("In flight +0\n")
        .containsPattern("Waiting +0 jobs of 0 customers\n");
    assertThat(good("pools pause encode --reason move").out())
        .containsPattern("State +PAUSED\n")
        .containsPattern("Reason +move\n")
        .contains("acme: 3");
    assertThat(good("pools show encode -o json").out()).contains("\"paused\" : true");
    assertThat(good("pools resume encode").out())
        .containsPattern("State +ACTIVE\n")
        .doesNotContain("move");
    assertThat(good("pools delete encode --yes").err()).contains("deleted pool");
    assertThat(good("pools list").err()).contains("none in namespace");
  }

  @Test
  void anAppIsDeployedShownAndDeleted() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("app.yaml"),
            "programs: [exporter]\nschedules:\n  nightly:\n" + YEARLY.indent(4));

    assertThat(good("apps deploy exports " + file + " --dry-run").out()).contains("nightly");
    assertThat(call.run("apps show exports").code()).isEqualTo(1);
    assertThat(json("apps deploy exports " + file).path("created").get(0).asText())
        .isEqualTo("nightly");
    assertThat(good("apps show exports").out()).contains("exporter", "nightly");
    assertThat(call.run(List.of("apps", "deploy", "exports", "absent.yaml")).err())
        .contains("absent.yaml: it cannot be read");
    assertThat(good("apps delete exports --yes").err()).contains("deleted app");
    assertThat(good("schedules list -o name").lines()).isEmpty();
  }

  @Test
  void aProgramIsDeletedWithItsSchedules() throws IOException {
    store("a", YEARLY);
    assertThat(good("programs delete exporter --yes").out()).contains("Deleted");
    assertThat(good("schedules list -o name").lines()).isEmpty();
  }
}
