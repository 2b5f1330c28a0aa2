package dev.carillon.stories;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.contract.Servers;
import dev.carillon.stories.Deployment.Arrival;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The user stories of the CDAP documents, by their numbers, from events and ticks to the requests
 * in a target queue.
 */
@Execution(ExecutionMode.CONCURRENT)
class UserStoriesTest {

  private static final long GIGABYTE = 1_000_000_000L;
  private static final boolean IDLE_TICKS = Boolean.getBoolean("idle.ticks");
  private static final int RARE = IDLE_TICKS ? 500 : 50;

  private final Deployment deployment = new Deployment("2026-03-01T10:00:00Z");

  @AfterEach
  void close() {
    deployment.close();
  }

  private List<String> launchTimes() {
    return deployment.arrivals.stream().map(Arrival::time).toList();
  }

  private void runUntil(String time) {
    deployment.runUntil("2026-03-01T" + time + "Z");
  }

  /** Like {@link #runUntil}, while nothing is due; the quick checks leave out the idle ticks. */
  private void idleUntil(String time) {
    if (IDLE_TICKS) {
      runUntil(time);
    } else {
      deployment.sleepUntil("2026-03-01T" + time + "Z");
    }
  }

  private static String cron(String expression) {
    return "{\"type\": \"cron\", \"expression\": \"%s\"}".formatted(expression);
  }

  private void putMany(int count, String trigger) {
    Servers.fanout()
        .forEach(
            IntStream.range(0, count).boxed().toList(),
            number -> deployment.put("s" + number, trigger));
  }

  @Test
  void story1HundredsOfSchedulesAtOneTime() {
    assertAllLaunchAtOneTime(200);
  }

  @Tag("proof")
  @Test
  void story1ThousandsOfSchedulesAtOneTime() {
    assertAllLaunchAtOneTime(2_000);
  }

  private void assertAllLaunchAtOneTime(int count) {
    putMany(count, cron("0 15 10 * * ?"));
    runUntil("10:14:59");
    assertThat(deployment.arrivals).isEmpty();
    runUntil("10:16:00");
    Set<String> launched =
        new HashSet<>(deployment.arrivals.stream().map(Arrival::schedule).toList());
    assertThat(deployment.arrivals).hasSize(count);
    assertThat(launched).hasSize(count);
    assertThat(launchTimes()).containsOnly("10:15:00");
  }

  @Test
  void story2ThreeFiresWhileTheSchedulerIsDown() {
    try (Deployment ordered = Deployment.inOrder("2026-03-01T10:00:00Z")) {
      ordered.put("hourly", cron("0 0 * * * ?"));
      ordered.runUntil("2026-03-01T10:30:00Z");
      ordered.sleepUntil("2026-03-01T13:30:00Z");
      ordered.runUntil("2026-03-01T13:31:00Z");
      assertThat(scheduledFor(ordered))
          .containsExactly(
              "2026-03-01T11:00:00.000Z", "2026-03-01T12:00:00.000Z", "2026-03-01T13:00:00.000Z");
    }
  }

  @Test
  void story2WithTheLatestAlone() {
    deployment.put("hourly", cron("0 0 * * * ?"), ", \"catchUp\": {\"policy\": \"latest\"}");
    runUntil("10:30:00");
    deployment.sleepUntil("2026-03-01T13:30:00Z");
    runUntil("13:31:00");
    assertThat(scheduledFor(deployment)).containsExactly("2026-03-01T13:00:00.000Z");
    JsonNode skipped = deployment.get("hourly", "/jobs").path("jobs").path(1);
    assertThat(skipped.path("state").textValue()).isEqualTo("SKIPPED");
    assertThat(skipped.at("/transitions/0/reason").textValue())
        .isEqualTo(
            "catchUp latest skipped 2 missed fires from 2026-03-01T11:00:00.000Z to"
                + " 2026-03-01T12:00:00.000Z");
  }

  private static List<String> scheduledFor(Deployment launched) {
    return launched.arrivals.stream()
        .map(arrival -> arrival.body().path("scheduledFor").textValue())
        .toList();
  }

  @Test
  void story3DataAtAnUnknownTime() {
    deployment.put("daily", "{\"type\": \"partition\", \"dataset\": \"sales\", \"count\": 1}");
    runUntil("10:05:00");
    idleUntil("14:20:00");
    runUntil("14:23:07");
    assertThat(deployment.arrivals).isEmpty();
    deployment.partitions("sales", 1);
    runUntil("14:23:10");
    assertThat(launchTimes()).containsExactly("14:23:07");
    idleUntil("14:55:00");
    runUntil("15:00:00");
    assertThat(deployment.arrivals).hasSize(1);
  }

  @Test
  void story4AfterAnotherProgramSucceeded() {
    deployment.put(
        "b", "{\"type\": \"programStatus\", \"program\": \"a\", \"statuses\": [\"SUCCEEDED\"]}");
    deployment.status("a", "STARTED");
    deployment.status("a", "FAILED");
    runUntil("11:00:00");
    assertThat(deployment.arrivals).isEmpty();
    deployment.status("a", "SUCCEEDED");
    runUntil("11:00:05");
    assertThat(launchTimes()).containsExactly("11:00:00");
  }

  @Test
  void story5SchedulesThatRarelyFireCostNothingWhileTheyAreIdle() {
    runUntil("10:05:00");
    deployment.meter.reset();
    runUntil("10:35:00");
    String none = deployment.meter.toString();
    putMany(RARE, cron("0 0 3 1 * ?"));
    putMany(
        20,
        "{\"type\": \"quiet\", \"of\": {\"type\": \"event\", \"key\": \"k\"}, \"period\":"
            + " \"P9D\"}");
    runUntil("10:40:00");
    deployment.meter.reset();
    runUntil("11:10:00");
    assertThat(deployment.meter.toString()).isEqualTo(none);
  }

  @Test
  void story5OnceADayAtNoParticularTime() {
    assertLaunchesAreSpread(30, "PT1H", "11:59:59");
  }

  @Tag("proof")
  @Test
  void story5OnceADayAtNoParticularTimeOfFourHours() {
    assertLaunchesAreSpread(200, "PT4H", "14:59:59");
  }

  private void assertLaunchesAreSpread(int count, String flexible, String last) {
    putMany(
        count,
        "{\"type\": \"cron\", \"expression\": \"0 0 11 * * ?\", \"flexible\": \"%s\"}"
            .formatted(flexible));
    JsonNode fires = deployment.get("s7", "/preview").path("fires");
    idleUntil("10:55:00");
    runUntil(last);
    assertThat(deployment.arrivals).hasSize(count);
    assertThat(deployment.arrivals)
        .allSatisfy(
            arrival ->
                assertThat(arrival.at())
                    .isBetween(
                        Instant.parse("2026-03-01T11:00:00Z"),
                        Instant.parse("2026-03-01T" + last + "Z")));
    assertThat(Set.copyOf(launchTimes())).hasSizeGreaterThan(3 * count / 4);
    Arrival one =
        deployment.arrivals.stream().filter(it -> it.schedule().equals("s7")).findFirst().get();
    assertThat(one.at()).isEqualTo(fires.path(0).path("scheduledFor").textValue());
  }

  /** More work than one slot can handle for a while: each run takes 50 seconds. */
  @Test
  void story6TheUrgentJobGoesFirstAndNoJobStarves() {
    String atOneSlot =
        ", \"program\": \"p\", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}],"
            + " \"priority\": ";
    deployment.put("urgent", cron("0 0/2 * * * ?"), atOneSlot + 0);
    deployment.put(
        "low", "{\"type\": \"partition\", \"dataset\": \"d\", \"count\": 1}", atOneSlot + 9);
    for (int job = 0; job < 20; job++) {
      deployment.partitions("d", 1);
    }
    Instant time = Instant.parse("2026-03-01T10:00:01Z");
    for (int run = 0; run < 48; run++) {
      deployment.runUntil(time.toString());
      deployment.status("p", "SUCCEEDED");
      deployment.runUntil(time.toString());
      time = time.plusSeconds(50);
    }
    List<Arrival> urgent = of("urgent");
    assertThat(urgent).hasSizeGreaterThanOrEqualTo(18);
    for (Arrival launch : urgent) {
      Instant due = Instant.parse(launch.body().path("scheduledFor").textValue());
      assertThat(launch.at()).isBetween(due, due.plusSeconds(50));
      assertThat(of("low"))
          .as("others that went while this one waited")
          .noneMatch(low -> low.at().isAfter(due) && low.at().isBefore(launch.at()));
    }
    assertThat(of("low")).hasSize(20);
    assertThat(of("low").get(19).at()).isBefore(Instant.parse("2026-03-01T10:40:00Z"));
  }

  private List<Arrival> of(String schedule) {
    return deployment.arrivals.stream().filter(it -> it.schedule().equals(schedule)).toList();
  }

  @Test
  void story7DailyWithTheDataButOnlyAtNight() {
    deployment.put(
        "nightly",
        """
        {"type": "and", "triggers": [
          {"type": "cron", "expression": "0 0 12 * * ?"},
          {"type": "partition", "dataset": "clicks", "count": 1}]}
        """,
        ", \"constraints\": [{\"type\": \"timeWindow\", \"from\": \"22:00\", \"to\": \"06:00\"}]");
    idleUntil("11:55:00");
    runUntil("12:05:00");
    idleUntil("15:20:00");
    deployment.partitions("clicks", 1);
    runUntil("15:25:00");
    idleUntil("21:55:00");
    runUntil("21:59:59");
    assertThat(deployment.arrivals).isEmpty();
    runUntil("22:00:30");
    assertThat(launchTimes()).containsExactly("22:00:00");
  }

  @Test
  void story8WithWhatIsThereAfterALongTime() {
    deployment.put(
        "join",
        """
        {"type": "and", "triggers": [
          {"type": "partition", "dataset": "orders", "count": 1},
          {"type": "partition", "dataset": "stock", "count": 1},
          {"type": "partition", "dataset": "prices", "count": 2}]}
        """,
        ", \"timeout\": {\"after\": \"PT2H\", \"action\": \"launch\"}");
    runUntil("10:30:00");
    deployment.partitions("orders", 1);
    runUntil("11:15:00");
    deployment.partitions("prices", 1);
    runUntil("11:20:00");
    idleUntil("12:25:00");
    runUntil("12:29:59");
    assertThat(deployment.arrivals).isEmpty();
    assertThat(deployment.get("join", "/explain").at("/collecting/timesOut/at").textValue())
        .isEqualTo("2026-03-01T12:30:00.000Z");
    runUntil("12:30:30");
    assertThat(launchTimes()).containsExactly("12:30:00");
    JsonNode leaves = deployment.arrivals.get(0).body().at("/why/leaves");
    assertThat(leaves.findValuesAsText("satisfied")).containsExactly("true", "false", "false");
    assertThat(leaves.findValuesAsText("actual")).containsExactly("1", "0", "1");
    for (String dataset : List.of("prices", "stock", "prices", "orders")) {
      deployment.partitions(dataset, 1);
    }
    runUntil("12:35:00");
    idleUntil("14:55:00");
    runUntil("15:00:00");
    assertThat(launchTimes()).containsExactly("12:30:00", "12:30:30");
  }

  @Test
  void story9OnceAfterTheLastOfSeveralChunks() {
    deployment.put(
        "chunks",
        "{\"type\": \"quiet\", \"of\": {\"type\": \"partition\", \"dataset\": \"chunks\"},"
            + " \"period\": \"PT10M\"}");
    deployment.put("four", "{\"type\": \"partition\", \"dataset\": \"chunks\", \"count\": 4}");
    for (String time : List.of("10:30:00", "10:37:30", "10:45:00", "10:54:59")) {
      runUntil(time);
      deployment.partitions("chunks", 1);
    }
    runUntil("12:00:00");
    assertThat(deployment.arrivals).extracting(Arrival::schedule).containsExactly("four", "chunks");
    assertThat(launchTimes()).containsExactly("10:54:59", "11:04:59");
    assertThat(deployment.arrivals.get(1).body().at("/why/leaves/0/events")).hasSize(4);
  }

  @Test
  void story10OneLaunchForManySmallEvents() {
    deployment.put("size", "{\"type\": \"size\", \"stream\": \"clicks\", \"bytes\": 1000000}");
    deployment.put(
        "atMost",
        """
        {"type": "quiet", "of": {"type": "size", "stream": "clicks", "bytes": 1}, "period": "PT5M",
         "atMost": "PT30M"}
        """);
    for (int minute = 0; minute < 30; minute++) {
      runUntil("11:%02d:00".formatted(minute));
      for (int number = 0; number < 10; number++) {
        deployment.bytes("clicks", 3_700);
      }
    }
    runUntil("11:29:59");
    // 271 events of 3,700 bytes exceed a million bytes.
    assertThat(deployment.arrivals).extracting(Arrival::schedule).containsExactly("size");
    assertThat(launchTimes()).containsExactly("11:27:00");
    runUntil("11:31:00");
    assertThat(launchTimes()).containsExactly("11:27:00", "11:30:00");
    assertThat(deployment.arrivals.get(1).schedule()).isEqualTo("atMost");
    assertThat(deployment.arrivals.get(1).body().at("/why/eventsOmitted").asInt()).isEqualTo(260);
  }

  @Test
  void story11FourHoursAfterTheLastLaunchOrAHundredGigabytes() {
    deployment.put(
        "hungry",
        """
        {"type": "or", "triggers": [
          {"type": "elapsed", "since": "lastLaunch", "duration": "PT4H"},
          {"type": "size", "stream": "clicks", "bytes": %d}]}
        """
            .formatted(100 * GIGABYTE));
    idleUntil("13:55:00");
    runUntil("14:00:30");
    assertThat(launchTimes()).containsExactly("14:00:00");
    deployment.bytes("clicks", 99 * GIGABYTE);
    runUntil("14:05:00");
    idleUntil("15:30:00");
    deployment.bytes("clicks", GIGABYTE);
    runUntil("15:35:00");
    idleUntil("19:25:00");
    runUntil("19:29:59");
    assertThat(launchTimes()).containsExactly("14:00:00", "15:30:00");
    runUntil("20:00:00");
    deployment.post("hungry", "/launch");
    runUntil("20:05:00");
    idleUntil("23:55:00");
    runUntil("23:59:59");
    assertThat(launchTimes()).containsExactly("14:00:00", "15:30:00", "19:30:00", "20:00:00");
    deployment.runUntil("2026-03-02T00:00:01Z");
    assertThat(launchTimes()).endsWith("20:00:00", "00:00:00");
    assertThat(deployment.get("hungry", "/explain").path("elapses").textValue())
        .isEqualTo("2026-03-02T04:00:00.000Z");
    assertThat(Duration.between(deployment.arrivals.get(3).at(), deployment.arrivals.get(4).at()))
        .isEqualTo(Duration.ofHours(4));
  }
}
