package dev.carillon.launch;

import java.util.List;
import java.util.OptionalLong;

/** The port to the target queues. */
public interface TargetQueues {

  /**
   * Sends all requests, batched by queue. Returns one outcome for each, in order. It does not
   * throw.
   */
  List<Outcome> send(List<LaunchRequest> requests);

  /**
   * About how many messages wait in a queue, apart from those that a worker has received. The
   * number can be a minute old. It is empty if the queue does not exist.
   */
  OptionalLong waiting(String queueArn);

  /** Creates the queue in deployments that create target queues themselves, like the local one. */
  void prepare(String queueArn);

  /** The outcome of sending one request. */
  sealed interface Outcome {}

  /** The queue accepted the request. */
  record Sent() implements Outcome {}

  /** The queue did not accept the request, or it is unknown whether it did; send it again later. */
  record Refused(String reason) implements Outcome {}

  /** The queue can never accept the request. */
  record Impossible(String reason) implements Outcome {}
}
