package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.cron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.backfill.Backfill;
import dev.carillon.decision.RunDecision.Accepted;
import dev.carillon.id.BackfillId;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.run.Report;
import dev.carillon.system.Interleavings.Turns;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Functions that check one backfill at the same time, in all orders of their calls with two
 * preemptions and in many random orders. After every single call, the number of its unfinished jobs
 * is within the limit. At the end, each fire was launched once and counted once.
 */
class BackfillInterleavingTest {

  private static final int FIRES = 5;
  private static final int CONCURRENCY = 2;

  @Test
  void concurrentPassesLaunchEachFireOnceInOrdersWithOnePreemption() {
    few(BackfillInterleavingTest::twoPasses);
  }

  @Tag("proof")
  @Test
  void concurrentPassesLaunchEachFireOnce() {
    many(100, BackfillInterleavingTest::twoPasses);
  }

  private static void twoPasses(Turns turns) {
    Stage stage = new Stage(turns);
    turns.run(List.of(stage::look, stage::look));
    stage.world.handleChecks();

    Backfill over = stage.backfill();
    assertThat(over.state()).isEqualTo(Backfill.State.COMPLETED);
    assertThat(over.ended()).isEqualTo(Map.of(JobState.LAUNCHED, (long) FIRES));
    assertThat(stage.world.requestsByJob().values()).hasSize(FIRES).containsOnly(1L);
  }

  @Test
  void passesThatAreUnderWayObeyACancellationInOrdersWithOnePreemption() {
    few(BackfillInterleavingTest::passesAndACancellation);
  }

  @Tag("proof")
  @Test
  void passesThatAreUnderWayObeyACancellation() {
    many(100, BackfillInterleavingTest::passesAndACancellation);
  }

  private static void passesAndACancellation(Turns turns) {
    Stage stage = new Stage(turns);
    turns.run(List.of(stage::look, stage::cancel, stage::look));
    stage.world.handleChecks();

    Backfill over = stage.backfill();
    assertThat(over.hasEnded()).isTrue();
    assertThat(over.taken())
        .isEqualTo(over.ended().values().stream().mapToLong(count -> count).sum());
    assertThat(over.ended().getOrDefault(JobState.LAUNCHED, 0L))
        .isEqualTo((long) stage.world.arrivals.size());
    assertThat(stage.world.arrivals.size() - stage.arrivedBeforeCancellation)
        .isLessThanOrEqualTo(2 * CONCURRENCY);
  }

  @Test
  void aPassAndADeletionCancelTheBackfillInOrdersWithOnePreemption() {
    few(BackfillInterleavingTest::aPassAndADeletion);
  }

  @Tag("proof")
  @Test
  void aPassThatCountsJobsCancelledByADeletionCancelsTheBackfill() {
    many(30, BackfillInterleavingTest::aPassAndADeletion);
  }

  /** Its jobs wait at a gate. The deletion cancels them while a pass counts them. */
  private static void aPassAndADeletion(Turns turns) {
    Stage stage =
        new Stage(
            turns,
            "{\"type\": \"resource\", \"name\": \"disk\", \"atLeast\": 1}",
            "2026-02-03T00:00:00Z");
    stage.world.handleChecks();
    assertThat(stage.world.jobs.all()).hasSize(CONCURRENCY);
    turns.run(List.of(stage::look, stage::deleteAndCheck));
    stage.world.handleChecks();

    Backfill over = stage.backfill();
    assertThat(over.state()).isEqualTo(Backfill.State.CANCELLED);
    assertThat(over.ended()).isEqualTo(Map.of(JobState.CANCELLED, (long) CONCURRENCY));
  }

  @Test
  void aRetryThatIsAcceptedIsKeptByABackfillThatIsCheckedMeanwhile() {
    few(BackfillInterleavingTest::aPassAndARetry);
  }

  private static void aPassAndARetry(Turns turns) {
    Stage stage = new Stage(turns, "", "2026-02-06T00:00:00Z", ", \"tracking\": {}");
    stage.world.handleChecks();
    JobId job = stage.failOne();
    turns.run(List.of(stage::look, () -> stage.retry(job)));
    stage.world.runFor(Duration.ofSeconds(30));
    if (stage.isRetried) {
      assertThat(stage.world.job(job).state()).isNotIn(JobState.CANCELLED, JobState.FAILED);
    }
  }

  private static void few(Interleavings.Play play) {
    try (Interleavings interleavings = new Interleavings()) {
      assertThat(interleavings.few(play)).isGreaterThan(5);
    }
  }

  private static void many(int orders, Interleavings.Play play) {
    try (Interleavings interleavings = new Interleavings()) {
      assertThat(interleavings.many(play)).isGreaterThan(orders);
    }
  }

  /** A backfill of a few fires, and the calls that change it. */
  private static final class Stage {
    final World world = new World("2026-03-01T10:00:30Z");
    private final Turns turns;
    private final ScheduleId daily;
    private final BackfillId id;
    private boolean isRetried;
    private int arrivedBeforeCancellation = Integer.MAX_VALUE;

    Stage(Turns turns) {
      this(turns, "", "2026-02-06T00:00:00Z");
    }

    Stage(Turns turns, String constraint, String to) {
      this(turns, constraint, to, "");
    }

    Stage(Turns turns, String constraint, String to, String more) {
      this.turns = turns;
      String constraints = "\"constraints\": [%s]%s".formatted(constraint, more);
      daily = world.put("a", active(cron("0 0 3 * * ?"), constraints));
      id = world.backfill(daily, "2026-02-01T00:00:00Z", to, CONCURRENCY);
      world.faults.around(turns::pause, this::checkInvariants);
    }

    Backfill backfill() {
      return world.backfill(id);
    }

    void look() {
      world.checking(List.of(id)).run();
    }

    /** A job fails for good, and its end is announced. */
    JobId failOne() {
      JobId job = world.arrivals.get(0).request().job();
      world.reports().claim(job, "w", 1, "t").orElseThrow();
      world.reports().report(job, new Report.Failure("t", "boom", false)).orElseThrow();
      return job;
    }

    void retry(JobId job) {
      isRetried = world.reports().retry(job, "ann").orElseThrow().result() instanceof Accepted;
    }

    void cancel() {
      turns.pause();
      world.cancel(id);
      arrivedBeforeCancellation = world.arrivals.size();
    }

    void deleteAndCheck() {
      turns.pause();
      List<JobId> waiting = world.jobs.all().stream().map(Job::id).toList();
      world.delete(daily);
      world.checking(waiting).run();
    }

    private void checkInvariants() {
      // A retry that the backfill does not keep is stored until its check cancels it.
      assertThat(
              world.jobs.all().stream()
                  .filter(job -> !job.isEnded() && job.state() != JobState.RETRY_WAIT)
                  .map(Job::id))
          .hasSizeLessThanOrEqualTo(CONCURRENCY);
      assertThat(backfill().open()).hasSizeLessThanOrEqualTo(CONCURRENCY);
    }
  }
}
