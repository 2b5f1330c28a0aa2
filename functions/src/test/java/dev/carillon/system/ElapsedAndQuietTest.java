package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.and;
import static dev.carillon.system.Documents.cron;
import static dev.carillon.system.Documents.or;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.CollectingJobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.wakeup.Wakeup.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ElapsedAndQuietTest {

  private final World world = new World("2026-03-01T10:00:00Z");

  private static String elapsed(String since, String duration) {
    return "{\"type\": \"elapsed\", \"since\": %s, \"duration\": \"%s\"}"
        .formatted(since, duration);
  }

  private static String sinceLaunch(String duration) {
    return elapsed("\"lastLaunch\"", duration);
  }

  private static String quiet(String dataset, String period) {
    return "{\"type\": \"quiet\", \"of\": {\"type\": \"partition\", \"dataset\": \"%s\"}, \"period\": \"%s\"}"
        .formatted(dataset, period);
  }

  private static String quiet(String dataset, String period, String atMost) {
    return quiet(dataset, period).replaceFirst("}$", ", \"atMost\": \"" + atMost + "\"}");
  }

  private static String size(long bytes) {
    return "{\"type\": \"size\", \"stream\": \"clicks\", \"bytes\": %d}".formatted(bytes);
  }

  private void bytes(long bytes) {
    world.event(
        "{\"eventType\": \"SIZE\", \"payload\": {\"streamId\": \"clicks\", \"bytes\": %d}}"
            .formatted(bytes));
  }

  private void at(String time) {
    world.runUntil("2026-03-01T" + time + "Z");
  }

  private List<String> launchedAt() {
    return world.arrivals.stream().map(arrival -> arrival.at().toString().substring(11)).toList();
  }

  private Plan wakeup(ScheduleId id) {
    return world.jobs.collectingJob(id, world.now()).orElseThrow().collectingJob().wakeup();
  }

  @Test
  void launchesEachTimeTheDurationHasPassedSinceTheLastLaunch() {
    world.put("e", active(sinceLaunch("PT4H")));
    world.runUntil("2026-03-02T03:00:00Z");
    assertThat(launchedAt()).containsExactly("14:00:00Z", "18:00:00Z", "22:00:00Z", "02:00:00Z");
    assertThat(world.arrivals.get(1).request().body()).contains("2026-03-01T18:00:00.000Z");
  }

  @Test
  void dataLaunchesEarlierAndRestartsThePeriod() {
    world.put("story11", active(or(sinceLaunch("PT4H"), size(100))));
    at("13:00:00");
    bytes(60);
    at("13:30:00");
    bytes(60);
    at("17:29:59");
    assertThat(launchedAt()).containsExactly("13:30:00Z");
    at("20:00:00");
    assertThat(launchedAt()).containsExactly("13:30:00Z", "17:30:00Z");
    bytes(60);
    at("22:00:00");
    assertThat(launchedAt()).containsExactly("13:30:00Z", "17:30:00Z", "21:30:00Z");
    Job last = world.job(world.arrivals.get(2).request().job());
    assertThat(last.triggerState().leaves().get(0).fire()).isEqualTo("2026-03-01T21:30:00Z");
    assertThat(last.triggerState().leaves().get(1).actual()).isEqualTo(60);
    assertThat(last.scheduledFor()).isEqualTo("2026-03-01T21:30:00Z");
  }

  @Test
  void aManualLaunchCounts() {
    ScheduleId id = world.put("e", active(sinceLaunch("PT4H")));
    at("12:00:00");
    world.launchNow(id);
    at("15:59:59");
    assertThat(launchedAt()).containsExactly("12:00:00Z");
    at("20:00:00");
    assertThat(launchedAt()).containsExactly("12:00:00Z", "16:00:00Z", "20:00:00Z");
  }

  /** Each event that comes while the first job waits is recorded as a skipped job. */
  @Test
  void aManualLaunchCountsAlthoughManyJobsWereSkippedSince() {
    String skip = "\"whilePending\": \"skip\", \"constraints\": [%s]";
    String window = "{\"type\": \"timeWindow\", \"from\": \"13:59\", \"to\": \"23:59\"}";
    ScheduleId id =
        world.put("e", active(or(sinceLaunch("PT4H"), partition("d", 1)), skip.formatted(window)));
    world.partitions("d", 1);
    at("11:00:00");
    world.launchNow(id);
    for (int event = 0; event < 25; event++) {
      world.runUntil(Instant.parse("2026-03-01T11:01:00Z").plusSeconds(360L * event));
      world.partitions("d", 1);
    }
    at("14:59:59");
    assertThat(world.jobs.all()).filteredOn(job -> job.state() == JobState.SKIPPED).hasSize(25);
    assertThat(launchedAt()).containsExactly("13:59:00Z", "13:59:00Z");
    at("15:30:00");
    assertThat(launchedAt()).containsExactly("13:59:00Z", "13:59:00Z", "15:00:00Z");
  }

  @Test
  void aPeriodThatElapsesReadsThePastJobsOnce() {
    world.put("e", active(sinceLaunch("PT1H")));
    world.runUntil("2026-03-02T16:30:00Z");
    assertThat(world.arrivals).hasSize(30);
    int before = world.faults.calls().size();
    world.runUntil("2026-03-02T17:30:00Z");
    List<String> calls = world.faults.calls();
    assertThat(calls.subList(before, calls.size())).containsOnlyOnce("Jobs.ofSchedule");
  }

  @Test
  void thePeriodElapsesOncePerEventOrFromTheActivation() {
    world.put("e", active(elapsed("{\"type\": \"partition\", \"dataset\": \"d\"}", "PT1H")));
    at("13:00:00");
    assertThat(launchedAt()).containsExactly("11:00:00Z");
    world.partitions("d", 3);
    at("13:40:00");
    world.partitions("d", 1);
    at("18:00:00");
    assertThat(launchedAt()).containsExactly("11:00:00Z", "14:40:00Z");
    Job job = world.job(world.arrivals.get(1).request().job());
    assertThat(job.triggerState().events()).hasSize(2);
    assertThat(job.transitions().get(0).at()).isEqualTo("2026-03-01T13:00:00Z");
  }

  @Test
  void quietFollowsTheLastOfSomeEvents() {
    world.put("q", active(quiet("d", "PT10M")));
    at("11:00:00");
    assertThat(world.arrivals).isEmpty();
    for (int minute = 0; minute < 30; minute += 5) {
      at("11:%02d:00".formatted(minute));
      world.partitions("d", 1);
    }
    at("11:34:59");
    assertThat(world.arrivals).isEmpty();
    at("13:00:00");
    assertThat(launchedAt()).containsExactly("11:35:00Z");
    world.partitions("d", 1);
    at("14:00:00");
    assertThat(launchedAt()).containsExactly("11:35:00Z", "13:10:00Z");
  }

  @Test
  void quietWaitsAtMostThePeriodFromTheFirstEvent() {
    world.put("q", active(quiet("d", "PT10M", "PT30M")));
    for (int minute = 0; minute < 60; minute += 5) {
      at("11:%02d:00".formatted(minute));
      world.partitions("d", 1);
    }
    at("13:00:00");
    assertThat(launchedAt()).containsExactly("11:30:00Z", "12:00:00Z");
    assertThat(
            world.arrivals.stream()
                .map(arrival -> world.job(arrival.request().job()).triggerState().events().size()))
        .containsExactly(6, 6);
  }

  @Test
  void withinAnAndEachStaysSatisfied() {
    world.put("and", active(and(quiet("d", "PT5M"), sinceLaunch("PT1H"), partition("e", 1))));
    world.partitions("d", 1);
    at("10:30:00");
    world.partitions("e", 1);
    at("10:59:59");
    assertThat(world.arrivals).isEmpty();
    at("14:00:00");
    assertThat(launchedAt()).containsExactly("11:00:00Z");
    world.partitions("d", 1);
    world.partitions("e", 1);
    at("15:00:00");
    assertThat(launchedAt()).containsExactly("11:00:00Z", "14:05:00Z");
  }

  @Test
  void restartsWithEachActivation() {
    ScheduleId id = world.put("q", active(or(quiet("d", "PT1H"), sinceLaunch("PT3H"))));
    world.partitions("d", 1);
    at("10:30:00");
    world.suspend(id);
    assertThat(wakeup(id)).isNull();
    at("15:00:00");
    assertThat(world.arrivals).isEmpty();
    world.resume(id);
    at("17:59:59");
    assertThat(world.arrivals).isEmpty();
    at("19:00:00");
    assertThat(launchedAt()).containsExactly("18:00:00Z");
    world.delete(id);
    world.runUntil("2026-03-02T10:00:00Z");
    assertThat(launchedAt()).hasSize(1);
    assertThat(world.jobs.needingAttention(0, Instant.MAX, null, 10)).isEmpty();
    assertThat(world.jobs.needingAttention(1, Instant.MAX, null, 10)).isEmpty();
  }

  @Test
  void aPeriodThatElapsesInAnOutageLaunchesOnceAndRestartsThere() {
    world.put("e", active(sinceLaunch("PT10M")));
    at("10:15:00");
    world.sleepUntil("2026-03-01T12:00:30Z");
    at("12:20:00");
    assertThat(launchedAt()).containsExactly("10:10:00Z", "12:00:30Z", "12:10:30Z");
  }

  @Test
  void theMasterReplacesALostMessage() {
    world.put("q", active(quiet("d", "PT5M")));
    world.runUntil("2026-03-01T10:00:30Z");
    world.loseChecks();
    world.partitions("d", 1);
    at("10:10:00");
    assertThat(launchedAt()).hasSize(1);
    assertThat(world.arrivals.get(0).at())
        .isBetween(Instant.parse("2026-03-01T10:05:31Z"), Instant.parse("2026-03-01T10:07:00Z"));
  }

  /** One message for each event would be a hundred messages. */
  @Test
  void eventsThatMoveTheDueInstantCostNoMessage() {
    ScheduleId id = world.put("q", active(quiet("d", "PT10M")));
    long sent = world.checkQueue.sent();
    for (int second = 1; second <= 100; second++) {
      world.runUntil(Instant.parse("2026-03-01T10:00:00Z").plusSeconds(second));
      world.partitions("d", 1);
    }
    at("10:05:00");
    assertThat(world.checkQueue.sent() - sent).isEqualTo(1);
    assertThat(wakeup(id)).isEqualTo(new Plan(Instant.parse("2026-03-01T10:10:01Z"), true));
    at("10:20:00");
    assertThat(launchedAt()).containsExactly("10:11:40Z");
  }

  @Test
  void nothingIsProcessedWhileTheDueInstantIsDistant() {
    ScheduleId id = world.put("q", active(quiet("d", "P3D")));
    world.partitions("d", 1);
    at("10:01:00");
    long sent = world.checkQueue.sent();
    world.runUntil("2026-03-04T09:00:00Z");
    assertThat(world.checkQueue.sent()).isEqualTo(sent);
    assertThat(wakeup(id)).isEqualTo(new Plan(Instant.parse("2026-03-04T10:00:00Z"), false));
    world.runUntil("2026-03-04T11:00:00Z");
    // One check wakes the collecting job, one launches the job; each tick of the look-ahead can
    // repeat the first.
    assertThat(world.checkQueue.sent() - sent).isLessThanOrEqualTo(4);
    assertThat(launchedAt()).containsExactly("10:00:00Z");
  }

  @Test
  void worksTogetherWithCrons() {
    world.put("mixed", active(or(cron("0 0 * * * ?"), sinceLaunch("PT40M"))));
    at("12:10:00");
    assertThat(launchedAt()).containsExactly("10:40:00Z", "11:00:00Z", "11:40:00Z", "12:00:00Z");
  }

  @Test
  void aRedeliveredEventDoesNotProlongTheQuiet() {
    world.put("q", active(quiet("d", "PT5M")));
    String event =
        "{\"eventType\": \"PARTITION\", \"payload\": {\"datasetId\": \"d\", \"numPartitions\": 1}}";
    world.event("same", event);
    at("10:03:00");
    world.event("same", event);
    at("10:30:00");
    assertThat(launchedAt()).containsExactly("10:05:00Z");
    assertThat(world.jobs.all()).allMatch(job -> job.state() == JobState.LAUNCHED).hasSize(1);
  }

  @Test
  void eventsThatAFilterRefusesDoNotCount() {
    String large = "{\"type\": \"event\", \"key\": \"k\", \"filter\": {\"size\": [\"large\"]}}";
    world.put(
        "q", active("{\"type\": \"quiet\", \"of\": %s, \"period\": \"PT5M\"}".formatted(large)));
    String event = "{\"eventType\": \"k\", \"payload\": {\"size\": \"%s\"}}";
    world.event(event.formatted("small"));
    at("10:10:00");
    assertThat(world.arrivals).isEmpty();
    world.event(event.formatted("large"));
    at("10:14:00");
    world.event(event.formatted("small"));
    at("10:20:00");
    assertThat(launchedAt()).containsExactly("10:15:00Z");
  }

  @Test
  void aScheduleThatDiscardsEventsMakesNoJob() {
    CollectingJobId collecting = new CollectingJobId(new ScheduleId("default", "q"));
    world.check(collecting);
    world.put("q", active(cron("0 0 * * * ?")));
    world.check(collecting);
    world.runFor(Duration.ofMinutes(5));
    assertThat(world.jobs.all()).isEmpty();
  }
}
