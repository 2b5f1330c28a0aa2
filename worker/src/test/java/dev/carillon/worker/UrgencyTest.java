package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UrgencyTest {

  private static final Urgency BY_MINUTES = new Urgency(Duration.ofMinutes(1));

  /** Each request is its priority, and the second in which it was sent. */
  @ParameterizedTest
  @CsvSource({
    "3@0 2@1 1@2, 1@2 2@1 3@0",
    "5@3 5@1 5@2, 5@1 5@2 5@3",
    "0@0 9@0, 0@0 9@0",
    "0@540 9@0, 0@540 9@0",
    "0@541 9@0, 9@0 0@541",
    "2@60 3@0, 2@60 3@0",
    "2@61 3@0, 3@0 2@61",
    "1@100 0@159 0@161, 0@159 1@100 0@161"
  })
  void theMostUrgentGoesFirstAndNoneStarves(String waiting, String taken) {
    assertThat(
            Arrays.stream(waiting.split(" "))
                .map(UrgencyTest::delivery)
                .sorted(BY_MINUTES)
                .map(Delivery::receiptHandle)
                .collect(Collectors.joining(" ")))
        .isEqualTo(taken);
  }

  private static Delivery delivery(String text) {
    String[] parts = text.split("@");
    LaunchRequest request =
        new LaunchRequest(
            text, 1, "team", "s", "p", Integer.parseInt(parts[0]), Instant.EPOCH, "", Map.of());
    return new Delivery(
        new MemoryQueue(), text, request, Instant.ofEpochSecond(Long.parseLong(parts[1])), 0);
  }
}
