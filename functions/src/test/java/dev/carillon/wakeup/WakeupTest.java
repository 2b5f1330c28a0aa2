package dev.carillon.wakeup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.BackfillId;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.wakeup.Wakeup.Plan;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WakeupTest {

  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final ScheduleId REPORT = new ScheduleId("default", "report");

  /** Seconds from now, except for the message. */
  @ParameterizedTest
  @CsvSource({
    "-3600,    message,    -3580",
    "-1,       message,    19",
    "0,        message,    20",
    "1,        message,    21",
    "899,      message,    919",
    "900,      message,    920",
    "900.001,  no message, 900.001",
    "901,      no message, 901",
    "86400,    no message, 86400",
    "31536000, no message, 31536000"
  })
  void aMessageCarriesNearWakeUpsAndTheIndexDistantOnes(
      String at, String message, String attentionAt) {
    Plan plan = Wakeup.plan(in(at), NOW);

    assertThat(plan.at()).isEqualTo(in(at));
    assertThat(plan.isInMessage()).isEqualTo(message.equals("message"));
    assertThat(plan.attentionAt()).isEqualTo(in(attentionAt));
  }

  /** Seconds from now; the plan is the earlier one or a new one. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // present plan, with message, due, wakes at, with message
        "-,    -,     -,    -,    -",
        "100,  true,  -,    -,    -",
        "-,    -,     100,  100,  true",
        "-,    -,     2000, 2000, false",
        "100,  true,  100,  100,  true",
        // An event has moved the due instant: the earlier wake-up plans the next.
        "100,  true,  101,  100,  true",
        "100,  true,  2000, 100,  true",
        "2000, false, 9000, 2000, false",
        // The master sends a wake-up that was distant when it was planned.
        "100,  false, 100,  100,  false",
        "100,  false, 500,  100,  false",
        // A plan that is too late is replaced.
        "101,  true,  100,  100,  true",
        "2000, false, 100,  100,  true",
        "9000, false, 2000, 2000, false",
        // A past wake-up was processed, or the index repeats it.
        "0,    true,  100,  100,  true",
        "-5,   true,  2000, 2000, false",
        "-5,   true,  -5,   -5,   true"
      })
  void anEarlierWakeUpStays(
      @Nullable String before,
      @Nullable Boolean wasInMessage,
      @Nullable String due,
      @Nullable String at,
      @Nullable Boolean isInMessage) {
    Plan planned =
        before == null || wasInMessage == null ? null : new Plan(in(before), wasInMessage);
    Plan expected = at == null || isInMessage == null ? null : new Plan(in(at), isInMessage);

    assertThat(Plan.next(planned, Optional.ofNullable(due).map(WakeupTest::in), NOW))
        .isEqualTo(expected);
  }

  @Test
  void wakeUpsAreOrderedByInstantThenPriorityThenName() {
    Wakeup urgent = new Wakeup(JobId.ofEvents(REPORT, 1, NOW, 7), NOW.plusSeconds(1), 0);
    List<Wakeup> ordered =
        List.of(
            new Wakeup(new BackfillId(REPORT, "x"), NOW, 9),
            new Wakeup(GateKey.ofGroup("default", "db"), NOW.plusSeconds(1)),
            urgent,
            new Wakeup(urgent.subject(), NOW.plusSeconds(1), 5),
            new Wakeup(new CollectingJobId(REPORT), NOW.plusSeconds(2)));

    assertThat(Stream.of(3, 1, 4, 0, 2).map(ordered::get).sorted(Wakeup.ORDER)).isEqualTo(ordered);
  }

  @Test
  void onlyAFireAtItsOwnInstantIsNamedByItsId() {
    JobId fire = JobId.ofFire(REPORT, 1, NOW);

    assertThat(new Wakeup(fire, NOW).isOfFire()).isTrue();
    assertThat(new Wakeup(fire, NOW.plusSeconds(15)).isOfFire()).isFalse();
    assertThat(new Wakeup(JobId.ofEvents(REPORT, 1, NOW, 7), NOW).isOfFire()).isFalse();
    assertThat(new Wakeup(new CollectingJobId(REPORT), NOW).isOfFire()).isFalse();
  }

  private static Instant in(String seconds) {
    return NOW.plusMillis(Math.round(1_000 * Double.parseDouble(seconds)));
  }
}
