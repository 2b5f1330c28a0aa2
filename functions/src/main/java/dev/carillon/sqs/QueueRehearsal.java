package dev.carillon.sqs;

import dev.carillon.check.Check;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.runtime.Fanout;
import java.util.List;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Sends a check and a launch request: what that loads, links and compiles is in a snapshot then,
 * and no copy of it has to.
 */
public final class QueueRehearsal {

  private QueueRehearsal() {}

  /**
   * @param client whose requests end nowhere
   */
  public static void run(SqsClient client, String checkQueue, LaunchRequest request) {
    Fanout fanout = new Fanout(Runnable::run);
    List<Check> checks = Check.of(request.job().at(), List.of(request.job()));
    new SqsCheckQueue(client, checkQueue, fanout).send(checks, request.job().at());
    List<?> unanswered = new SqsTargetQueues(client, false, fanout).send(List.of(request));
    if (unanswered.size() != 1) {
      throw new IllegalStateException("one request has " + unanswered.size() + " outcomes");
    }
  }
}
