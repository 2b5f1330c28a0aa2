package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commands for jobs. */
@Timeout(600)
class JobCommandsTest extends EngineCommands {

  @Test
  void aJobIsLaunchedShownExplainedAndWatched() throws IOException {
    store("a", YEARLY);

    String id = good("schedules launch a --payload {\"by\":\"ann\"} -o name").lines().get(0);
    assertThat(json("jobs list a").get(0).path("jobId").asText()).isEqualTo(id);
    assertThat(good("jobs list --program exporter -o name").lines()).containsExactly(id);
    assertThat(good("programs jobs exporter -o name").lines()).containsExactly(id);
    assertThat(call.run("jobs list a --link l").err()).contains("give SCHEDULE or --program");
    assertThat(good("jobs show " + id).out()).contains(id, "History");
    assertThat(good("jobs explain " + id).out()).contains("Summary");
    assertThat(good("schedules explain a").out()).contains("Summary", "Limits", "concurrency");
    assertThat(good("programs list -o name").lines()).containsExactly("exporter");
    assertThat(json("programs list").path(0).path("schedules").asInt()).isEqualTo(1);
    assertThat(good("programs show exporter").out()).contains("a  ACTIVE", "concurrency");
  }

  @Test
  void aWatchedJobIsPrintedUntilItsEnd() throws IOException {
    store("a", UNLIMITED);
    String id = good("schedules launch a -o name").lines().get(0);

    Result watched = good("jobs watch " + id);
    assertThat(watched.lines()).last().asString().contains("LAUNCHED");
  }

  @Test
  void aWaitingJobIsCancelled() throws IOException {
    store("a", YEARLY.replace("type: concurrency, max: 1", "type: delay, duration: PT1H"));
    String id = good("schedules launch a -o name").lines().get(0);

    assertThat(good("jobs explain " + id).out()).contains("delay");
    assertThat(good("jobs cancel " + id).out()).contains(id, "CANCELLED");
    assertThat(call.run("jobs watch " + id).code()).isEqualTo(1);
    assertThat(call.run("jobs retry " + id).code()).isEqualTo(1);
  }

  @Test
  void manyWaitingJobsAreListedCountedAndCancelled() throws IOException {
    store("a", YEARLY.replace("type: concurrency, max: 1", "type: delay, duration: PT1H"));
    String link = " --property linkId=l1 --customer acme -o name";
    String first = good("schedules launch a" + link).lines().get(0);
    String second = good("schedules launch a" + link).lines().get(0);
    awaitJobs("jobs list --customer acme", first, second);
    awaitJobs("jobs list --link l1", first, second);
    assertThat(good("jobs list -o name").lines()).contains(first, second);
    assertThat(good("jobs list --customer other -o name").lines()).isEmpty();

    assertThat(json("jobs cancel --link l1 --dry-run").path("matched").asInt()).isEqualTo(2);
    assertThat(good("jobs list --customer acme -o name").lines()).hasSize(2);
    assertThat(call.run("jobs cancel --link l1").err()).contains("Cancel 2 jobs?", "--yes");
    JsonNode cancelled = json("jobs cancel --schedule a --yes");
    assertThat(cancelled.path("changed").asInt()).isEqualTo(2);
    awaitJobs("jobs list --customer acme");
    awaitJobs("jobs list --link l1 --state CANCELLED", first, second);
    assertThat(call.run("jobs cancel").err()).contains("--schedule, --program and --link");
    assertThat(call.run("jobs retry " + first + " --program p").err()).contains("give the ids");
    assertThat(json("jobs retry --program exporter --yes").path("matched").asInt()).isZero();
  }

  /** Waits until a list shows these jobs alone, because an index can be behind for a moment. */
  private void awaitJobs(String list, String... jobs) throws IOException {
    Set<String> shown;
    do {
      shown = Set.copyOf(good(list + " -o name").lines());
    } while (!shown.equals(Set.of(jobs)));
  }
}
