package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.Call.Result;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commands for backfills that have begun. */
@Timeout(600)
class BackfillCommandsTest extends EngineCommands {

  @Test
  void aBackfillIsShownAndCancelled() throws IOException {
    // The end of its first run is never reported.
    store("a", YEARLY);
    String id =
        good("schedules backfill a --from 2020-06-01 --to 2023-06-01 -o name").lines().get(0);

    assertThat(json("backfills show a " + id).path("fires").asInt()).isEqualTo(3);
    assertThat(good("backfills show a " + id).lines())
        .anySatisfy(line -> assertThat(line).matches("Schedule +commands-[0-9]+/a"))
        .anySatisfy(line -> assertThat(line).matches("State +RUNNING"))
        .anySatisfy(line -> assertThat(line).matches("Fires +3"));

    JsonNode cancelled = json("backfills cancel a " + id);
    assertThat(cancelled.path("state").asText()).isEqualTo("CANCELLED");
    assertThat(good("backfills cancel a " + id).out()).contains("CANCELLED", "cancelled by ");
  }

  @Test
  void aBackfillThatIsNotThereIsAnError() throws IOException {
    store("a", YEARLY);
    for (String verb : new String[] {"show", "cancel"}) {
      Result absent = call.run("backfills " + verb + " a zzz");
      assertThat(absent.code()).as(absent.err()).isEqualTo(1);
      assertThat(absent.err()).startsWith("carillon: there is no backfill");
    }
  }

  @Test
  void theCommandsAreInTheHelpAndTheCompletion() {
    assertThat(good("--help").out()).contains("backfills");
    assertThat(good("backfills --help").out()).contains("show", "cancel");
    assertThat(good("completion bash").out()).contains("backfills");
  }
}
