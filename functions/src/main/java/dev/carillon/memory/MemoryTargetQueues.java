package dev.carillon.memory;

import dev.carillon.document.MessageLimits;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.TargetQueues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Target queues in memory, which accept every request within the limits of SQS unless {@link
 * #refuse} was called.
 */
public final class MemoryTargetQueues implements TargetQueues {

  private final List<LaunchRequest> delivered = new ArrayList<>();
  private final Set<String> deduplicated = new HashSet<>();
  private final Set<String> prepared = new HashSet<>();
  private final Map<String, String> refusing = new HashMap<>();

  @Override
  public synchronized List<Outcome> send(List<LaunchRequest> requests) {
    return requests.stream().map(this::send).toList();
  }

  private Outcome send(LaunchRequest request) {
    String refusal = refusing.get(request.queueArn());
    if (refusal != null) {
      return new Refused(refusal);
    }
    Optional<String> fault = MessageLimits.faultOf(request.body(), request.attributes());
    if (fault.isPresent()) {
      return new Impossible(fault.get());
    }
    boolean first =
        !request.queueArn().endsWith(".fifo")
            || deduplicated.add(request.queueArn() + " " + request.deduplicationId());
    if (first) {
      delivered.add(request);
    }
    return new Sent();
  }

  /** The number is unknown, because workers do not take messages from this queue. */
  @Override
  public OptionalLong waiting(String queueArn) {
    return OptionalLong.empty();
  }

  @Override
  public synchronized void prepare(String queueArn) {
    prepared.add(queueArn);
  }

  /** From now on the queue refuses every request. */
  public synchronized void refuse(String queueArn, String reason) {
    refusing.put(queueArn, reason);
  }

  /** From now on the queue does not exist. */
  public synchronized void lose(String queueArn) {
    refuse(queueArn, "the queue does not exist; create it");
  }

  /** From now on the queue accepts requests again. */
  public synchronized void accept(String queueArn) {
    refusing.remove(queueArn);
  }

  /** The requests that arrived, in order. */
  public synchronized List<LaunchRequest> delivered() {
    return List.copyOf(delivered);
  }

  /** The ARNs of the queues that {@link #prepare} was called for. */
  public synchronized Set<String> prepared() {
    return Set.copyOf(prepared);
  }
}
