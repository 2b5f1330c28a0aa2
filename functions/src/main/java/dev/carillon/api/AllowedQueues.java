package dev.carillon.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Fault;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.launch.TargetQueues;
import java.util.Optional;

/** The queues that documents may name in this deployment. */
final class AllowedQueues {

  private final TargetPolicy policy;
  private final TargetQueues queues;

  AllowedQueues(TargetPolicy policy, TargetQueues queues) {
    this.policy = policy;
    this.queues = queues;
  }

  /**
   * The reason why a document of the namespace must not name the queue; empty if it may. The result
   * is also empty if the value is not a text, because the reader of the document refuses such a
   * value.
   */
  Optional<Fault> fault(String namespace, JsonNode queue, String pointer) {
    if (!queue.isTextual()) {
      return Optional.empty();
    }
    try {
      return policy
          .refusal(namespace, policy.resolve(queue.textValue()))
          .map(refusal -> new Fault(pointer, refusal));
    } catch (IllegalArgumentException noQueue) {
      return Optional.of(new Fault(pointer, String.valueOf(noQueue.getMessage())));
    }
  }

  /** Creates the queue if the deployment creates queues itself. */
  void prepare(String queue) {
    queues.prepare(policy.resolve(queue));
  }
}
