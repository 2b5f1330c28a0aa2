package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.and;
import static dev.carillon.system.Documents.cron;
import static dev.carillon.system.Documents.or;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.SuspendMode;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CalendarScheduleTest {

  private final World world = new World("2026-03-01T10:00:00Z");

  private static String hourlyBut(String calendar) {
    return "{\"type\": \"cron\", \"expression\": \"0 0 * * * ?\", \"exclude\": [\"%s\"]}"
        .formatted(calendar);
  }

  private static String range(String from, String to) {
    return "{\"ranges\": [{\"from\": \"2026-03-01T%s\", \"to\": \"2026-03-01T%s\"}]}"
        .formatted(from, to);
  }

  private List<String> launchedAt() {
    return world.arrivals.stream().map(arrival -> arrival.at().toString().substring(11)).toList();
  }

  @Test
  void excludedFiresNeverBecomeJobs() {
    world.calendar("maintenance", range("12:00", "14:00"));
    world.put("hourly", active(hourlyBut("maintenance")));
    world.runUntil("2026-03-01T15:30:00Z");
    assertThat(launchedAt()).containsExactly("11:00:00Z", "14:00:00Z", "15:00:00Z");
    assertThat(world.jobs.all()).hasSize(3);
    assertThat(world.arrivals.get(1).request().body()).contains("14:00:00");
  }

  @Test
  void aChangeAppliesToFiresThatAreDueAfterIt() {
    world.calendar("maintenance", "{}");
    world.put("hourly", active(hourlyBut("maintenance")));
    world.runUntil("2026-03-01T10:59:59.500Z");
    world.calendar("maintenance", range("11:00", "12:00"));
    world.runUntil("2026-03-01T11:59:59.500Z");
    assertThat(world.jobs.all()).isEmpty();
    world.calendar("maintenance", range("13:00", "14:00"));
    world.runUntil("2026-03-01T12:59:59.999Z");
    assertThat(launchedAt()).containsExactly("12:00:00Z");
    world.calendar("maintenance", "{}");
    world.runUntil("2026-03-01T13:00:30Z");
    assertThat(launchedAt()).containsExactly("12:00:00Z", "13:00:00Z");
  }

  @Test
  void aFireThatWasExcludedWhenDueIsNotMadeUpForByALaterCheck() {
    world.calendar("maintenance", range("11:00", "12:00"));
    ScheduleId id = world.put("hourly", active(hourlyBut("maintenance")));
    world.runUntil("2026-03-01T11:00:30Z");
    world.calendar("maintenance", "{}");
    JobId fire = JobId.ofFire(id, 1, Instant.parse("2026-03-01T11:00:00Z"));
    world.check(fire);
    world.runUntil("2026-03-01T11:30:00Z");
    assertThat(world.arrivals).isEmpty();
    assertThat(world.jobs.all()).isEmpty();
  }

  @Test
  void aWaitingJobContinuesWhateverItsCalendarExcludesLater() {
    world.calendar("maintenance", "{}");
    world.put(
        "hourly",
        """
        {"trigger": %s, "state": "ACTIVE", "whilePending": "merge",
         "constraints": [{"type": "delay", "duration": "PT90M"}],
         "target": {"queue": "work", "template": {"trigger": "${trigger}"}}}
        """
            .formatted(hourlyBut("maintenance")));
    world.runUntil("2026-03-01T11:05:00Z");
    world.calendar("maintenance", range("11:00", "11:30"));
    world.calendar("maintenance", "{}");
    world.runUntil("2026-03-01T12:40:00Z");
    assertThat(launchedAt()).containsExactly("12:30:00Z");
    assertThat(world.bodies().get(0)).contains("\"actual\":2");
  }

  @Test
  void aJobKeepsItsFireEvenIfCalendarsNowExcludeIt() {
    world.calendar("maintenance", "{}");
    world.put(
        "hourly",
        """
        {"trigger": %s, "state": "ACTIVE",
         "constraints": [{"type": "delay", "duration": "PT30M"}],
         "target": {"queue": "work", "template": {"trigger": "${trigger}"}}}
        """
            .formatted(hourlyBut("maintenance")));
    world.runUntil("2026-03-01T11:05:00Z");
    world.calendar("maintenance", range("11:00", "11:30"));
    world.calendar("maintenance", "{}");
    world.runUntil("2026-03-01T11:40:00Z");
    assertThat(launchedAt()).containsExactly("11:30:00Z");
    assertThat(world.bodies().get(0)).contains("\"actual\":1");
  }

  @Test
  void aFireThatAnotherLeafSharesIsLaunched() {
    world.calendar("maintenance", range("11:00", "14:00"));
    world.put("both", active(or(hourlyBut("maintenance"), cron("0 0 12 * * ?"))));
    world.runUntil("2026-03-01T14:30:00Z");
    assertThat(launchedAt()).containsExactly("12:00:00Z", "14:00:00Z");
  }

  @Test
  void previousScheduledForAndTriggerIgnoreExcludedFires() {
    world.calendar("maintenance", range("12:00", "14:00"));
    world.put(
        "hourly",
        """
        {"trigger": %s, "state": "ACTIVE", "target": {"queue": "work",
         "template": {"previous": "${previousScheduledFor}", "trigger": "${trigger}"}}}
        """
            .formatted(or(hourlyBut("maintenance"), cron("0 30 13,14 * * ?"))));
    world.runUntil("2026-03-01T14:30:30Z");
    assertThat(world.bodies()).hasSize(4);
    assertThat(world.bodies().get(1)).contains("\"previous\":\"2026-03-01T11:00:00.000Z\"");
    assertThat(world.bodies().get(2)).contains("\"previous\":\"2026-03-01T13:30:00.000Z\"");
  }

  @Test
  void excludedFiresDoNotCountWithinAnAnd() {
    world.calendar("maintenance", range("11:00", "13:00"));
    world.put("mixed", active(and(hourlyBut("maintenance"), partition("d", 1))));
    world.partitions("d", 1);
    world.runUntil("2026-03-01T12:30:00Z");
    assertThat(world.arrivals).isEmpty();
    world.runUntil("2026-03-01T13:30:00Z");
    assertThat(launchedAt()).containsExactly("13:00:00Z");
  }

  /** A calendar keeps only its last change, so the check of the fire must store its result. */
  @Test
  void anExcludedFireStaysExcludedHoweverOftenItsCalendarChanges() {
    world.calendar("maintenance", range("11:00", "11:30"));
    world.put("both", active(and(hourlyBut("maintenance"), partition("d", 1))));
    world.put("either", active(or(hourlyBut("maintenance"), partition("d", 2))));
    world.put("later", active(and(hourlyBut("maintenance"), partition("e", 1))));
    world.partitions("d", 1);
    world.runUntil("2026-03-01T11:05:00Z");
    world.calendar("maintenance", range("15:00", "15:30"));
    world.calendar("maintenance", range("16:00", "16:30"));
    world.runUntil("2026-03-01T11:10:00Z");
    world.partitions("e", 1);
    world.runUntil("2026-03-01T11:30:00Z");
    assertThat(world.arrivals).isEmpty();

    world.runUntil("2026-03-01T12:30:00Z");
    assertThat(world.bodies())
        .hasSize(3)
        .allSatisfy(body -> assertThat(body).contains("\"at\":\"2026-03-01T12:00:00.000Z\""));
  }

  @Test
  void keptFiresFollowTheCalendarOfTheirInstantAfterSeveralChanges() {
    world.calendar("maintenance", "{}");
    ScheduleId id = world.put("hourly", active(hourlyBut("maintenance")));
    world.keep(id, SuspendMode.BACKLOG, null);
    world.runUntil("2026-03-01T12:30:00Z");
    world.calendar("maintenance", range("00:00", "23:59"));
    world.runUntil("2026-03-01T13:30:00Z");
    world.calendar("maintenance", "{}");
    world.runUntil("2026-03-01T14:30:00Z");
    world.resume(id);
    world.runUntil("2026-03-01T14:40:00Z");
    assertThat(world.bodies().stream().map(body -> body.replaceAll(".*T(..):.*", "$1")).toList())
        .containsExactlyInAnyOrder("11", "12", "14");
  }

  @Test
  void anAbsentCalendarExcludesNothing() {
    world.put("hourly", active(hourlyBut("none")));
    world.runUntil("2026-03-01T11:30:00Z");
    assertThat(launchedAt()).containsExactly("11:00:00Z");
  }

  @Test
  void aScheduleWhoseLastFireIsExcludedIsCompletedOrDeleted() {
    world.calendar("maintenance", range("12:00", "14:00"));
    String twice =
        "{\"type\": \"cron\", \"expression\": \"0 0 11,12 1 3 ? 2026\", \"exclude\": [\"maintenance\"]}";
    ScheduleId kept = world.put("kept", active(twice));
    ScheduleId deleted = world.put("deleted", active(twice, "\"afterCompletion\": \"delete\""));
    world.runUntil("2026-03-01T11:30:00Z");
    assertThat(world.schedules.find(kept).orElseThrow().head().state())
        .isEqualTo(ScheduleState.ACTIVE);
    world.runUntil("2026-03-01T12:30:00Z");
    assertThat(launchedAt()).containsExactly("11:00:00Z", "11:00:00Z");
    assertThat(world.schedules.find(kept).orElseThrow().head().state())
        .isEqualTo(ScheduleState.COMPLETED);
    assertThat(world.schedules.find(deleted)).isEmpty();
    assertThat(world.schedules.withEventKey("default", "calendar:maintenance"))
        .containsExactly(kept);
  }

  @Test
  void anExcludedFireIsNotSetAside() {
    world.calendar("maintenance", range("11:00", "12:00"));
    ScheduleId id = world.put("hourly", active(hourlyBut("maintenance")));
    JobId fire = JobId.ofFire(id, 1, Instant.parse("2026-03-01T11:00:00Z"));
    world.runUntil("2026-03-01T11:00:30Z");
    world.checkReceivedOften(fire);
    assertThat(world.job(fire)).isNull();
  }
}
