package dev.carillon.simulation;

import dev.carillon.check.Shared;
import dev.carillon.ingest.Ingest;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.memory.MemoryRejectedMessages;
import dev.carillon.metrics.Metrics;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The ingest function and the messages that wait in its queue. */
final class SimulatedIngest {

  private final Ingest ingest;
  private final MemoryJobs jobs;
  private final Deadline deadline;
  private final Deque<Ingest.Received> uncounted = new ArrayDeque<>();

  SimulatedIngest(Shared shared, MemoryJobs jobs, Deadline deadline, InstantSource clock) {
    Fanout fanout = new Fanout(Runnable::run);
    this.ingest = new Ingest(shared, new MemoryRejectedMessages(), clock, fanout, Metrics.NONE);
    this.jobs = jobs;
    this.deadline = deadline;
  }

  /** Adds a message to the queue. */
  void receive(String id, String body) {
    uncounted.add(new Ingest.Received(id, body));
  }

  /** Whether no message waits. */
  boolean hasCounted() {
    return uncounted.isEmpty();
  }

  /** Counts the messages that wait; false if there were none. */
  boolean count(Runnable checkLimits) {
    boolean any = !uncounted.isEmpty();
    while (!uncounted.isEmpty()) {
      count(uncounted.remove(), checkLimits);
      checkLimits.run();
    }
    return any;
  }

  /**
   * Counts an event. Ingest refuses it while more missed fires come before it than one invocation
   * can apply; then the queue delivers it again.
   */
  private void count(Ingest.Received event, Runnable checkLimits) {
    List<Object> before = List.of();
    while (!ingest.handle(List.of(event), deadline).isEmpty()) {
      // A deadline that has passed is the caller's limit, not a fault.
      checkLimits.run();
      List<Object> applied = List.of(jobs.size(), List.copyOf(jobs.collectingJobs()));
      if (applied.equals(before)) {
        throw new IllegalStateException("an event could not be counted; read the log");
      }
      before = applied;
    }
  }
}
