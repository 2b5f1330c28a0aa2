package dev.carillon.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.event.IngestQueue;
import dev.carillon.event.RejectedMessage;
import dev.carillon.event.RejectedMessages;
import dev.carillon.event.RejectedMessages.Rejection;
import dev.carillon.sqs.SqsIngestQueue;
import dev.carillon.sqs.SqsRejectedMessages;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.Message;

class SqsEventQueuesTest extends EventQueuesContract {

  private final String ingestUrl = Servers.queue();
  private final String rejectedUrl = Servers.queue();
  private final IngestQueue ingest = new SqsIngestQueue(Servers.sqs(), ingestUrl, Servers.fanout());
  private final RejectedMessages rejected =
      new SqsRejectedMessages(Servers.sqs(), rejectedUrl, Servers.fanout());

  @Override
  IngestQueue ingest() {
    return ingest;
  }

  @Override
  List<String> arrived() {
    return Servers.take(ingestUrl);
  }

  @Override
  RejectedMessages rejected() {
    return rejected;
  }

  @Override
  List<RejectedMessage> kept() {
    return Servers.sqs()
        .receiveMessage(it -> it.queueUrl(rejectedUrl).messageAttributeNames("All"))
        .messages()
        .stream()
        .map(SqsEventQueuesTest::read)
        .toList();
  }

  private static RejectedMessage read(Message message) {
    return new RejectedMessage(
        message.body(),
        message.messageAttributes().entrySet().stream()
            .collect(Collectors.toMap(it -> it.getKey(), it -> it.getValue().stringValue())));
  }

  @Test
  void messagesThatABatchRefusesAreSentAgain() {
    IngestQueue troubled =
        new SqsIngestQueue(Servers.sqs(List.of(new Trouble(3))), ingestUrl, Servers.fanout());

    troubled.send(List.of("a", "b", "c", "d"));

    assertThat(arrived()).containsExactlyInAnyOrder("a", "b", "c", "d");
  }

  @Test
  void rejectedEventsThatABatchRefusesAreSentAgain() {
    RejectedMessages troubled =
        new SqsRejectedMessages(
            Servers.sqs(List.of(new Trouble(1))), rejectedUrl, Servers.fanout());
    List<Rejection> all =
        IntStream.range(0, 10).mapToObj(i -> new Rejection("body " + i, "reason")).toList();

    troubled.reject(all);

    assertThat(Servers.take(rejectedUrl))
        .containsExactlyInAnyOrderElementsOf(all.stream().map(Rejection::body).toList());
  }

  @Test
  void anUnacceptedMessageIsNoSuccess() {
    String absent = ingestUrl + "-absent";

    assertThatThrownBy(
            () -> new SqsIngestQueue(Servers.sqs(), absent, Servers.fanout()).send(List.of("a")))
        .isInstanceOf(RuntimeException.class);
    RejectedMessages nowhere = new SqsRejectedMessages(Servers.sqs(), absent, Servers.fanout());
    assertThatThrownBy(() -> nowhere.reject(List.of(new Rejection("a", "b"))))
        .isInstanceOf(RuntimeException.class);
  }
}
