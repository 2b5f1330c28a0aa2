package dev.carillon.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.BackfillId;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.id.SuspensionEnd;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OverdueCheckTest {

  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final Instant OLD = NOW.minus(OverdueCheck.MARGIN).minusMillis(1);
  private static final ScheduleId BUSY = new ScheduleId("loud", "busy");

  @Test
  void aJobIsOverdueOnceItWasDueLongerThanTheMarginAgo() {
    Instant limit = NOW.minus(OverdueCheck.MARGIN);
    Check late = new Check(limit, List.of(fire(BUSY, limit)));
    Check tooLate = new Check(OLD, List.of(fire(BUSY, OLD)));

    OverdueCheck.Routes routes = OverdueCheck.route(List.of(late, tooLate), NOW);

    assertThat(routes.due()).containsExactly(late);
    assertThat(routes.overdue()).containsExactly(new OverdueCheck("loud/busy", tooLate));
  }

  /** A job that waited for a window is due when the window opens, not when it was made. */
  @Test
  void theInstantOfTheCheckCountsAndNotTheAgeOfTheJob() {
    Check check = new Check(NOW, List.of(fire(BUSY, OLD), JobId.ofEvents(BUSY, 1, OLD, 7)));

    assertThat(OverdueCheck.route(List.of(check), NOW).due()).containsExactly(check);
  }

  @Test
  void onlyJobsAreOverdue() {
    List<Subject> others =
        List.of(
            GateKey.ofGroup("loud", "db"),
            new BackfillId(BUSY, "x1y2z"),
            new CollectingJobId(BUSY),
            new SuspensionEnd(BUSY));
    List<Subject> subjects = new ArrayList<>(others);
    JobId job = JobId.ofEvents(BUSY, 1, OLD, 7);
    subjects.add(2, job);

    OverdueCheck.Routes routes = OverdueCheck.route(List.of(new Check(OLD, subjects)), NOW);

    assertThat(routes.due()).containsExactly(new Check(OLD, others));
    assertThat(routes.overdue())
        .containsExactly(new OverdueCheck("loud/busy", new Check(OLD, List.of(job))));
  }

  @Test
  void aFireThatIsDueNowStaysThoughItsCheckBeganEarlier() {
    Instant recent = NOW.minusSeconds(1);
    Check check = new Check(OLD, List.of(fire(BUSY, OLD), fire(BUSY, recent)));

    OverdueCheck.Routes routes = OverdueCheck.route(List.of(check), NOW);

    assertThat(routes.due().get(0).wakeups())
        .containsExactly(new Wakeup(fire(BUSY, recent), recent));
    assertThat(routes.overdue().get(0).check()).isEqualTo(new Check(OLD, List.of(fire(BUSY, OLD))));
  }

  /** A backlog shares no message with other schedules, which would wait behind it. */
  @Test
  void aBacklogHasMessagesOfItsOwn() {
    ScheduleId other = new ScheduleId("loud", "other");
    ScheduleId quiet = new ScheduleId("quiet", "a");
    List<Wakeup> wakeups = new ArrayList<>();
    IntStream.range(0, 250).forEach(i -> wakeups.add(wakeup(BUSY, i)));
    wakeups.add(100, wakeup(other, 1_000));
    wakeups.add(3, wakeup(quiet, 1_001));

    OverdueCheck.Routes routes = OverdueCheck.route(Check.of(wakeups, NOW), NOW);

    assertThat(routes.due()).isEmpty();
    assertThat(routes.overdue())
        .extracting(OverdueCheck::group)
        .containsExactly("loud/busy", "loud/busy", "loud", "quiet/a");
    assertThat(routes.overdue())
        .extracting(one -> one.check().subjects().size())
        .containsExactly(100, 100, 51, 1);
    assertThat(routes.overdue().stream().flatMap(one -> one.check().wakeups().stream()))
        .containsExactlyInAnyOrderElementsOf(wakeups);
  }

  /** As after an outage: there are no more messages than without the overdue queue. */
  @Test
  void schedulesWithOneFireEachShareMessages() {
    List<Wakeup> wakeups =
        IntStream.range(0, 1_000)
            .mapToObj(i -> wakeup(new ScheduleId("many", "s" + i), 0))
            .toList();

    List<OverdueCheck> overdue = OverdueCheck.route(Check.of(wakeups, NOW), NOW).overdue();

    assertThat(overdue).hasSize(10).extracting(OverdueCheck::group).containsOnly("many");
  }

  private static Wakeup wakeup(ScheduleId schedule, int minutes) {
    Instant at = OLD.minusSeconds(60L * minutes);
    return new Wakeup(fire(schedule, at), at);
  }

  private static JobId fire(ScheduleId schedule, Instant at) {
    return JobId.ofFire(schedule, 1, at);
  }
}
