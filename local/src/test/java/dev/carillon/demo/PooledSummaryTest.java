package dev.carillon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PooledSummaryTest {

  static final PooledSummary EQUAL = served("a b c a b c a b a b a a a a a");

  private static PooledSummary served(String initials) {
    List<String> customers =
        Arrays.stream(initials.split(" ", -1))
            .map(
                initial ->
                    switch (initial) {
                      case "a" -> "acme";
                      case "b" -> "bolt";
                      default -> "coda";
                    })
            .toList();
    return new PooledSummary(customers);
  }

  @Test
  void equalSharesAreRightAndShown() {
    assertThat(EQUAL.faults()).isEmpty();
    StringWriter output = new StringWriter();
    EQUAL.print(new Screen(new PrintWriter(output)));
    assertThat(output.toString())
        .contains("of first 6")
        .containsPattern("acme +9 +2 +1 4 7 9 11 12 13 14 15")
        .containsPattern("bolt +4 +2 +2 5 8 10")
        .containsPattern("coda +2 +2 +3 6");
  }

  @Test
  void aCustomerThatIsServedTwiceBeforeAnotherIsWrong() {
    assertThat(served("a b a c b c a b a b a a a a a").faults())
        .containsExactly("the shares in the pool were not equal after turn 3");
  }

  @Test
  void aMissingJobIsWrong() {
    assertThat(served("a b c a b c a b a b a a a a").faults())
        .containsExactly("8 jobs of acme were served, not 9");
  }
}
