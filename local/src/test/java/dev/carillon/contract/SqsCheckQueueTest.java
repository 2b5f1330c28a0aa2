package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static dev.carillon.contract.Samples.REPORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName.MESSAGE_GROUP_ID;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED;

import dev.carillon.check.Check;
import dev.carillon.check.CheckJson;
import dev.carillon.check.CheckQueue;
import dev.carillon.id.JobId;
import dev.carillon.local.meter.Meter;
import dev.carillon.sqs.SqsCheckQueue;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqsCheckQueueTest extends CheckQueueContract {

  private final String url = Servers.queue();
  private final String overdueUrl = Servers.queue();
  private final CheckQueue queue =
      new SqsCheckQueue(Servers.sqs(), url, overdueUrl, Servers.fanout());

  @Override
  CheckQueue queue() {
    return queue;
  }

  @Override
  List<Check> received() {
    return Servers.take(url).stream().map(body -> CheckJson.read(body).known()).toList();
  }

  @Override
  List<Check> receivedOverdue() {
    return Servers.take(overdueUrl).stream().map(body -> CheckJson.read(body).known()).toList();
  }

  @Override
  long delayed() {
    return Servers.attribute(url, APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED);
  }

  @Test
  void messagesThatABatchRefusesAreSentAgain() {
    List<Check> checks = IntStream.range(0, 20).mapToObj(i -> aCheck(NOW.minusMillis(i))).toList();

    troubled(4).send(checks, NOW);

    assertThat(received()).containsExactlyInAnyOrderElementsOf(checks);
  }

  @Test
  void messagesThatAreAlwaysRefusedAreNoSuccess() {
    CheckQueue troubled = troubled(1_000);
    List<Check> checks = IntStream.range(0, 10).mapToObj(i -> aCheck(NOW)).toList();

    assertThatThrownBy(() -> troubled.send(checks, NOW)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void tenChecksAreOneRequest() {
    Meter meter = new Meter();
    CheckQueue recorded =
        new SqsCheckQueue(Servers.sqs(List.of(meter)), url, overdueUrl, Servers.fanout());

    recorded.send(IntStream.range(0, 25).mapToObj(i -> aCheck(NOW)).toList(), NOW);

    assertThat(meter.requests("SendMessageBatch")).isEqualTo(3);
  }

  /** SQS shares the overdue queue among the groups of its messages. */
  @Test
  void overdueMessagesNameTheirGroup() {
    Instant old = NOW.minusSeconds(3_600);

    queue.send(Check.of(old, List.of(JobId.ofFire(REPORT, 3, old))), NOW);

    assertThat(
            Servers.sqs()
                .receiveMessage(
                    receive ->
                        receive.queueUrl(overdueUrl).messageSystemAttributeNames(MESSAGE_GROUP_ID))
                .messages())
        .extracting(message -> message.attributes().get(MESSAGE_GROUP_ID))
        .containsExactly(REPORT.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{}", "{\"due\": 1}", "{\"wake\": []}"})
  void aMessageThatIsNoCheckIsRefused(String body) {
    assertThatThrownBy(() -> CheckJson.read(body)).isInstanceOf(IllegalArgumentException.class);
  }

  private CheckQueue troubled(int requests) {
    return new SqsCheckQueue(
        Servers.sqs(List.of(new Trouble(requests))), url, overdueUrl, Servers.fanout());
  }
}
