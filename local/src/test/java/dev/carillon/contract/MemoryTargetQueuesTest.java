package dev.carillon.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.TargetQueues;
import dev.carillon.launch.TargetQueues.Refused;
import dev.carillon.launch.TargetQueues.Sent;
import dev.carillon.memory.MemoryTargetQueues;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryTargetQueuesTest extends TargetQueuesContract {

  private final MemoryTargetQueues targets = new MemoryTargetQueues();

  @Override
  TargetQueues targets() {
    return targets;
  }

  @Override
  String queue() {
    return Servers.arn(Servers.fresh("queue"));
  }

  @Override
  String fifoQueue() {
    return queue() + ".fifo";
  }

  @Override
  String missing() {
    String arn = queue();
    targets.lose(arn);
    return arn;
  }

  @Override
  List<String> arrived(String queueArn) {
    return targets.delivered().stream()
        .filter(request -> request.queueArn().equals(queueArn))
        .map(LaunchRequest::body)
        .toList();
  }

  @Test
  void aQueueThatRefusedTakesRequestsAgain() {
    String queue = queue();
    targets.refuse(queue, "full");
    assertThat(targets.send(List.of(request(queue, "a", 1)))).containsExactly(new Refused("full"));

    targets.accept(queue);
    assertThat(targets.send(List.of(request(queue, "a", 1)))).containsExactly(new Sent());
  }

  @Test
  void preparedQueuesAreKnown() {
    targets.prepare("arn:aws:sqs:us-east-1:000000000000:q");

    assertThat(targets.prepared()).containsExactly("arn:aws:sqs:us-east-1:000000000000:q");
  }
}
