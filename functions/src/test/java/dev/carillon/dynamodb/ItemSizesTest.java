package dev.carillon.dynamodb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.constraint.Limit;
import dev.carillon.constraint.Limit.Launches;
import dev.carillon.constraint.Limit.Unfinished;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GateDemands;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * How items grow, in bytes as DynamoDB counts them, where the size determines the cost. The figures
 * of docs/design/gates.md and docs/operate/limits.md come from here.
 */
class ItemSizesTest {

  private static final Instant AT = Instant.ofEpochMilli(1_700_000_000_000L);
  private static final int KB = 1_024;
  private static final int MOST_BYTES = 400 * KB;

  /** The size that each conditional write adds. */
  private static final int TOKEN = 1 + 16;

  private static final String THIRTY_LETTERS = "export-of-all-invoices-to-lake";

  /** A transaction costs twice as many units, and so does freeing a slot. */
  @ParameterizedTest
  @CsvSource({"1, 1", "16, 1", "17, 2", "100, 6", "1000, 55", "2000, 110"})
  void aGateIsWrittenWithAllItsUnfinishedAttempts(int unfinished, int units) {
    assertThat(units(gate(unfinished))).isEqualTo(units);
  }

  @Test
  void aSlotTakes26BytesAndTheNameOfItsSchedule() {
    assertThat(bytes(gate(11)) - bytes(gate(10))).isEqualTo(26 + THIRTY_LETTERS.length());
  }

  @Test
  void aLaunchThatARateCountsTakesNineBytes() {
    assertThat(bytes(launched(11)) - bytes(launched(10))).isEqualTo(9);
  }

  private static Map<String, AttributeValue> gate(int unfinished) {
    return gate(new Counted(true, 0, Duration.ZERO), unfinished);
  }

  private static Map<String, AttributeValue> launched(int launches) {
    return gate(new Counted(false, 1_000, Duration.ofDays(1)), launches);
  }

  private static Map<String, AttributeValue> gate(Counted counted, int launches) {
    Gate gate = Gate.unused(GateKey.ofProgram("default", THIRTY_LETTERS));
    ScheduleId schedule = new ScheduleId("default", THIRTY_LETTERS);
    for (int number = 0; number < launches; number++) {
      Instant at = AT.plusSeconds(number);
      gate = gate.taken(JobId.ofFire(schedule, 1, at), counted, at);
    }
    return GateItem.of(gate.stored(), 4).attributes();
  }

  private static int units(Map<String, AttributeValue> item) {
    return (bytes(item) + TOKEN + KB - 1) / KB;
  }

  private static int bytes(Map<String, AttributeValue> item) {
    return item.entrySet().stream()
        .mapToInt(it -> it.getKey().getBytes(UTF_8).length + bytes(it.getValue()))
        .sum();
  }

  /** A number takes a byte for each two digits and one more. */
  private static int bytes(AttributeValue value) {
    return value.n() == null ? value.s().getBytes(UTF_8).length : (value.n().length() + 1) / 2 + 1;
  }

  @ParameterizedTest
  @CsvSource({
    // letters of the schedule's and its program's name; bytes; how many fit into 400 KB
    "10, 25, 16384",
    "30, 65, 6301",
    "64, 133, 3079",
  })
  void theGateDemandsOfOneLimit(int letters, int bytes, int most) {
    assertThat(bytesOfDemands(letters, List.of(new Unfinished(1, null)))).isEqualTo(bytes);
    assertThat(MOST_BYTES / bytes).isEqualTo(most);
  }

  @Test
  void anotherLimitTakesAtLeastThreeBytesAndTheNameOfItsGroup() {
    List<Limit> one = List.of(new Unfinished(1, null));
    List<Limit> two = List.of(one.get(0), new Unfinished(2, null));
    List<Limit> grouped = List.of(one.get(0), new Launches(1_000, Duration.ofDays(365), "db"));
    assertThat(bytesOfDemands(30, two) - bytesOfDemands(30, one)).isEqualTo(3);
    assertThat(bytesOfDemands(30, grouped) - bytesOfDemands(30, one))
        .isEqualTo(18 + ":db".length());
  }

  /** The size of the attribute's name and value. */
  private static int bytesOfDemands(int letters, List<Limit> limits) {
    String name = "x".repeat(letters);
    return GatedItem.change(new ScheduleId("default", name), new GateDemands(name, limits))
        .attributes()
        .entrySet()
        .stream()
        .filter(attribute -> attribute.getKey().equals("g#" + name))
        .mapToInt(attribute -> attribute.getKey().length() + bytes(attribute.getValue()))
        .sum();
  }
}
