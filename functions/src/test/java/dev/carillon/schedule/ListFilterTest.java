package dev.carillon.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.Schedules.ListFilter;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Selects schedules in lists; the schedule is of program p and app a, active, with the tag
 * team=data.
 */
class ListFilterTest {

  private static StoredSchedule stored() {
    ObjectNode document = Documents.aDocument();
    Documents.with(
        document,
        "/trigger",
        """
        {"type": "or", "triggers": [
          {"type": "cron", "expression": "0 0 3 * * ?"},
          {"type": "and", "triggers": [
            {"type": "partition", "dataset": "d", "count": 3},
            {"type": "programStatus", "program": "etl", "statuses": ["SUCCEEDED"]}]},
          {"type": "elapsed", "duration": "PT1H",
           "since": {"type": "programStatus", "program": "load", "statuses": ["FAILED"]}}]}
        """);
    Documents.with(document, "/program", "\"p\"");
    Documents.with(document, "/app", "\"a\"");
    Documents.with(document, "/tags", "{\"owner\": \"ann\", \"team\": \"data\"}");
    Documents.with(document, "/state", "\"ACTIVE\"");
    Schedule schedule = Documents.parsed(document);
    Change created = Lifecycle.create(null, schedule, Documents.NOW, "ann");
    return new StoredSchedule(created.after(), Objects.requireNonNull(created.definition()));
  }

  @ParameterizedTest(name = "program {0}, app {1}, {2}: {3}")
  @CsvSource({
    ",  ,  ,          true",
    "p, a, ACTIVE,    true",
    "p, ,  ,          true",
    "q, a, ACTIVE,    false",
    ",  a, ,          true",
    "p, b, ACTIVE,    false",
    ",  ,  ACTIVE,    true",
    "p, a, SUSPENDED, false"
  })
  void eachPartInTheHeadMustMatch(
      @Nullable String program,
      @Nullable String app,
      @Nullable ScheduleState state,
      boolean expected) {
    ListFilter filter = new ListFilter(program, app, state, null, null, null);
    assertThat(filter.matches(stored().head())).isEqualTo(expected);
    assertThat(filter.matches(stored())).isEqualTo(expected);
  }

  @ParameterizedTest(name = "tag {0}, trigger {1}: {2}")
  @CsvSource({
    "team=data, ,              true",
    "owner=ann, ,              true",
    "team=ann,  ,              false",
    "team,      ,              false",
    ",          or,            true",
    ",          cron,          true",
    // also nested ones
    ",          programStatus, true",
    ",          size,          false",
    "team=data, partition,     true",
    "team=x,    partition,     false",
    "team=data, size,          false"
  })
  void eachPartInTheDocumentMustMatch(
      @Nullable String tag, @Nullable String type, boolean expected) {
    assertThat(new ListFilter(null, null, null, tag, null, type).matches(stored()))
        .isEqualTo(expected);
    assertThat(new ListFilter("q", null, null, tag, null, type).matches(stored())).isFalse();
  }

  @ParameterizedTest(name = "other than {0}, {1}: {2}")
  @CsvSource({"x,   y,    true", "etl, y,    true", "x,   load, true", "etl, load, false"})
  void aTriggerWaitsForAProgramThatIsNotAmongThese(String one, String other, boolean expected) {
    ListFilter filter = new ListFilter(null, null, null, null, null, null, Set.of(one, other));
    assertThat(filter.matches(stored())).isEqualTo(expected);
  }
}
