package dev.carillon.worker.micrometer;

import dev.carillon.worker.ClaimedJob;
import dev.carillon.worker.JobEnding;
import dev.carillon.worker.LaunchRequest;
import dev.carillon.worker.StopReason;
import dev.carillon.worker.WorkerListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/**
 * Metrics of a worker for Micrometer. The counters are {@code carillon.worker.requests} by queue,
 * {@code .unclaimed} by reason, {@code .heartbeats} by answer, {@code .stops} by reason, and {@code
 * .troubles}. The timers are {@code .wait} by program, and {@code .run} by program and ending.
 */
public final class MicrometerListener implements WorkerListener {

  private static final String PREFIX = "carillon.worker.";
  private static final String PROGRAM = "program";
  private static final String REASON = "reason";

  private final MeterRegistry registry;

  public MicrometerListener(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void received(String queue, int requests) {
    registry.counter(PREFIX + "requests", "queue", queue).increment(requests);
  }

  @Override
  public void unclaimed(LaunchRequest request, String reason) {
    registry.counter(PREFIX + "unclaimed", REASON, reason).increment();
  }

  @Override
  public void claimed(ClaimedJob job, Duration waited) {
    registry.timer(PREFIX + "wait", PROGRAM, job.program()).record(waited);
  }

  @Override
  public void heartbeat(ClaimedJob job, boolean isAnswered) {
    registry.counter(PREFIX + "heartbeats", "answered", Boolean.toString(isAnswered)).increment();
  }

  @Override
  public void stopped(ClaimedJob job, StopReason reason) {
    registry.counter(PREFIX + "stops", REASON, reason.name()).increment();
  }

  @Override
  public void ended(ClaimedJob job, JobEnding ending, Duration ran) {
    registry.timer(PREFIX + "run", PROGRAM, job.program(), "ending", ending.name()).record(ran);
  }

  @Override
  public void trouble(String doing, RuntimeException cause) {
    registry.counter(PREFIX + "troubles").increment();
  }
}
