package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.NewJob;
import dev.carillon.job.TriggerState;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobViewTest {

  @Test
  void transitionsAreListedInOrderOfTimeEvenIfClocksDiffer() {
    Instant opened = Instant.parse("2026-03-10T12:00:00.250Z");
    Instant satisfied = Instant.parse("2026-03-10T12:00:00Z");
    JobId id = JobId.ofFire(new ScheduleId("default", "a"), 1, satisfied);
    Job job =
        NewJob.triggered(
            id,
            1,
            "a",
            satisfied,
            opened,
            satisfied,
            new TriggerState(List.of(), List.of(), 0),
            null);

    JsonNode transitions = JobView.of(job).path("transitions");
    assertThat(transitions.findValuesAsText("at"))
        .containsExactly("2026-03-10T12:00:00.000Z", "2026-03-10T12:00:00.250Z");
    assertThat(transitions.findValuesAsText("state"))
        .containsExactly("PENDING_CONSTRAINT", "PENDING_TRIGGER");
  }
}
