package dev.carillon.bench.cost;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

class VirtualSqsTest {

  private static final String URL = VirtualSqs.url("queue");

  private Instant now = Instant.parse("2026-03-01T10:00:00Z");
  private final VirtualSqs sqs = new VirtualSqs(() -> now);

  private void send(int messages, int delaySeconds) {
    sqs.sendMessageBatch(
        it ->
            it.queueUrl(URL)
                .entries(
                    IntStream.range(0, messages)
                        .mapToObj(
                            number ->
                                SendMessageBatchRequestEntry.builder()
                                    .id("m" + number)
                                    .messageBody("body " + number)
                                    .delaySeconds(delaySeconds)
                                    .build())
                        .toList()));
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 1", "65536, 1", "65537, 2", "262144, 4"})
  void aRequestIsBilledForEach64KilobytesThatItBegins(int bytes, int requests) {
    assertThat(VirtualSqs.billed(bytes)).isEqualTo(requests);
  }

  @Test
  void aMessageIsHandedOverOnceItsDelayIsOver() {
    send(1, 60);
    now = now.plusSeconds(59);
    assertThat(sqs.take(URL, 10)).isEmpty();
    now = now.plusSeconds(1);
    assertThat(sqs.take(URL, 10)).hasSize(1);
    assertThat(sqs.take(URL, 10)).isEmpty();
  }

  @Test
  void eachTenMessagesTakeOneRequestToSendOneToReceiveAndOneToDelete() {
    send(10, 0);
    send(10, 0);
    sqs.take(URL, 100);
    assertThat(sqs.requests()).isEqualTo(2 + 2 + 2);
    assertThat(sqs.sentTo(URL)).isEqualTo(20);
  }

  @Test
  void aWorkerReceivesWithoutCountedRequestsAndTheRestIsCountedAsWaiting() {
    send(3, 0);
    send(1, 60);
    assertThat(sqs.receive(URL, 2))
        .extracting(VirtualSqs.Stored::body)
        .containsExactly("body 0", "body 1");
    assertThat(sqs.requests()).isEqualTo(2);
    assertThat(sqs.getQueueAttributes(it -> it.queueUrl(URL)).attributes())
        .containsEntry(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES, "1");
  }
}
