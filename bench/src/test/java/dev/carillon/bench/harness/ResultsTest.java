package dev.carillon.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResultsTest {

  private final StringWriter printed = new StringWriter();

  record Line(@JsonProperty("case") String name, int count, @Nullable Double rate) {}

  private Results results(boolean json) {
    return new Results(new PrintWriter(printed), json);
  }

  @Test
  void asJsonEachResultIsAnObjectOnALineOfItsOwn() {
    Results results = results(true);
    results.add(new Line("a", 1, 2.00049));
    results.add(new Line("b", 2, null));
    assertThat(printed.toString().lines())
        .containsExactly(
            "{\"case\":\"a\",\"count\":1,\"rate\":2.0}", "{\"case\":\"b\",\"count\":2}");
  }

  @Test
  void aTableHasItsHeaderOnceForResultsOfOneForm() {
    Results results = results(false);
    results.add(new Line("a", 1, 1234.5678));
    results.add(new Line("b", 2, 0.5));
    assertThat(printed.toString().lines().map(String::strip).map(line -> line.split(" +")))
        .containsExactly(
            new String[] {"case", "count", "rate"},
            new String[] {"a", "1", "1,234.568"},
            new String[] {"b", "2", "0.500"});
  }

  @Test
  void aValueThatIsWiderThanItsColumnDoesNotTouchTheOneBeforeIt() {
    results(false).add(new Line("4c9bf309c93a1717", 1, 0.123));
    results(false).add(new Line("a", 1234567890, 1_234_567_890.125));
    assertThat(printed.toString().lines().map(String::strip).map(line -> line.split(" +")))
        .hasSize(4)
        .allSatisfy(cells -> assertThat(cells).hasSize(3));
  }

  @Test
  void resultsOfAnotherFormGetTheirOwnHeader() {
    Results results = results(false);
    results.add(new Line("a", 1, 0.5));
    results.add(new Line("b", 2, null));
    assertThat(printed.toString().lines()).hasSize(4);
  }

  @Test
  void aFigureThatWasNotMeasuredIsNotZero() {
    Results results = results(true);
    assertThatThrownBy(() -> results.add(new Line("a", 1, Double.NaN)))
        .isInstanceOf(CannotRun.class)
        .hasMessage("there is no value of rate: NaN");
    assertThat(printed.toString()).isEmpty();
  }
}
