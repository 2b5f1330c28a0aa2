package dev.carillon.launch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CustomerAndPriorityTest {

  @Test
  void customerAndPriorityCanComeFromEvents() {
    Launch launch = new Launch().withEvent("e1", "{\"owner\":\"acme\",\"urgency\":2}");
    launch.scheduleCustomer = "${events[0].payload.owner}-eu";
    launch.schedulePriority = TextNode.valueOf("${events[0].payload.urgency}");

    assertThat(resolved(launch)).isEqualTo(new CustomerAndPriority("acme-eu", 2, List.of()));
    assertThat(resolved(launch).appliedTo(launch.job()))
        .satisfies(
            job -> {
              assertThat(job.customer()).isEqualTo("acme-eu");
              assertThat(job.priority()).isEqualTo(2);
            });
  }

  @Test
  void aScheduleWithoutACustomerHasNone() {
    assertThat(resolved(new Launch())).isEqualTo(new CustomerAndPriority(null, 5, List.of()));
  }

  @Test
  void aCustomerThatRendersToNothingIsNoCustomer() {
    Launch launch = new Launch();
    launch.scheduleCustomer = "${events[0].payload.owner}";

    assertThat(resolved(launch).customer()).isNull();
    assertThat(resolved(launch).notes()).containsExactly("${events[0].payload.owner} has no value");
  }

  @Test
  void aVeryLongCustomerIsShortenedAndStaysDistinct() {
    Launch launch = new Launch();
    launch.scheduleCustomer = "ü".repeat(129);
    Launch similar = new Launch();
    similar.scheduleCustomer = "ü".repeat(130);

    assertThat(resolved(launch).customer()).hasSize(128).startsWith("üüü");
    assertThat(resolved(launch).customer()).isNotEqualTo(resolved(similar).customer());
  }

  @ParameterizedTest
  @CsvSource({"0,0", "9,9", "'\"7\"',7", "3.0,3", "'\" 4 \"',4"})
  void wholeNumbersFromZeroToNineArePriorities(String value, int priority) {
    assertThat(resolved(withUrgency(value)).priority()).isEqualTo(priority);
    assertThat(resolved(withUrgency(value)).notes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"10", "-1", "2.5", "\"high\"", "null", "{}", "\"\"", "1e999999999"})
  void anInvalidPriorityBecomesFiveAndIsNoted(String value) {
    assertThat(resolved(withUrgency(value)).priority()).isEqualTo(5);
    assertThat(resolved(withUrgency(value)).notes())
        .containsExactly("the priority is not a whole number from 0 to 9; 5 is used instead");
  }

  @Test
  void valuesOfALaunchNowOverrideTheScheduleAndAreNotTemplates() {
    Launch launch = new Launch().launchedWith("{\"customer\":\"${jobId}\",\"priority\":0}");
    launch.scheduleCustomer = "acme";

    assertThat(resolved(launch)).isEqualTo(new CustomerAndPriority("${jobId}", 0, List.of()));
  }

  @Test
  void aTemplateThatCannotBeRenderedDoesNotBlockTheLaunch() {
    Launch launch = new Launch();
    launch.scheduleCustomer = "${nonsense}";

    assertThat(resolved(launch).customer()).isNull();
    assertThat(resolved(launch).notes()).singleElement().asString().contains("${nonsense}");
  }

  private static Launch withUrgency(String value) {
    Launch launch = new Launch().withEvent("e1", "{\"urgency\":" + value + "}");
    launch.schedulePriority = TextNode.valueOf("${events[0].payload.urgency}");
    return launch;
  }

  private static CustomerAndPriority resolved(Launch launch) {
    return CustomerAndPriority.of(launch.schedule(), launch.job(), launch);
  }
}
