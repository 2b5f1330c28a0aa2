package dev.carillon.collect;

import static dev.carillon.collect.CollectingSchedule.ID;
import static dev.carillon.collect.CollectingSchedule.and;
import static dev.carillon.collect.CollectingSchedule.at;
import static dev.carillon.collect.CollectingSchedule.counts;
import static dev.carillon.collect.CollectingSchedule.cron;
import static dev.carillon.collect.CollectingSchedule.cronBut;
import static dev.carillon.collect.CollectingSchedule.event;
import static dev.carillon.collect.CollectingSchedule.hourly;
import static dev.carillon.collect.CollectingSchedule.or;
import static dev.carillon.collect.CollectingSchedule.partitions;
import static dev.carillon.collect.CollectingSchedule.quiet;
import static dev.carillon.collect.CollectingSchedule.size;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.event.Event;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.NewJob;
import dev.carillon.job.TriggerState;
import dev.carillon.trigger.LeafCount;
import dev.carillon.trigger.Trigger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeafCountsTest {

  private static final List<Trigger.Leaf> LEAVES =
      new CollectingSchedule(
              and(
                  hourly(),
                  partitions("d", 2),
                  size(1_000),
                  quiet("d", "PT1H"),
                  partitions("d", 5)))
          .schedule
          .trigger()
          .leaves();

  @ParameterizedTest(name = "an event with {0} {1}: {2}")
  @CsvSource({
    "partition:d, 3,   0 3 0 0 3",
    "size:clicks, 700, 0 0 700 0 0",
    "partition:e, 3,   0 0 0 0 0",
    "partition:d, 0,   0 0 0 0 0"
  })
  void anEventCountsForTheLeavesThatNameIt(String key, long weight, String expected) {
    List<Long> weights = LeafCounts.weights(LEAVES, event("one", Map.of(key, weight)));
    assertThat(String.join(" ", weights.stream().map(String::valueOf).toList()))
        .isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0} and an event of {1}: {2}")
  @CsvSource({
    "0, 1, 1",
    "1, 1, 2",
    // the surplus stays with the job
    "1, 7, 8",
    "2, 3, 5",
    "9223372036854775806, 1, 9223372036854775807",
    "9223372036854775807, 1, 9223372036854775807",
    "2, 9223372036854775807, 9223372036854775807"
  })
  void anEventAddsToTheCount(long before, long weight, long after) {
    TriggerState counted =
        TriggerState.of(LEAVES)
            .with(
                List.of(
                    new LeafCount(1, 1, at("10:00")),
                    new LeafCount(2, before, null),
                    new LeafCount(1_000, 0, null),
                    new LeafCount(1, 0, null),
                    new LeafCount(5, before, null)));
    Event event = event("one", "d", weight);
    TriggerState more = LeafCounts.withEvent(counted, event, LeafCounts.weights(LEAVES, event));
    assertThat(counts(more.leaves())).isEqualTo("1/1 %d/2 0/1000 0/1 %d/5".formatted(after, after));
    assertThat(more.leaves().get(0).fire()).isEqualTo(at("10:00"));
    assertThat(more.events()).containsExactly(event);
  }

  @Test
  void aFireThatComesAfterALaterOneCountsAndTheLaterOneIsKept() {
    TriggerState later = LeafCounts.withFires(TriggerState.of(LEAVES), Set.of(0), at("12:00"));
    TriggerState both = LeafCounts.withFires(later, Set.of(0, 3), at("11:00"));
    assertThat(counts(both.leaves())).isEqualTo("2/1 0/2 0/1000 1/1 0/5");
    assertThat(both.leaves().get(0).fire()).isEqualTo(at("12:00"));
    assertThat(both.leaves().get(3).fire()).isEqualTo(at("11:00"));
  }

  @Test
  void eachFireCountsOneMoreAndTheLatestIsKept() {
    TriggerState once = LeafCounts.withFires(TriggerState.of(LEAVES), Set.of(0), at("11:00"));
    TriggerState twice = LeafCounts.withFires(once, Set.of(0, 3), at("12:00"));
    assertThat(counts(once.leaves())).isEqualTo("1/1 0/2 0/1000 0/1 0/5");
    assertThat(counts(twice.leaves())).isEqualTo("2/1 0/2 0/1000 1/1 0/5");
    assertThat(twice.leaves().get(0).fire()).isEqualTo(at("12:00"));
    assertThat(twice.leaves().get(3).fire()).isEqualTo(at("12:00"));
    assertThat(twice.leaves().get(1).fire()).isNull();
  }

  @Test
  void theJobOfAFireHasCountedTheLeavesThatFireThen() {
    CollectingSchedule schedule =
        new CollectingSchedule(or(hourly(), cron("0 30 * * * ?"), cron("0 0 11 * * ?")));
    Job fire = NewJob.dueFire(JobId.ofFire(ID, 1, at("11:00")), 1, "report");
    TriggerState counted = LeafCounts.of(fire, schedule.compiled);
    assertThat(counts(counted.leaves())).isEqualTo("1/1 0/1 1/1");
    assertThat(counted.leaves().get(2).fire()).isEqualTo(at("11:00"));
  }

  @Test
  void theJobOfAFireHasCountedItsLeafEvenIfACalendarNowExcludesIt() {
    CollectingSchedule schedule =
        new CollectingSchedule(cronBut("0 0 * * * ?", "closed"))
            .excluding("closed", "11:00", "12:00");
    Job fire = NewJob.dueFire(JobId.ofFire(ID, 1, at("11:00")), 1, "report");
    assertThat(counts(LeafCounts.of(fire, schedule.compiled).leaves())).isEqualTo("1/1");
  }

  @Test
  void aJobKeepsItsCounts() {
    CollectingSchedule schedule = new CollectingSchedule(hourly());
    TriggerState merged =
        LeafCounts.withFires(
            LeafCounts.withFires(
                TriggerState.of(schedule.schedule.trigger().leaves()), Set.of(0), at("11:00")),
            Set.of(0),
            at("12:00"));
    Job fire =
        NewJob.waitingFire(JobId.ofFire(ID, 1, at("11:00")), 1, "report", at("11:00"))
            .grown(merged);
    assertThat(LeafCounts.of(fire, schedule.compiled)).isEqualTo(merged);
  }
}
