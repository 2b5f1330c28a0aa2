package dev.carillon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.client.Job.Attempt;
import dev.carillon.client.Job.State;
import dev.carillon.demo.TrackedSummary.Run;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrackedSummaryTest {

  private static final Instant TEN = Instant.parse("2026-03-01T10:00:00Z");
  private static final Run TWICE =
      new Run(State.SUCCEEDED, List.of(attempt(1, 0, 3), attempt(2, 4, 5)));

  static final TrackedSummary AS_IT_SHOULD_BE =
      new TrackedSummary(runs(TWICE), TrackedJobs.WORK, true);

  private static Map<String, Run> runs(Run importer) {
    return Map.of(TrackedJobs.ENCODER, TWICE, TrackedJobs.IMPORTER, importer);
  }

  private static Attempt attempt(int number, int from, int to) {
    Instant claimed = TEN.plusSeconds(from);
    return new Attempt(number, "w", claimed, claimed, TEN.plusSeconds(to), "ended");
  }

  private static void assertFault(Run importer, String fault) {
    assertThat(new TrackedSummary(runs(importer), TrackedJobs.WORK, true).faults())
        .containsExactly("the tracked job of importer " + fault);
  }

  @Test
  void attemptsOneAfterTheOtherAreRight() {
    assertThat(AS_IT_SHOULD_BE.faults()).isEmpty();
    StringWriter output = new StringWriter();
    AS_IT_SHOULD_BE.print(new Screen(new PrintWriter(output)));
    assertThat(output.toString())
        .containsPattern("importer +2 +SUCCEEDED")
        .contains("Pieces of work: 4, carried out 4 times.", "silent worker was refused");
  }

  @Test
  void whatIsWrongWithARunIsNamed() {
    assertFault(new Run(State.FAILED, TWICE.attempts()), "is FAILED");
    assertFault(new Run(State.SUCCEEDED, List.of(attempt(1, 0, 3))), "was not attempted again");
    assertFault(
        new Run(State.SUCCEEDED, List.of(attempt(1, 0, 3), attempt(2, 2, 5))),
        "had two attempts at once");
  }

  @Test
  void workThatIsDoneTwiceOrNeverIsWrong() {
    List<String> done = new ArrayList<>(TrackedJobs.WORK);
    done.set(0, "encoder publish");
    assertThat(new TrackedSummary(runs(TWICE), done, true).faults())
        .containsExactly(
            "\"encoder read\" was carried out 0 times",
            "\"encoder publish\" was carried out 2 times");
  }

  @Test
  void anAcceptedReportOfALostClaimIsWrong() {
    assertThat(new TrackedSummary(runs(TWICE), TrackedJobs.WORK, false).faults())
        .containsExactly("the report of a worker that had lost its claim was not refused");
  }
}
