package dev.carillon.client.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.client.schedule.Policies.State;
import dev.carillon.client.schedule.Policies.Timeout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SchedulesTest {

  private static final Target TARGET = Target.of("exports", Map.of());

  /** The builder of the CDAP documents, with their setters. */
  @Test
  void theDocumentsBuilder() {
    Schedule schedule =
        Schedules.builder("name")
            .setDescription("a description")
            .setMaxConcurrentRuns(1)
            .setDelayMillis(600_000)
            .setTimeRange(1, 3)
            .setDurationSinceLastRun(3_600_000)
            .setProperties(Map.of("region", "eu"))
            .setTarget(TARGET)
            .build(Trigger.cron("0 0 0 * * ?"));

    assertThat(schedule.name()).isEqualTo("name");
    assertThat(schedule.description()).isEqualTo("a description");
    assertThat(schedule.trigger()).isEqualTo(Trigger.cron("0 0 0 * * ?"));
    assertThat(schedule.constraints())
        .containsExactly(
            Constraint.concurrency(1),
            Constraint.delay(Duration.ofMinutes(10)),
            new Constraint.TimeWindow("01:00", "03:00", null, Set.of(), Constraint.OnUnmet.WAIT),
            Constraint.sinceLastRun(Duration.ofHours(1)));
    assertThat(schedule.properties()).isEqualTo(Map.of("region", TextNode.valueOf("eu")));
    assertThat(schedule.target()).isEqualTo(TARGET);
    assertThat(schedule.program()).isEqualTo("name");
    assertThat(schedule.document().has("state")).isFalse();
    assertThat(schedule.document().has("zone")).isFalse();
  }

  @Test
  void aConstraintSetAgainReplacesTheOneOfItsKind() {
    Schedule schedule =
        Schedules.builder("a")
            .setMaxConcurrentRuns(1)
            .setDelayMillis(1)
            .setMaxConcurrentRuns(3)
            .addConstraint(Constraint.concurrency(9).inGroup("all"))
            .setTarget(TARGET)
            .build(Trigger.manual());
    assertThat(schedule.constraints())
        .containsExactly(
            Constraint.concurrency(3),
            Constraint.delay(Duration.ofMillis(1)),
            Constraint.concurrency(9).inGroup("all"));
  }

  @Test
  void hoursAreOfADay() {
    assertThat(range(22, 6)).isEqualTo("22:00-06:00");
    assertThat(range(0, 24)).isEqualTo("00:00-24:00");
    for (List<Integer> none : List.of(List.of(-1, 3), List.of(24, 3), List.of(1, 25))) {
      assertThatThrownBy(() -> range(none.get(0), none.get(1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("it must be 0 to");
    }
  }

  private static String range(int from, int to) {
    ObjectNode document =
        Schedules.builder("a").setTimeRange(from, to).build(Trigger.manual()).document();
    return document.at("/constraints/0/from").asText()
        + "-"
        + document.at("/constraints/0/to").asText();
  }

  @Test
  void lessThanOneRunIsRefused() {
    assertThatThrownBy(() -> Schedules.builder("a").setMaxConcurrentRuns(0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theBuilderCanContinueWithoutChangingBuiltDocuments() {
    Schedules.Builder builder = Schedules.builder("a").setTarget(TARGET);
    Schedule first = builder.build(Trigger.manual());
    Schedule second = builder.setDescription("second").build(Trigger.event("x"));

    assertThat(first.description()).isEmpty();
    assertThat(first.trigger()).isEqualTo(Trigger.manual());
    assertThat(first).isNotEqualTo(second);
    first.document().put("description", "third");
    assertThat(first.description()).isEmpty();
  }

  @Test
  void membersOfANewerServerAreSentBackUnchanged() {
    Schedule stored =
        Schedule.of(
            "a",
            """
            {"description": "x", "novel": {"a": [1.50]}, "trigger": {"type": "tide", "high": true}}
            """);
    assertThatThrownBy(stored::trigger).isInstanceOf(IllegalArgumentException.class);
    Schedule changed = stored.toBuilder().setState(State.ACTIVE).build(Trigger.manual());

    assertThat(changed.toJson())
        .isEqualTo(
            "{\"description\":\"x\",\"novel\":{\"a\":[1.50]},\"trigger\":{\"type\":\"manual\"},"
                + "\"state\":\"ACTIVE\"}");
  }

  @Test
  void anAbsentMemberIsNull() {
    Schedule schedule = Schedule.of("a", "{}");
    assertThat(schedule.app()).isNull();
    assertThat(schedule.customer()).isNull();
    assertThat(schedule.zone()).isNull();
    assertThat(schedule.timeout()).isNull();
    assertThat(schedule.program()).isEqualTo("a");
    assertThat(schedule.constraints()).isEmpty();
    assertThat(schedule.tags()).isEmpty();
    Timeout day = new Timeout(Duration.ofDays(1), Timeout.Action.DISCARD);
    assertThat(schedule.toBuilder().setTimeout(day).build(Trigger.manual()).timeout())
        .isEqualTo(day);
    assertThatThrownBy(() -> Schedule.of("a", "[]")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Schedule.of("a", "{")).isInstanceOf(IllegalArgumentException.class);
  }
}
