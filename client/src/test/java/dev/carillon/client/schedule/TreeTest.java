package dev.carillon.client.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trees are those of an object mapper with the same settings. */
class TreeTest {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false)
          .build();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        " true ",
        "false",
        "\"\\u00e9 \\\" \\n\"",
        "0",
        "-2147483649",
        "123456789012345678901234567890",
        "1.50",
        "1e400",
        "-0.0",
        "[]",
        "{}",
        "[1, [2, {\"a\": []}], null, \"x\"]",
        "{\"b\": 1, \"a\": {\"c\": [true, 2.0]}, \"b\": 3}",
      })
  void aTreeIsThatOfAMapper(String text) throws JsonProcessingException {
    assertThat(Tree.read(text)).isEqualTo(MAPPER.readTree(text));
    assertThat(Tree.read(text)).hasToString(MAPPER.readTree(text).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "{", "[1, 2", "{} {}", "1 2", "[1,]", "{\"a\"}", "NaN", "x", "]"})
  void otherTextIsRefused(String text) {
    assertThatThrownBy(() -> Tree.read(text)).isInstanceOf(JsonProcessingException.class);
  }
}
