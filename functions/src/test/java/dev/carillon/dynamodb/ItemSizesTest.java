package dev.carillon.dynamodb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.gate.Gate;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.gate.LimitedPrograms;
import dev.carillon.gate.Slot;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * How items grow, in bytes as DynamoDB counts them, where the size determines the cost. The figures
 * of docs/design/gates.md and docs/operate/limits.md come from here.
 */
class ItemSizesTest {

  private static final Instant AT = Instant.ofEpochMilli(1_700_000_000_000L);
  private static final int KB = 1_024;

  /** The size that each conditional write adds. */
  private static final int TOKEN = 1 + 16;

  private static final Counted SLOTS = new Counted(true, 0, Duration.ZERO);
  private static final String THIRTY_LETTERS = "export-of-all-invoices-to-lake";

  /** A transaction costs twice as many units. */
  @ParameterizedTest
  @CsvSource({"1, 1", "16, 1", "17, 1", "100, 1", "1000, 1", "2000, 1"})
  void aGateIsWrittenWithItsFirstUnfinishedAttempts(int unfinished, int units) {
    assertThat(units(gate(unfinished))).isEqualTo(units);
  }

  /** Two places that became free are not taken again while slots have items. */
  @Test
  void aGateWithManySlotsStaysBelowOneKilobyteWhileJobsWait() {
    Gate gate = counting(SLOTS, 1_000).stored();
    for (Slot slot : gate.slots().inline().subList(0, 5)) {
      gate = gate.freed(slot.job());
    }
    for (int number = 0; number < 20; number++) {
      gate = gate.taken(run(AT.minusSeconds(number + 1)), SLOTS, AT);
    }
    Gate waiting = gate.demanding(Map.of("c1000", 9L)).joined(AT, AT);
    assertThat(waiting.slots().size()).isEqualTo(1_015);
    assertThat(units(GateItem.of(waiting.stored(), 4).attributes())).isEqualTo(1);
  }

  private static JobId run(Instant at) {
    return JobId.ofFire(new ScheduleId("default", THIRTY_LETTERS), 1, at);
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
    return gate(SLOTS, unfinished);
  }

  private static Map<String, AttributeValue> launched(int launches) {
    return gate(new Counted(false, 1_000, Duration.ofDays(1)), launches);
  }

  private static Map<String, AttributeValue> gate(Counted counted, int launches) {
    return GateItem.of(counting(counted, launches).stored(), 4).attributes();
  }

  private static Gate counting(Counted counted, int launches) {
    Gate gate = Gate.unused(GateKey.ofProgram("default", THIRTY_LETTERS));
    for (int number = 0; number < launches; number++) {
      Instant at = AT.plusSeconds(number);
      gate = gate.taken(run(at), counted, at);
    }
    return gate;
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
    // what schedules set at a gate; the bytes of the gate, however many schedules set it
    "c1, 6",
    "r1000/31536000000, 21",
    "c1;r5/60000:exports, 23",
  })
  void whatSchedulesDemandOfAGate(String limits, int bytes) {
    Gate gate = Gate.unused(GateKey.ofProgram("default", THIRTY_LETTERS));
    Gate demanding = gate.demanding(Map.of(limits, 9_999L));
    assertThat(bytes(GateItem.of(demanding, 4).attributes()))
        .isEqualTo(bytes(GateItem.of(gate, 4).attributes()) + bytes);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1_000_000})
  void theProgramsWithLimitsOfANamespaceTakeTwoKilobytes(long schedulesInEachBucket) {
    Map<Integer, Long> counts = new HashMap<>();
    for (int bucket = 0; bucket < LimitedPrograms.BUCKETS; bucket++) {
      counts.put(bucket, schedulesInEachBucket);
    }
    Map<String, AttributeValue> item = LimitedItem.additions("default", counts).attributes();
    assertThat((bytes(item) + KB - 1) / KB).isEqualTo(2);
  }
}
