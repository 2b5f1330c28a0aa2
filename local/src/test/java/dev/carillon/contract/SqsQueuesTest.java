package dev.carillon.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.api.Queues.Depth;
import dev.carillon.sqs.SqsDeadLetters;
import dev.carillon.sqs.SqsQueues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

class SqsQueuesTest {

  private final SqsClient sqs = Servers.sqs();

  @Test
  void depthsAreReportedByName() {
    String check = Servers.queue();
    String ingest = Servers.queue();
    sqs.sendMessage(it -> it.queueUrl(ingest).messageBody("a"));
    sqs.sendMessage(it -> it.queueUrl(ingest).messageBody("b"));

    assertThat(
            new SqsQueues(sqs, Map.of("ingest", ingest, "check", check), Servers.fanout()).depths())
        .containsExactly(new Depth("check", check, 0), new Depth("ingest", ingest, 2));
  }

  @Test
  void deadLettersComeBackToTheirQueue() {
    String name = Servers.fresh("dead");
    String dead = Servers.queue(name);
    Servers.assumeMovesMessages(Servers.arn(name));
    String queue = Servers.queue();
    sqs.setQueueAttributes(
        it ->
            it.queueUrl(queue)
                .attributes(
                    Map.of(
                        QueueAttributeName.REDRIVE_POLICY,
                        "{\"deadLetterTargetArn\": \""
                            + Servers.arn(name)
                            + "\", \"maxReceiveCount\": 1}",
                        QueueAttributeName.VISIBILITY_TIMEOUT,
                        "0")));
    SqsDeadLetters deadLetters = new SqsDeadLetters(sqs, dead, queue);
    assertThat(deadLetters.moveBack()).isFalse();

    sqs.sendMessage(it -> it.queueUrl(queue).messageBody("a"));
    sqs.receiveMessage(it -> it.queueUrl(queue));
    sqs.receiveMessage(it -> it.queueUrl(queue));
    assertThat(Servers.attribute(dead, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES))
        .isEqualTo(1);

    assertThat(deadLetters.moveBack()).isTrue();

    List<String> back = new ArrayList<>();
    sqs.receiveMessage(it -> it.queueUrl(queue).waitTimeSeconds(10))
        .messages()
        .forEach(message -> back.add(message.body()));
    assertThat(back).containsExactly("a");
  }
}
