package dev.carillon.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BoundsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1E2147483647",
        "-9.99E2147483647",
        "12E2147483646",
        "0.1E2147483647",
        "0E2147483647",
        "1E-2147483647",
        "-12E-2147483647",
        "0.001E-2147483644",
        "0.0E-2147483646"
      })
  void anAcceptedNumberIsWrittenAndReadBack(String number) throws JsonProcessingException {
    JsonNode given = Json.read("[" + number + "]");
    Faults faults = new Faults();
    Bounds.checkContent(given, "", faults);
    assertThat(faults.found()).isEmpty();

    String written = Json.write(given);
    assertThat(Json.read(written)).isEqualTo(given);
    assertThat(Json.write(Json.read(written))).isEqualTo(written);
  }

  @Test
  void aNumberOf900DigitsIsReadBackWithAnyAcceptedExponent() throws JsonProcessingException {
    String digits = "7".repeat(899);
    anAcceptedNumberIsWrittenAndReadBack("7." + digits + "E2147483647");
    anAcceptedNumberIsWrittenAndReadBack("-7" + digits + "E2147482748");
    anAcceptedNumberIsWrittenAndReadBack("7." + digits + "E-2147482748");
    anAcceptedNumberIsWrittenAndReadBack("-7" + digits + "E-2147483647");
  }

  @ParameterizedTest
  @CsvSource({
    "12E2147483647, 2147483648",
    "10E2147483647, 2147483648",
    "-123.4E2147483647, 2147483649"
  })
  void aNumberWithALargerExponentIsRefused(String number, long exponent)
      throws JsonProcessingException {
    Faults faults = new Faults();
    Bounds.checkContent(Json.read("{\"a\": [" + number + "]}"), "/x", faults);
    assertThat(faults.found())
        .containsExactly(
            new Fault(
                "/x/a/0",
                "the number has the exponent "
                    + exponent
                    + "; give at most 2147483647, or a text"));
  }
}
