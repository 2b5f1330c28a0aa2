package dev.carillon.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.pool.ChosenCounts.Count;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChosenCountsTest {

  private static final Instant NOON = Instant.parse("2026-03-10T12:00:00Z");

  private static Instant noonPlus(int minutes) {
    return NOON.plus(Duration.ofMinutes(minutes));
  }

  private static List<String> customers(int from, int until) {
    return IntStream.range(from, until).mapToObj(number -> "customer-" + number).toList();
  }

  @Test
  void jobsAreCountedByCustomer() {
    ChosenCounts served =
        ChosenCounts.NONE.with(List.of("a", "b", "a"), NOON).with(List.of("", "a"), noonPlus(29));
    assertThat(served.byCustomer())
        .isEqualTo(Map.of("a", new Count(3, 0), "b", new Count(1, 0), "", new Count(1, 0)));
    assertThat(served.others().sum()).isZero();
    assertThat(served.since()).isEqualTo(noonPlus(-30));
  }

  @Test
  void theHalfHourBeforeIsKeptAndEarlierOnesAreForgotten() {
    ChosenCounts first = ChosenCounts.NONE.with(List.of("a", "b"), noonPlus(29));
    ChosenCounts second = first.with(List.of("a"), noonPlus(30));
    assertThat(second.byCustomer()).isEqualTo(Map.of("a", new Count(1, 1), "b", new Count(0, 1)));
    assertThat(second.since()).isEqualTo(NOON);
    ChosenCounts third = second.at(noonPlus(89));
    assertThat(third.byCustomer()).isEqualTo(Map.of("a", new Count(0, 1)));
    assertThat(third.at(noonPlus(90)).byCustomer()).isEmpty();
    assertThat(first.at(noonPlus(90)).byCustomer()).isEmpty();
  }

  @Test
  void aClockThatIsBehindCountsInTheHalfHourOfTheOther() {
    ChosenCounts served = ChosenCounts.NONE.with(List.of("a"), noonPlus(30));
    ChosenCounts late = served.with(List.of("a"), noonPlus(29));
    assertThat(late.byCustomer()).isEqualTo(Map.of("a", new Count(2, 0)));
    assertThat(late.since()).isEqualTo(served.since());
  }

  @Test
  void customersBesideTheTwentyBusiestAreCountedTogether() {
    ChosenCounts served =
        ChosenCounts.NONE
            .with(customers(10, 60), NOON)
            .with(customers(40, 60), noonPlus(1))
            .with(customers(50, 60), noonPlus(2));
    assertThat(served.byCustomer()).hasSize(ChosenCounts.MOST_NAMES);
    long named = served.byCustomer().values().stream().mapToLong(Count::sum).sum();
    assertThat(named + served.others().sum()).isEqualTo(80);
    ChosenCounts next = served.at(noonPlus(31));
    assertThat(next.others()).isEqualTo(new Count(0, served.others().present()));
    assertThat(next.at(noonPlus(60)).others().sum()).isZero();
  }

  @Test
  void aCustomerThatBecomesBusyIsNamedFromTheNextHalfHourOn() {
    List<String> busy = new ArrayList<>();
    IntStream.range(0, 9).forEach(turn -> busy.addAll(customers(10, 30)));
    List<String> late = Collections.nCopies(5, "late");
    ChosenCounts served = ChosenCounts.NONE.with(busy, NOON).with(late, noonPlus(1));
    assertThat(served.byCustomer()).doesNotContainKey("late");
    assertThat(served.others()).isEqualTo(new Count(5, 0));
    assertThat(served.with(late, noonPlus(30)).byCustomer()).containsEntry("late", new Count(5, 0));
  }

  @Test
  void theNamesHaveABoundTogether() {
    List<String> longNames = IntStream.range(10, 20).mapToObj(it -> it + "é".repeat(60)).toList();
    ChosenCounts served = ChosenCounts.NONE.with(longNames, NOON).with(List.of("short"), NOON);
    assertThat(served.byCustomer()).hasSize(4).containsKey("short");
    assertThat(served.others()).isEqualTo(new Count(7, 0));
  }

  /** Each name has 100 bytes, so the fifth one has no room. */
  @ParameterizedTest
  @CsvSource({"4, 4, 0", "5, 4, 1"})
  void theNamesUseTheBoundUp(int customers, int named, long others) {
    List<String> names =
        IntStream.range(10, 10 + customers).mapToObj(it -> it + "x".repeat(98)).toList();
    ChosenCounts served = ChosenCounts.NONE.with(names, NOON);
    assertThat(served.byCustomer()).hasSize(named);
    assertThat(served.others()).isEqualTo(new Count(others, 0));
  }

  @Test
  void theJobsOfACustomerThatLosesItsNameCountForTheOthers() {
    ChosenCounts before =
        ChosenCounts.NONE
            .with(customers(10, 30), NOON)
            .with(customers(10, 30), NOON)
            .with(List.of("late"), NOON);
    assertThat(before.others()).isEqualTo(new Count(1, 0));
    ChosenCounts served = before.with(customers(30, 50), noonPlus(30));
    assertThat(served.byCustomer().keySet()).containsExactlyElementsOf(customers(30, 50));
    assertThat(served.others()).isEqualTo(new Count(0, 41));
  }

  @Test
  void theChosenJobsOfAPoolAreCounted() {
    PoolPlay play = new PoolPlay().ready("a", 3).ready("b", 1);
    play.choose(3);
    play.choose(3);
    assertThat(play.served().byCustomer())
        .isEqualTo(Map.of("a", new Count(3, 0), "b", new Count(1, 0)));
  }
}
