package dev.carillon.launch;

import java.util.List;

/** The queues of the targets. */
public interface TargetQueues {

  /** Sends all, batched by queue; one outcome for each, in order. Does not throw. */
  List<Outcome> send(List<LaunchRequest> requests);

  /** Makes the queue if this deployment makes target queues itself, as the local one does. */
  void prepare(String queueArn);

  /** How sending one request ended. */
  sealed interface Outcome {}

  /** Accepted by the queue. */
  record Sent() implements Outcome {}

  /** Not accepted now, or unknown: try again later. */
  record Refused(String reason) implements Outcome {}

  /** Can never be accepted as it is. */
  record Impossible(String reason) implements Outcome {}
}
