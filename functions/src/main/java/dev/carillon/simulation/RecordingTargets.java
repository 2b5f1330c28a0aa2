package dev.carillon.simulation;

import dev.carillon.document.MessageLimits;
import dev.carillon.id.JobId;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.TargetQueues;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Target queues that accept and record every request that SQS would accept. */
final class RecordingTargets implements TargetQueues {

  private final InstantSource clock;
  private final Consumer<JobId> worker;
  private final Map<JobId, List<Delivery>> deliveries = new HashMap<>();

  /** A request and the instant at which it was delivered. */
  record Delivery(Instant at, LaunchRequest request) {}

  /**
   * @param worker receives each request as it is delivered
   */
  RecordingTargets(InstantSource clock, Consumer<JobId> worker) {
    this.clock = clock;
    this.worker = worker;
  }

  @Override
  public List<Outcome> send(List<LaunchRequest> requests) {
    return requests.stream().map(this::send).toList();
  }

  private Outcome send(LaunchRequest request) {
    Optional<String> fault = MessageLimits.faultOf(request.body(), request.attributes());
    if (fault.isPresent()) {
      return new Impossible(fault.get());
    }
    deliveries
        .computeIfAbsent(request.job(), any -> new ArrayList<>())
        .add(new Delivery(clock.instant(), request));
    if (!request.isCallback()) {
      worker.accept(request.job());
    }
    return new Sent();
  }

  @Override
  public OptionalLong waiting(String queueArn) {
    return OptionalLong.empty();
  }

  @Override
  public void prepare(String queueArn) {}

  /** The launch requests of a job, or its callbacks. */
  List<Delivery> of(JobId job, boolean isCallback) {
    return deliveries.getOrDefault(job, List.of()).stream()
        .filter(delivery -> delivery.request().isCallback() == isCallback)
        .toList();
  }
}
