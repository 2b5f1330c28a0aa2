package dev.carillon.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.backfill.Backfill.Order;
import dev.carillon.backfill.Backfill.State;
import dev.carillon.id.BackfillId;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A backfill of the five hourly fires from 01:00 to 05:00, two jobs at a time. */
class BackfillTest {

  private static final Instant NOW = Instant.parse("2026-03-02T12:00:00Z");
  private static final BackfillId ID = new BackfillId(new ScheduleId("default", "report"), "x1");
  private static final Order ORDER =
      new Order(3, 7, "report", at("00:00"), at("05:00"), 2, 5, "ann", NOW);
  private static final Backfill CREATED = Backfill.create(ID, ORDER, at("01:00"));
  private static final Reason ANY = Reason.of(ReasonCode.SCHEDULE_CHANGED);

  private static Instant at(String time) {
    return Instant.parse("2026-03-01T" + time + ":00Z");
  }

  private static Backfill taking(Backfill backfill) {
    return backfill.withNextFires(fire -> Optional.of(fire.plus(Duration.ofHours(1))));
  }

  private static Job job(String fire) {
    return NewJob.dueFire(JobId.ofBackfill(ID, ORDER.generation(), at(fire)), 7, "report");
  }

  private static Job ended(String fire, JobState end) {
    return job(fire).ended(end, NOW, ANY);
  }

  private static List<Instant> fires(String... times) {
    return Arrays.stream(times).map(BackfillTest::at).toList();
  }

  // ---- fires

  @Test
  void aNewBackfillHasTakenNothingAndIsCheckedAtOnce() {
    assertThat(Backfill.create(ID, ORDER, at("01:00"))).isEqualTo(CREATED);
    assertThat(CREATED.open()).isEmpty();
    assertThat(CREATED.next()).isEqualTo(at("01:00"));
    assertThat(CREATED.attentionAt()).isEqualTo(NOW.plusSeconds(20));
    assertThat(CREATED.hasEnded()).isFalse();
  }

  @Test
  void itTakesAsManyFiresAsTheConcurrencyAllows() {
    Backfill first = taking(CREATED);
    assertThat(first.open()).isEqualTo(fires("01:00", "02:00"));
    assertThat(first.next()).isEqualTo(at("03:00"));
    assertThat(first.taken()).isEqualTo(2);
    assertThat(taking(first)).isEqualTo(first);

    Backfill second = taking(first.withEnded(List.of(ended("01:00", JobState.LAUNCHED))));
    assertThat(second.open()).isEqualTo(fires("02:00", "03:00"));
    assertThat(second.taken()).isEqualTo(3);
  }

  @Test
  void theEndOfTheRangeIsItsLastFire() {
    Backfill all = CREATED;
    for (String fire : List.of("01:00", "02:00", "03:00", "04:00")) {
      all = taking(all).withEnded(List.of(ended(fire, JobState.LAUNCHED)));
    }
    Backfill last = taking(all);
    assertThat(last.open()).isEqualTo(fires("05:00"));
    assertThat(last.next()).isNull();
    assertThat(last.taken()).isEqualTo(ORDER.fires());
  }

  @Test
  void aScheduleWithoutAFurtherFireEndsTheRange() {
    Backfill only = CREATED.withNextFires(fire -> Optional.empty());
    assertThat(only.open()).isEqualTo(fires("01:00"));
    assertThat(only.next()).isNull();
  }

  // ---- ends of jobs

  @Test
  void onlyOpenJobsThatHaveEndedAreCounted() {
    Backfill taken = taking(CREATED);
    Backfill one =
        taken.withEnded(
            List.of(
                job("01:00"), ended("02:00", JobState.FAILED), ended("03:00", JobState.LAUNCHED)));
    assertThat(one.open()).isEqualTo(fires("01:00"));
    assertThat(one.ended()).isEqualTo(Map.of(JobState.FAILED, 1L));

    Backfill again = one.withEnded(List.of(ended("02:00", JobState.FAILED)));
    assertThat(again).as("a job is counted once").isEqualTo(one);
    Backfill both = one.withEnded(List.of(ended("01:00", JobState.FAILED)));
    assertThat(both.ended()).isEqualTo(Map.of(JobState.FAILED, 2L));
  }

  @Test
  void itLaunchesItsOpenJobsUntilItIsCancelled() {
    Backfill taken = taking(CREATED);
    JobId open = job("01:00").id();
    assertThat(taken.openJobs()).containsExactly(open, job("02:00").id());
    assertThat(taken.launches(open)).isTrue();
    assertThat(taken.launches(job("03:00").id())).isFalse();
    assertThat(taken.launches(JobId.ofBackfill(ID, 2, at("01:00")))).isFalse();

    Backfill cancelled = taken.cancelled("enough");
    assertThat(cancelled.launches(open)).isFalse();
    assertThat(cancelled.hasOpen(open)).isTrue();
  }

  // ---- cancelled

  @Test
  void aCancelledBackfillTakesNoFireAndKeepsItsFirstReason() {
    Backfill cancelled = CREATED.cancelled("enough");
    assertThat(taking(cancelled)).isEqualTo(cancelled);
    assertThat(cancelled.cancelled("again").reason()).isEqualTo("enough");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // cancelled, open jobs, fires left, state, ended
        "false, true,  true,  RUNNING,   false",
        "false, false, true,  RUNNING,   false",
        "false, true,  false, RUNNING,   false",
        "false, false, false, COMPLETED, true",
        "true,  true,  true,  CANCELLED, false",
        "true,  false, true,  CANCELLED, true",
        "true,  false, false, CANCELLED, true"
      })
  void itEndsWithItsLastJob(
      boolean isCancelled, boolean hasJobs, boolean hasFires, State state, boolean hasEnded) {
    Backfill taken = hasFires ? taking(CREATED) : CREATED.withNextFires(fire -> Optional.empty());
    Backfill left =
        hasJobs
            ? taken
            : taken.withEnded(
                Stream.of("01:00", "02:00").map(fire -> ended(fire, JobState.LAUNCHED)).toList());
    Backfill checked = (isCancelled ? left.cancelled("enough") : left).withNextCheck(false, NOW);

    assertThat(checked.state()).isEqualTo(state);
    assertThat(checked.hasEnded()).isEqualTo(hasEnded);
    assertThat(checked.endedAt()).isEqualTo(hasEnded ? NOW : null);
    assertThat(checked.attentionAt() == null).isEqualTo(hasEnded);
  }

  // ---- the next check

  /** Seconds from now. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // jobs without a row, present check, next check
        "true,  -,    80",
        "true,  19,   80",
        "true,  20,   80",
        "true,  21,   21",
        "true,  80,   80",
        "true,  81,   80",
        "false, -,    3600",
        "false, -1,   3600",
        "false, 0,    3600",
        "false, 1,    1",
        "false, 3600, 3600",
        "false, 3601, 3600"
      })
  void aSuitableInstantOfTheNextCheckStays(
      boolean isHandingOver, @Nullable Long present, long next) {
    Backfill taken = taking(CREATED);
    Backfill planned =
        new Backfill(
            ID,
            ORDER,
            taken.state(),
            null,
            taken.version(),
            taken.next(),
            taken.taken(),
            taken.open(),
            taken.ended(),
            present == null ? null : NOW.plusSeconds(present),
            null);

    assertThat(planned.withNextCheck(isHandingOver, NOW).attentionAt())
        .isEqualTo(NOW.plusSeconds(next));
  }

  @Test
  void aStoredBackfillIsTheNextVersion() {
    Backfill stored = CREATED.stored();
    assertThat(stored.version()).isEqualTo(2);
    assertThat(stored.stored().version()).isEqualTo(3);
    assertThat(stored.open()).isEqualTo(CREATED.open());
    assertThat(stored.next()).isEqualTo(CREATED.next());
  }
}
