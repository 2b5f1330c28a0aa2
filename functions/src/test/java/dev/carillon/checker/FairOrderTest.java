package dev.carillon.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.CollectingJobId;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.SuspensionEnd;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FairOrderTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private static List<Wakeup> jobs(String namespace, int count) {
    return jobs(new ScheduleId(namespace, "s"), count);
  }

  private static List<Wakeup> jobs(ScheduleId schedule, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> JobId.ofFire(schedule, 1, NOON.plusSeconds(i)))
        .map(job -> new Wakeup(job, NOON))
        .toList();
  }

  @Test
  void namespacesWithFewSubjectsComeFirst() {
    List<Wakeup> loud = jobs("loud", 150);
    List<Wakeup> few = new ArrayList<>(jobs("quiet", 3));
    few.add(new Wakeup(new CollectingJobId(new ScheduleId("other", "s")), NOON));
    few.add(new Wakeup(new SuspensionEnd(new ScheduleId("third", "s")), NOON));
    List<Wakeup> all = new ArrayList<>(loud);
    all.addAll(few);

    assertThat(FairOrder.passes(all))
        .containsExactly(few, loud.subList(0, 100), loud.subList(100, 150));
  }

  @Test
  void schedulesWithFewSubjectsComeNext() {
    List<Wakeup> loud = jobs("loud", 150);
    List<Wakeup> beside = jobs(new ScheduleId("loud", "beside"), 99);
    List<Wakeup> quiet = jobs("quiet", 3);
    List<Wakeup> all = new ArrayList<>(loud);
    all.addAll(beside);
    all.addAll(quiet);

    assertThat(FairOrder.passes(all))
        .containsExactly(quiet, beside, loud.subList(0, 100), loud.subList(100, 150));
  }

  @Test
  void smallNamespacesShareAPass() {
    List<Wakeup> all = new ArrayList<>(jobs("a", 60));
    all.addAll(jobs("b", 60));

    assertThat(FairOrder.passes(all)).containsExactly(all.subList(0, 100), all.subList(100, 120));
    assertThat(FairOrder.passes(List.of())).isEmpty();
  }
}
