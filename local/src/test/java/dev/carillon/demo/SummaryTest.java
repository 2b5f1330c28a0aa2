package dev.carillon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.demo.Script.Outcome;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SummaryTest {

  private static final Instant TEN = Instant.parse("2026-03-01T10:00:00Z");
  private static final Expectation EXPECTATION =
      new Expectation(
          Map.of("beat", List.of(TEN, TEN.plusSeconds(5))),
          List.of(new Outcome("data", "partition 4/4"), new Outcome("data", "partition 4/4")));

  @Test
  void nothingIsWrongIfAllArrivedOnce() {
    List<Launch> all = List.of(beat(0, 12), beat(5, 30), data(1), data(2));
    assertThat(summary(all).faults()).isEmpty();
    assertThat(printed(all))
        .contains("All required launches arrived")
        .containsPattern("beat +2 +2 +12 ms +30 ms +30 ms +30 ms");
  }

  @Test
  void aFireThatWasNotLaunchedIsNamed() {
    List<Launch> all = List.of(beat(0, 12), data(1), data(2));
    assertThat(summary(all).faults())
        .containsExactly("beat was not launched for [2026-03-01T10:00:05Z]");
    assertThat(printed(all)).contains("WRONG: beat was not", "The demo failed.");
  }

  @Test
  void eachLaunchByEventsCountsForOneThatIsExpected() {
    List<Launch> all = List.of(beat(0, 12), beat(5, 30), data(1));
    assertThat(summary(all).faults())
        .containsExactly("data was not launched, but this should have launched it: partition 4/4");
  }

  @Test
  void anEarlyLaunchIsWrong() {
    List<Launch> all = List.of(beat(0, 12), beat(5, -1), data(1), data(2));
    assertThat(summary(all).faults()).singleElement().asString().contains("default~beat~", "early");
  }

  @Test
  void aRequestThatArrivesTwiceIsWrong() {
    List<Launch> all = List.of(beat(0, 12), beat(5, 30), data(1), data(2), data(2));
    assertThat(summary(all).faults())
        .singleElement()
        .asString()
        .contains("default~data~", "2 times");
  }

  @Test
  void aTrackedJobThatDidNotSucceedIsWrong() {
    List<Launch> all = List.of(beat(0, 12), beat(5, 30), data(1), data(2));
    TrackedSummary none = new TrackedSummary(Map.of(), List.of(), true);
    assertThat(new Summary(EXPECTATION, all, none, PooledSummaryTest.EQUAL).faults())
        .contains("the tracked job of encoder is PENDING_LAUNCH");
  }

  @Test
  void aPoolThatServedNothingIsWrong() {
    List<Launch> all = List.of(beat(0, 12), beat(5, 30), data(1), data(2));
    PooledSummary none = new PooledSummary(List.of());
    assertThat(new Summary(EXPECTATION, all, TrackedSummaryTest.AS_IT_SHOULD_BE, none).faults())
        .contains("0 jobs of bolt were served, not 4");
  }

  @Test
  void percentilesAreValuesThatWereMeasured() {
    List<Launch> hundred = IntStream.rangeClosed(1, 100).mapToObj(i -> beat(i, i)).toList();
    assertThat(printed(hundred)).containsPattern("beat +100 +2 +50 ms +95 ms +99 ms +100 ms");
  }

  private static Summary summary(List<Launch> launches) {
    return new Summary(
        EXPECTATION, launches, TrackedSummaryTest.AS_IT_SHOULD_BE, PooledSummaryTest.EQUAL);
  }

  private static String printed(List<Launch> launches) {
    StringWriter output = new StringWriter();
    summary(launches).print(new Screen(new PrintWriter(output)));
    return output.toString();
  }

  private static Launch beat(int second, int lateMillis) {
    Instant fire = TEN.plusSeconds(second);
    Instant sent = fire.plusMillis(lateMillis);
    JobId job = JobId.ofFire(new ScheduleId("default", "beat"), 1, fire);
    return new Launch(job, fire, sent, sent, "cron", "{}");
  }

  private static Launch data(int sequence) {
    JobId job = JobId.ofEvents(new ScheduleId("default", "data"), 1, TEN, sequence);
    return new Launch(job, TEN, TEN, TEN.plusMillis(20), "partition 4/4", "{}");
  }
}
