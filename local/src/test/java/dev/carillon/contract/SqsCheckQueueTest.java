package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED;

import dev.carillon.check.Check;
import dev.carillon.check.CheckJson;
import dev.carillon.check.CheckQueue;
import dev.carillon.local.meter.Meter;
import dev.carillon.sqs.SqsCheckQueue;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqsCheckQueueTest extends CheckQueueContract {

  private final String url = Servers.queue();
  private final CheckQueue queue = new SqsCheckQueue(Servers.sqs(), url, Servers.fanout());

  @Override
  CheckQueue queue() {
    return queue;
  }

  @Override
  List<Check> received() {
    return Servers.take(url).stream().map(CheckJson::read).toList();
  }

  @Override
  long delayed() {
    return Servers.attribute(url, APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED);
  }

  @Test
  void whatABatchDoesNotTakeIsSentAgain() {
    List<Check> checks = IntStream.range(0, 20).mapToObj(i -> aCheck(NOW.minusMillis(i))).toList();

    troubled(4).send(checks, NOW);

    assertThat(received()).containsExactlyInAnyOrderElementsOf(checks);
  }

  @Test
  void whatIsNeverTakenIsNoSuccess() {
    CheckQueue troubled = troubled(1_000);
    List<Check> checks = IntStream.range(0, 10).mapToObj(i -> aCheck(NOW)).toList();

    assertThatThrownBy(() -> troubled.send(checks, NOW)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void tenChecksAreOneRequest() {
    Meter meter = new Meter();
    CheckQueue recorded = new SqsCheckQueue(Servers.sqs(List.of(meter)), url, Servers.fanout());

    recorded.send(IntStream.range(0, 25).mapToObj(i -> aCheck(NOW)).toList(), NOW);

    assertThat(meter.requests("SendMessageBatch")).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{}",
        "{\"due\": 1}",
        "{\"wake\": []}",
        "{\"due\": 1, \"wake\": [\"x\"]}",
        "{\"due\": 1, \"wake\": [7]}"
      })
  void whatIsNoCheckIsRefused(String body) {
    assertThatThrownBy(() -> CheckJson.read(body)).isInstanceOf(IllegalArgumentException.class);
  }

  private CheckQueue troubled(int requests) {
    return new SqsCheckQueue(Servers.sqs(List.of(new Trouble(requests))), url, Servers.fanout());
  }
}
