package dev.carillon.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.carillon.constraint.Verdict;
import dev.carillon.constraint.Verdict.NotYet;
import dev.carillon.constraint.Verdict.TooLate;
import dev.carillon.document.Json;
import dev.carillon.id.BackfillId;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.SuspendMode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The time-outs of jobs. The schedules are active since 10:00; their time-out is two hours. */
class TimeoutPolicyTest {

  private static final ScheduleId ID = new ScheduleId("default", "report");
  private static final String DISCARD = timeout("PT2H", "discard");
  private static final String LAUNCH = timeout("PT2H", "launch");

  private final Scheduled report = new Scheduled(DISCARD);

  /** A schedule and the changes of its state. */
  private static final class Scheduled {
    private final Schedule schedule;
    private final Definition definition;
    private Head head;

    Scheduled(String members) {
      schedule = parsed(members);
      Change created = Lifecycle.create(null, schedule, at("10:00"), "ann");
      definition = Objects.requireNonNull(created.definition());
      head = created.after();
    }

    Scheduled suspended(SuspendMode mode, String time) {
      Suspension suspension = new Suspension(mode, null, null, "ann", at(time));
      head = Lifecycle.suspend(new StoredSchedule(head, definition), schedule, suspension).after();
      return this;
    }

    Scheduled paused(SuspendMode mode, String from, String to) {
      suspended(mode, from);
      head = Lifecycle.resume(new StoredSchedule(head, definition), schedule, at(to)).after();
      return this;
    }

    TimeoutPolicy timeouts() {
      return new TimeoutPolicy(schedule, head);
    }
  }

  private static Schedule parsed(String members) {
    String document =
        "{\"trigger\": {\"type\": \"cron\", \"expression\": \"0 30 * * * ?\"}, \"state\": \"ACTIVE\", \"target\": {\"queue\": \"work\", \"template\": {}}%s}"
            .formatted(members);
    try {
      return new ScheduleParser(ZoneOffset.UTC).parse(ID, Json.read(document), at("10:00"));
    } catch (JsonProcessingException fault) {
      throw new IllegalArgumentException(fault);
    }
  }

  private static String timeout(String after, String action) {
    return ", \"timeout\": {\"after\": \"%s\", \"action\": \"%s\"}".formatted(after, action);
  }

  private static String opening(String time) {
    return ", \"constraints\": [{\"type\": \"timeWindow\", \"from\": \"%s\", \"to\": \"23:00\"}]"
        .formatted(time);
  }

  private static Instant at(String time) {
    return Instant.parse("2026-03-01T" + (time.length() == 5 ? time + ":00" : time) + "Z");
  }

  private static String text(Optional<Instant> instant) {
    return instant
        .map(it -> it.toString().substring(11, it.toString().length() - 1))
        .orElse("never");
  }

  private static JobId fire(String time) {
    return JobId.ofFire(ID, 1, at(time));
  }

  private static JobId manual(String time) {
    return JobId.ofLaunchNow(ID, 1, at(time), "a");
  }

  // ---- when a job times out

  @Test
  void aJobTimesOutAfterItsFireEventOrLaunch() {
    assertThat(text(report.timeouts().end(fire("10:30")))).isEqualTo("12:30:00");
    assertThat(text(report.timeouts().end(JobId.ofEvents(ID, 1, at("10:40"), 1))))
        .isEqualTo("12:40:00");
    assertThat(text(report.timeouts().end(manual("10:50")))).isEqualTo("12:50:00");
  }

  @Test
  void aJobOfABackfillAndOneWithoutTimeoutNeverTimeOut() {
    JobId made = JobId.ofBackfill(new BackfillId(ID, "b1"), 1, at("10:30"));
    assertThat(report.timeouts().end(made)).isEmpty();
    assertThat(new Scheduled("").timeouts().end(fire("10:30"))).isEmpty();
    assertThat(new Scheduled("").timeouts().discards(fire("10:30"), at("23:00"))).isFalse();
    assertThat(new Scheduled("").timeouts().launches(fire("10:30"), at("23:00"))).isFalse();
  }

  @ParameterizedTest(name = "a fire of 10:30, suspended with {0} from {1} to {2}: {3}")
  @CsvSource({
    // a suspension that holds jobs stops the clock
    "HOLD,    11:00, 12:00, 13:30:00",
    "BACKLOG, 11:00, 12:00, 13:30:00",
    "DRAIN,   11:00, 12:00, 12:30:00",
    // if it began before the time-out, not at its exact instant
    "HOLD,    12:29:59.999, 13:00, 13:00:00.001",
    "HOLD,    12:30, 13:00, 12:30:00",
    // a suspension that ended before the job was opened has no effect; of another only the rest
    // counts
    "HOLD,    10:05, 10:30, 12:30:00",
    "BACKLOG, 10:05, 10:30:00.001, 12:30:00.001",
    "BACKLOG, 10:05, 11:00, 13:00:00"
  })
  void aSuspensionThatHoldsJobsStopsTheClock(SuspendMode mode, String from, String to, String end) {
    assertThat(text(report.paused(mode, from, to).timeouts().end(fire("10:30")))).isEqualTo(end);
  }

  @Test
  void everySuspensionBeforeTheMovedTimeoutCounts() {
    report.paused(SuspendMode.HOLD, "11:00", "12:00").paused(SuspendMode.HOLD, "13:00", "13:10");
    assertThat(text(report.timeouts().end(fire("10:30")))).isEqualTo("13:40:00");
    report.paused(SuspendMode.HOLD, "13:40", "14:00");
    assertThat(text(report.timeouts().end(fire("10:30")))).isEqualTo("13:40:00");
  }

  @ParameterizedTest(name = "a fire of 10:30, suspended with {0} at {1}: {2}")
  @CsvSource({
    "HOLD,    11:00, never",
    "BACKLOG, 11:00, never",
    "DRAIN,   11:00, 12:30:00",
    "HOLD,    12:29:59.999, never",
    "HOLD,    12:30, 12:30:00"
  })
  void duringASuspensionThatHoldsJobsTheTimeoutIsOpen(SuspendMode mode, String at, String end) {
    assertThat(text(report.suspended(mode, at).timeouts().end(fire("10:30")))).isEqualTo(end);
  }

  @ParameterizedTest(name = "launched manually at {0}: {1}")
  @CsvSource({
    "10:30, 13:30:00",
    "11:00, 14:00:00",
    // a manual launch during the suspension launches: the suspension does not hold it
    "11:00:00.001, 13:00:00.001",
    "11:30, 13:30:00"
  })
  void aSuspensionDoesNotHoldManualLaunchesThatItContains(String launched, String end) {
    report.paused(SuspendMode.HOLD, "11:00", "12:00");
    assertThat(text(report.timeouts().end(manual(launched)))).isEqualTo(end);
  }

  @Test
  void aManuallyLaunchedJobTimesOutDuringASuspensionThatHoldsJobs() {
    report.suspended(SuspendMode.HOLD, "11:00");
    assertThat(text(report.timeouts().end(manual("10:30")))).isEqualTo("12:30:00");
  }

  // ---- what happens at the time-out

  @ParameterizedTest(name = "at {0}: passed {1}, ahead {2}")
  @CsvSource({
    "12:29:59.999, false, 12:30:00",
    "12:30,        true,  never",
    "13:00,        true,  never"
  })
  void itHasPassedAtItsExactInstant(String now, boolean isOver, String ahead) {
    JobId job = fire("10:30");
    TimeoutPolicy discard = report.timeouts();
    TimeoutPolicy launch = new Scheduled(LAUNCH).timeouts();
    assertThat(discard.discards(job, at(now))).isEqualTo(isOver);
    assertThat(discard.launches(job, at(now))).isFalse();
    assertThat(launch.launches(job, at(now))).isEqualTo(isOver);
    assertThat(launch.discards(job, at(now))).isFalse();
    assertThat(text(discard.endAhead(job, at(now)))).isEqualTo(ahead);
  }

  @ParameterizedTest(name = "wanted at {0}, now {1}: {2}")
  @CsvSource({
    "12:00, 11:00, 12:00",
    "12:30, 11:00, 12:30",
    "12:31, 11:00, 12:30",
    "13:00, 12:30, 13:00"
  })
  void theTimeoutAppliesOnlyWhileItIsAhead(String wanted, String now, String soonest) {
    assertThat(report.timeouts().soonest(at(wanted), fire("10:30"), at(now)))
        .isEqualTo(at(soonest));
  }

  // ---- constraints of the clock

  private static String verdict(String members, String now) {
    Scheduled given = new Scheduled(members);
    return text(given.timeouts().byClock(NewJob.dueFire(fire("10:30"), 1, "report"), at(now)));
  }

  private static String text(Verdict verdict) {
    String name = verdict.getClass().getSimpleName();
    if (verdict instanceof NotYet wait) {
      return name + " " + text(Optional.ofNullable(wait.checkAt()));
    }
    if (verdict instanceof TooLate late) {
      return name + (late.unmet() == null ? " for its request" : " for its constraints");
    }
    return name;
  }

  @ParameterizedTest(name = "a window that opens at {0}, at the time-out {1}, now {2}: {3}")
  @CsvSource({
    "11:30, discard, 11:29:59.999, NotYet 11:30:00",
    "11:30, discard, 11:30,        Satisfied",
    "13:30, discard, 11:00,        NotYet 12:30:00",
    "13:30, discard, 12:30,        TooLate for its constraints",
    "13:30, discard, 13:45,        TooLate for its constraints",
    "13:30, launch,  11:00,        NotYet 12:30:00",
    "13:30, launch,  12:30,        Satisfied",
    // a window that opens at the exact instant of the time-out lets the job launch, even if checked
    // later
    "12:30, discard, 12:30,        Satisfied",
    "12:30, discard, 12:40,        Satisfied",
    "12:30:01, discard, 12:40, TooLate for its constraints"
  })
  void constraintsHoldUpToTheTimeout(String opens, String action, String now, String expected) {
    assertThat(verdict(opening(opens) + timeout("PT2H", action), now)).isEqualTo(expected);
  }

  @Test
  void aWindowMustBeOpenAtTheTimeoutAndAtALateCheck() {
    String window =
        ", \"constraints\": [{\"type\": \"timeWindow\", \"from\": \"12:00\", \"to\": \"12:35\"}]";
    assertThat(verdict(window + DISCARD, "12:30")).isEqualTo("Satisfied");
    assertThat(verdict(window + DISCARD, "12:34")).isEqualTo("Satisfied");
    assertThat(verdict(window + DISCARD, "12:40")).isEqualTo("TooLate for its constraints");
  }

  @Test
  void aConstraintThatSkipsEndsAJobEvenAfterItsTimeout() {
    String window =
        ", \"constraints\": [{\"type\": \"timeWindow\", \"from\": \"14:00\", \"to\": \"15:00\", \"onUnmet\": \"skip\"}]";
    assertThat(verdict(window + DISCARD, "12:00")).isEqualTo("Never");
    assertThat(verdict(window + DISCARD, "12:30")).isEqualTo("Never");
  }

  @Test
  void withoutConstraintsAJobIsSatisfiedUnlessItsRequestWasRefusedForTooLong() {
    assertThat(verdict(DISCARD, "13:00")).isEqualTo("Satisfied");
    Job refused =
        NewJob.launchingFire(fire("10:30"), 1, "report", at("10:30"), at("10:31"))
            .refused(at("10:31"), Reason.of(ReasonCode.LAUNCHED_BY_HAND));
    assertThat(text(report.timeouts().byClock(refused, at("12:29:59.999")))).isEqualTo("Satisfied");
    assertThat(text(report.timeouts().byClock(refused, at("12:30"))))
        .isEqualTo("TooLate for its request");
    assertThat(text(new Scheduled(LAUNCH).timeouts().byClock(refused, at("12:30"))))
        .isEqualTo("Satisfied");
  }

  @Test
  void aJobThatIgnoresConstraintsIsSatisfied() {
    Job ignoring =
        NewJob.launchedNow(
            manual("10:30"),
            1,
            "report",
            at("10:30"),
            Json.object().put(Job.IGNORE_CONSTRAINTS, true));
    TimeoutPolicy timeouts = new Scheduled(opening("14:00") + DISCARD).timeouts();
    assertThat(text(timeouts.byClock(ignoring, at("10:30")))).isEqualTo("Satisfied");
  }

  @ParameterizedTest(name = "refused at {0}: sent again at {1}")
  @CsvSource({"12:00, 12:00:01", "12:29:59.500, 12:30", "12:30, 12:30:01"})
  void aRefusedRequestIsSentAgainAtTheTimeoutIfThatIsEarlier(String now, String again) {
    Job refused =
        NewJob.launchingFire(fire("10:30"), 1, "report", at("10:30"), at("10:31"))
            .refused(at(now), Reason.of(ReasonCode.LAUNCHED_BY_HAND), report.timeouts());
    assertThat(refused.notBefore()).isEqualTo(at(again));
    assertThat(refused.isRefused()).isTrue();
  }

  // ---- reasons

  @Test
  void reasonsNameTheTimeoutAndTheUnmetCondition() {
    Job refused =
        NewJob.launchingFire(fire("10:30"), 1, "report", at("10:30"), at("10:31"))
            .refused(at("10:31"), Reason.of(ReasonCode.LAUNCHED_BY_HAND));
    TimeoutPolicy timeouts = report.timeouts();
    assertThat(timeouts.whyGivenUp()).isEqualTo(Reason.of(ReasonCode.TRIGGER_TIMED_OUT, "PT2H"));
    assertThat(timeouts.whyTooLate("a window"))
        .isEqualTo(Reason.of(ReasonCode.CONSTRAINTS_TIMED_OUT, "PT2H", "a window"));
    assertThat(timeouts.whyTooLate(new TooLate("a window"), refused))
        .isEqualTo(Reason.of(ReasonCode.CONSTRAINTS_TIMED_OUT, "PT2H", "a window"));
    assertThat(timeouts.whyTooLate(new TooLate(null), refused))
        .isEqualTo(Reason.of(ReasonCode.REQUEST_TIMED_OUT, "PT2H", refused.lastReason()));
  }

  @Test
  void aJobThatLaunchesAtItsTimeoutRecordsThatItsConstraintsDidNotHold() {
    TimeoutPolicy timeouts = new Scheduled(LAUNCH).timeouts();
    Job free = NewJob.dueFire(fire("10:30"), 1, "report");
    Job held =
        free.waitingUntil(
            at("14:00"), at("14:00"), at("10:30"), Reason.of(ReasonCode.LAUNCHED_BY_HAND));
    Reason anyway = Reason.of(ReasonCode.LAUNCHED_AT_TIMEOUT, "PT2H");
    assertThat(timeouts.launching(held, at("12:30"), at("12:31")).newestReason()).isEqualTo(anyway);
    assertThat(timeouts.launching(held, at("12:29"), at("12:30")).newestReason()).isNull();
    assertThat(timeouts.launching(free, at("12:30"), at("12:31")).newestReason()).isNull();
    assertThat(timeouts.launching(free, at("12:30"), at("12:31")).launchingUntil())
        .isEqualTo(at("12:31"));
  }
}
