package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LaunchRequestTest {

  private static final Map<String, String> ATTRIBUTES =
      Map.of(
          "carillon-job-id", "team~nightly~00001~x",
          "carillon-attempt", "2",
          "carillon-schedule", "team/nightly",
          "carillon-program", "team/exporter",
          "carillon-scheduled-for", "2026-01-01T03:00:00.000Z",
          "carillon-priority", "7",
          "kind", "daily");

  @Test
  void theAttributesSayWhatIsAskedFor() {
    assertThat(LaunchRequest.of("body", ATTRIBUTES))
        .isEqualTo(
            new LaunchRequest(
                "team~nightly~00001~x",
                2,
                "team",
                "nightly",
                "exporter",
                7,
                Instant.parse("2026-01-01T03:00:00Z"),
                "body",
                ATTRIBUTES));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "absent",
      value = {
        "carillon-job-id, absent, the message has no attribute carillon-job-id",
        "carillon-attempt, second, For input string",
        "carillon-program, exporter, the attribute carillon-program has no namespace",
        "carillon-scheduled-for, today, cannot be read",
        "carillon-priority, absent, the message has no attribute carillon-priority"
      })
  void anotherMessageIsNoRequest(String name, String value, String fault) {
    Map<String, String> attributes = new HashMap<>(ATTRIBUTES);
    if (value == null) {
      attributes.remove(name);
    } else {
      attributes.put(name, value);
    }
    assertThatThrownBy(() -> LaunchRequest.of("body", attributes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(fault);
  }
}
