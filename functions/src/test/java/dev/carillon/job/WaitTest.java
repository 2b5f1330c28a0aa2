package dev.carillon.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.id.GateKey;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The text of each kind of wait contains all its particulars. */
class WaitTest {

  private static final Instant NOON = Instant.parse("2026-03-02T12:00:00.001Z");
  private static final Instant LATER = NOON.plusSeconds(20);

  static Stream<Wait> kinds() {
    return Stream.of(
        new Wait.Check(null),
        new Wait.Check(LATER),
        new Wait.Opening(NOON, LATER),
        new Wait.Retry(NOON, LATER),
        new Wait.AtGate(GateKey.ofGroup("default", "db"), LATER),
        new Wait.Suspended(),
        new Wait.Lease(NOON, null),
        new Wait.Lease(NOON, LATER),
        new Wait.Report(LATER, LATER),
        new Wait.Report(LATER, null),
        new Wait.InPool(null, null),
        new Wait.InPool(NOON, LATER),
        new Wait.Conclusion(null, null),
        new Wait.Conclusion(null, LATER),
        new Wait.Conclusion(NOON, LATER));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aWaitIsReadAsWritten(Wait wait) {
    assertThat(Wait.parse(wait.text(), wait.attentionAt())).isEqualTo(wait);
  }

  @Test
  void eachKindHasADistinctText() {
    assertThat(kinds().map(wait -> wait.text().charAt(0)).distinct()).hasSize(9);
  }

  @Test
  void anUnknownTextIsRefused() {
    assertThatThrownBy(() -> Wait.parse("z1", NOON))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("z1");
  }
}
