package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static dev.carillon.contract.Samples.REPORT;
import static dev.carillon.contract.Samples.schedule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.id.BackfillId;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.id.SuspensionEnd;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

abstract class CheckQueueContract {

  abstract CheckQueue queue();

  /** The checks that are visible at {@link Samples#NOW}. */
  abstract List<Check> received();

  /** The checks of the overdue queue that are visible at {@link Samples#NOW}. */
  abstract List<Check> receivedOverdue();

  /** The number of delayed messages. */
  abstract long delayed();

  @Test
  void nothingIsSentOfNothing() {
    queue().send(List.of(), NOW);

    assertThat(received()).isEmpty();
    assertThat(delayed()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {-60_000, -1, 0, 1, 999})
  void aCheckDueWithinASecondIsVisibleImmediately(long millis) {
    Check check = aCheck(NOW.plusMillis(millis));

    queue().send(List.of(check), NOW);

    assertThat(received()).containsExactly(check);
  }

  @ParameterizedTest
  @ValueSource(longs = {60_000, 900_000, 900_999, 901_000, 100_000_000})
  void aCheckDueLaterIsDelayed(long millis) {
    queue().send(List.of(aCheck(NOW.plusMillis(millis))), NOW);

    assertThat(received()).isEmpty();
    assertThat(delayed()).isEqualTo(1);
  }

  @Test
  void overdueJobsGoToTheOverdueQueue() {
    Instant old = NOW.minusSeconds(3_600);
    Check mixed = new Check(old, List.of(JobId.ofFire(REPORT, 3, old), new SuspensionEnd(REPORT)));
    Check due = aCheck(NOW);

    queue().send(List.of(mixed, due), NOW);

    assertThat(received())
        .containsExactlyInAnyOrder(new Check(old, List.of(new SuspensionEnd(REPORT))), due);
    assertThat(receivedOverdue())
        .containsExactly(new Check(old, List.of(JobId.ofFire(REPORT, 3, old))));
  }

  @Test
  void allKindsOfSubjectsArrive() {
    List<Subject> subjects =
        List.of(
            JobId.ofFire(REPORT, 3, NOW),
            GateKey.ofGroup("default", "db"),
            new BackfillId(REPORT, "x1y2z"),
            new CollectingJobId(REPORT),
            new SuspensionEnd(REPORT));
    List<Check> checks = Check.of(NOW, subjects);

    queue().send(checks, NOW);

    assertThat(received()).isEqualTo(checks);
    assertThat(checks.get(0).subjects()).isEqualTo(subjects);
  }

  @Test
  void allOfManyAreSent() {
    List<Check> many = IntStream.range(0, 57).mapToObj(i -> aCheck(NOW.minusMillis(i))).toList();

    queue().send(many, NOW);

    assertThat(received()).containsExactlyInAnyOrderElementsOf(many);
  }

  @Test
  void theLargestChecksAreSentTogether() {
    ScheduleId longest = new ScheduleId("n".repeat(32), "s".repeat(64));
    List<JobId> jobs =
        IntStream.range(0, Check.MOST_SUBJECTS)
            .mapToObj(i -> JobId.ofEvents(longest, 1, NOW.plusMillis(i), 60_000_000))
            .toList();
    List<Check> many = IntStream.range(0, 30).mapToObj(i -> new Check(NOW, jobs)).toList();

    queue().send(many, NOW);

    assertThat(received()).isEqualTo(many);
  }

  static Check aCheck(Instant due) {
    return new Check(
        due, List.of(JobId.ofFire(REPORT, 3, NOW), JobId.ofEvents(schedule("b"), 1, NOW, 7)));
  }
}
