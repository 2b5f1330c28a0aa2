package dev.carillon.bench.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class CostLineTest {

  @Test
  void aMillionLaunchesCostWhatTheirRequestsCostByTheList() {
    CostLine line = CostLine.of("minutely", 1_000, 2_000, 1_000, 100, 10);
    assertThat(line.writeUnits()).isEqualTo(2);
    assertThat(line.readUnits()).isEqualTo(1);
    assertThat(line.sqsRequests()).isEqualTo(0.1);
    assertThat(line.invocations()).isEqualTo(0.01);
    assertThat(line.usdPerMillion())
        .isCloseTo(2 * 0.625 + 0.125 + 0.1 * 0.40 + 0.01 * 0.20, within(1e-9));
  }

  @Test
  void itsFieldsAreThoseThatReadersOfTheJsonKnow() {
    var json = new ObjectMapper().valueToTree(CostLine.of("daily", 1, 1, 1, 1, 1));
    assertThat(json.fieldNames())
        .toIterable()
        .containsExactly(
            "case",
            "launches",
            "writeUnits",
            "readUnits",
            "sqsRequests",
            "invocations",
            "usdPerMillion");
  }
}
