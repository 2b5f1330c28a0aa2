package dev.carillon.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FieldsTest {

  @Test
  void calendarUnitsAreNamedOnlyInATextThatCanBeADuration() {
    assertThat(faultOfDuration("-p1yT1H")).contains("weeks, months and years are not supported");
    assertThat(faultOfDuration("P" + "1".repeat(62) + "Y")).contains("weeks, months and years");
    assertThat(faultOfDuration("P" + "1".repeat(63) + "Y"))
        .endsWith(
            "give an ISO-8601 duration of whole milliseconds from PT1S to P1D, like \"PT5M\" or \"P1D\"");
    assertThat(faultOfDuration("PT1MX")).contains("give an ISO-8601 duration");
    assertThat(faultOfDuration("P" + "Y".repeat(60_000) + "\n"))
        .contains("give an ISO-8601 duration");
  }

  private static String faultOfDuration(String given) {
    Faults faults = new Faults();
    Fields fields = Fields.of(Json.object().put("a", given), "", faults);
    fields.duration("a", Duration.ofSeconds(1), Duration.ofDays(1));
    List<Fault> found = faults.found();
    assertThat(found).extracting(Fault::pointer).containsExactly("/a");
    return found.get(0).detail();
  }
}
