package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Condition.All;
import dev.carillon.campaign.judge.Condition.Announced;
import dev.carillon.campaign.judge.Condition.Any;
import dev.carillon.campaign.judge.Condition.Bytes;
import dev.carillon.campaign.judge.Condition.Counting;
import dev.carillon.campaign.judge.Condition.Matching;
import dev.carillon.campaign.judge.Condition.Reported;
import dev.carillon.campaign.judge.Filter.Rule;
import dev.carillon.campaign.judge.History.Announcement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the judge takes from a document and an event. */
class ConditionTest {

  private static final Map<String, Counting> LEAVES =
      Map.of(
          "partition", new Announced("d", 1),
          "size", new Bytes("clicks", 1),
          "event", new Matching("orders", 1, null),
          "status", new Reported("etl", List.of("STARTED", "FAILED"), 1));

  @ParameterizedTest
  @CsvSource({
    "size, size:clicks, 40, 40",
    "size, size:taps, 40, 0",
    "event, event:orders, 1, 1",
    "event, event:alarms, 1, 0",
    "status, program:etl:STARTED, 1, 1",
    "status, program:etl:FAILED, 1, 1",
    "status, program:etl:SUCCEEDED, 1, 0",
    "status, program:load:FAILED, 1, 0",
    "partition, event:d, 1, 0",
  })
  void anEventCountsForTheLeavesThatNameIt(String leaf, String key, long amount, long weight) {
    Announcement event = new Announcement("a", "", 1, 0, 0, new Fact(key, amount));
    assertThat(LEAVES.get(leaf).weightOf(event)).isEqualTo(weight);
  }

  @ParameterizedTest
  @CsvSource({"d, 3", "e, 0"})
  void aPartitionCountsForItsDataSet(String dataset, long weight) {
    Announcement event = new Announcement("a", dataset, 3, 0, 0);
    assertThat(LEAVES.get("partition").weightOf(event)).isEqualTo(weight);
    assertThat(LEAVES.get("event").weightOf(event)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "COLOR, red, , true",
    "COLOR, rose, , false",
    "COLOR, , , false",
    "COLOR_PREFIX, red, , true",
    "COLOR_PREFIX, redder, , true",
    "COLOR_PREFIX, blue, , false",
    "ANOTHER_COLOR, red, , false",
    "ANOTHER_COLOR, blue, , true",
    "ANOTHER_COLOR, , 9, false",
    "ANY_COLOR, blue, , true",
    "ANY_COLOR, , 9, false",
    "NO_COLOR, blue, , false",
    "NO_COLOR, , , true",
    "ABOVE, red, 5, false",
    "ABOVE, , 6, true",
    "ABOVE, red, , false",
    "COLOR_AND_ABOVE, red, 6, true",
    "COLOR_AND_ABOVE, red, 5, false",
    "COLOR_AND_ABOVE, blue, 6, false",
    "COLOR_OR_ABOVE, blue, 6, true",
    "COLOR_OR_ABOVE, red, , true",
    "COLOR_OR_ABOVE, blue, 5, false",
  })
  void aFilterMatches(
      Rule rule, @Nullable String color, @Nullable Integer number, boolean matches) {
    Fact fact = new Fact("event:orders", 1, color, number);
    assertThat(new Filter(rule, "red", 5).matches(fact)).isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource({"0 0 0, false", "1 0 0, false", "1 1 0, true", "1 0 2, true", "0 1 2, false"})
  void leavesAreNumberedInDocumentOrder(String counts, boolean satisfied) {
    Condition nested =
        new All(
            List.of(
                new Bytes("clicks", 1),
                new Any(List.of(new Announced("d", 1), new Announced("e", 2)))));
    List<Long> each = Arrays.stream(counts.split(" ", -1)).map(Long::valueOf).toList();
    assertThat(nested.isSatisfied(each)).isEqualTo(satisfied);
  }

  @Test
  void eachLeafCountsAllEventsOfTheJob() {
    Condition both = new Any(List.of(new Bytes("clicks", 9), new Bytes("clicks", 99)));
    Announcement event = new Announcement("a", "", 1, 0, 0, new Fact("size:clicks", 10));
    assertThat(both.counts(List.of(event, event), List.of(0L, 0L))).containsExactly(20L, 20L);
  }
}
