package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the commands show of explanations, for answers as the API reference has them. */
@Timeout(60)
class ExplanationTest {

  private static final String CLOSED =
      """
      {"jobId": "j1", "schedule": "a", "state": "PENDING_CONSTRAINT", "summary": "it waits",
       "unsatisfied": [], "unmetConstraints": [
         {"type": "timeWindow", "reason": "its time window is closed",
          "opensAt": "2026-03-10T17:00:00.000Z"},
         {"type": "resource", "reason": "resource disk is 3.5", "opensAt": null}],
       "gates": [{"gate": "resource disk", "holding": 1, "waiting": 3, "nextCheckAt": null,
         "lastSuccess": "2026-03-10T11:00:00.000Z", "value": 3.5,
         "expiresAt": "2026-03-10T12:10:00.000Z", "place": 1, "firstWaiting": [],
         "holders": [{"jobId": "j0", "since": "2026-03-10T11:30:00.000Z",
           "until": "2026-03-10T12:30:00.000Z"}]}],
       "waitsBecause": null, "nextCheckAt": null, "timesOut": null,
       "launch": {"attempt": 2, "launchedAt": null, "refusals": 1}}
      """;

  private static final String READY =
      """
      {"jobId": "j1", "schedule": "a", "state": "READY", "summary": "it has waited",
       "unsatisfied": [], "unmetConstraints": [], "gates": [], "waitsBecause": "the queue is full",
       "nextCheckAt": null, "timesOut": null,
       "pool": {"name": "encode", "since": "2026-03-10T11:40:00.000Z", "customer": "acme",
         "priority": 5, "rule": "the most urgent priority first", "stoppedBy": "FULL",
         "isChosen": false, "moreUrgent": {"jobs": 1000, "isAtLeast": true},
         "ofCustomer": {"jobs": 1, "isAtLeast": false},
         "turn": {"number": 4, "isAtLeast": false, "before": [
           {"customer": "beta", "jobs": 2}, {"customer": null, "jobs": 1}]},
         "nextChoiceAt": "2026-03-10T12:00:05.000Z", "expectedAt": "2026-03-10T12:46:00.000Z"},
       "launch": {"attempt": 1, "launchedAt": null, "refusals": 0},
       "trigger": {"leaves": [{"leaf": 0, "type": "partition", "keys": ["partition:videos"],
         "have": 2, "need": 2, "satisfied": true}], "events": [{}], "eventsOmitted": 40},
       "readyOperations": ["query", "load"]}
      """;

  private static final String SCHEDULE =
      """
      {"namespace": "default", "name": "a", "state": "ACTIVE", "summary": "it is active",
       "trigger": "At 03:00", "nextFire": null, "suspended": null, "elapses": null,
       "excluded": {"calendars": ["holidays"], "missing": [], "lastFire": null,
         "nextFire": {"at": "2026-03-11T07:00:00.000Z", "by": ["holidays"]}},
       "unfinishedJobs": 3, "waitsBecause": null,
       "limits": [{"type": "rate", "gate": "program p", "bound": 10, "duration": "PT1H", "now": 10,
         "open": false, "reason": "program p is at its limit",
         "opensAt": "2026-03-10T12:40:00.000Z"}],
       "collecting": {"jobId": "j2", "since": "2026-03-10T11:00:00.000Z", "willBeCancelled": true,
         "leaves": [], "timesOut": null}}
      """;

  private static List<String> lines(String command, String answer) throws IOException {
    try (Stub stub = new Stub().answers(200, answer)) {
      Clock now = Clock.fixed(Instant.parse("2026-03-10T12:00:00Z"), ZoneOffset.ofHours(1));
      Result result = Call.to(stub.uri()).at(now).run(command);
      assertThat(result.code()).as(result.err()).isZero();
      return result.lines().stream().map(line -> line.strip().replaceAll("  +", "  ")).toList();
    }
  }

  @Test
  void aClosedConstraintSaysWhenItOpens() throws IOException {
    assertThat(lines("jobs explain j1", CLOSED))
        .contains(
            "Unmet  timeWindow: its time window is closed; opens at 2026-03-10 18:00:00 (in 5 h)",
            "resource: resource disk is 3.5");
  }

  @Test
  void aGateShowsItsValueAndUntilWhenItsSlotsAreHeld() throws IOException {
    assertThat(lines("jobs explain j1", CLOSED))
        .contains(
            "Gates  resource disk: slots held: 1, waiting: 3, place 1",
            "value 3.5 until 2026-03-10 13:10:00 (in 10 min)",
            "last success 2026-03-10 12:00:00 (60 min ago)",
            "held by j0 since 2026-03-10 12:30:00 (30 min ago);"
                + " next report due by 2026-03-10 13:30:00 (in 30 min)",
            "Attempt  2",
            "Refused  1 time");
  }

  @Test
  void aJobInAPoolShowsTheJobsBeforeItAndItsTurn() throws IOException {
    assertThat(lines("jobs explain j1", READY))
        .contains(
            "Pool  encode, since 2026-03-10 12:40:00 (20 min ago)",
            "Customer  acme",
            "Priority  5",
            "Pool's rule  the most urgent priority first",
            "More urgent  at least 1000 jobs",
            "Of customer  1 job",
            "Turn  4, after 2 of beta, 1 of (no customer)",
            "Next choice  2026-03-10 13:00:05 (in 5 s)",
            "Expected  2026-03-10 13:46:00 (in 46 min)",
            "Counted  partition partition:videos: 2 of 2",
            "Events  41",
            "Ready operations  query, load");
    assertThat(lines("jobs explain j1", READY.replace("\"isChosen\": false", "\"isChosen\": true")))
        .contains("Turn  the pool has chosen it");
    assertThat(
            lines(
                "jobs explain j1",
                READY.replace(
                    "\"number\": 4, \"isAtLeast\": false", "\"number\": 101, \"isAtLeast\": true")))
        .contains("Turn  at least 101, after 2 of beta, 1 of (no customer)");
  }

  @Test
  void aScheduleShowsWhenLimitsOpenAndWhatItsCalendarsTakeAway() throws IOException {
    assertThat(lines("schedules explain a", SCHEDULE))
        .contains(
            "Excluded by  holidays",
            "Excluded next  2026-03-11 08:00:00 (in 19 h) by holidays",
            "Limits  rate of program p: program p is at its limit;"
                + " opens at 2026-03-10 13:40:00 (in 40 min)",
            "Collecting job  j2, since 2026-03-10 12:00:00 (60 min ago); will be cancelled");
  }
}
