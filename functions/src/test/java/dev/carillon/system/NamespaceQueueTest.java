package dev.carillon.system;

import static dev.carillon.system.Documents.active;
import static dev.carillon.system.Documents.partition;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events of a queue that accepts the events of one namespace only. */
class NamespaceQueueTest {

  private static final String CLAIM =
      """
      {"namespace": "%s", "eventType": "PARTITION",
       "payload": {"datasetId": "d1", "numPartitions": 1}}
      """;

  private final World world = new World("2026-03-10T12:00:00Z");

  @BeforeEach
  void aScheduleOfTheNamespaceDefaultWaits() {
    world.put("waiting", active(partition("d1", 1)));
  }

  @Test
  void belongToItWhateverNamespaceTheyName() {
    world.eventOf("default", CLAIM.formatted("hr"));
    world.runFor(Duration.ofSeconds(2));
    assertThat(world.arrivals).hasSize(1);
  }

  @Test
  void countForNoOtherNamespace() {
    world.eventOf("hr", CLAIM.formatted("default"));
    world.runFor(Duration.ofSeconds(2));
    assertThat(world.arrivals).isEmpty();
    assertThat(world.rejected.all()).isEmpty();
  }

  @Test
  void cannotNameTheSchedulesThatMustCountThem() {
    world.eventOf(
        "hr",
        "{\"carillonResend\":{\"schedules\":[\"default/waiting\"],\"event\":{\"id\":\"e\","
            + "\"namespace\":\"default\",\"timestamp\":1,\"eventType\":\"PARTITION\","
            + "\"payload\":{\"datasetId\":\"d1\",\"numPartitions\":1}}}}");
    world.runFor(Duration.ofSeconds(2));
    assertThat(world.arrivals).isEmpty();
    assertThat(world.rejected.all()).hasSize(1);
  }
}
