package dev.carillon.worker;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the events that concern an operator. Bodies, outputs and claim tokens are not logged. */
final class LoggingListener implements WorkerListener {

  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

  @Override
  public void unhandled(String queue, String reason) {
    LOG.warn("a message or pulled job from {} is not handled: {}", queue, reason);
  }

  @Override
  public void unclaimed(LaunchRequest request, String reason) {
    LOG.debug("job {}, attempt {} not claimed: {}", request.jobId(), request.attempt(), reason);
  }

  @Override
  public void stopped(ClaimedJob job, StopReason reason) {
    LOG.info("job {}, attempt {} stopped: {}", job.jobId(), job.attempt(), reason.text());
  }

  @Override
  public void ended(ClaimedJob job, JobEnding ending, Duration ran) {
    if (ending == JobEnding.UNREPORTED) {
      LOG.warn("the end of job {}, attempt {} was not reported", job.jobId(), job.attempt());
    } else {
      LOG.debug("job {}, attempt {} ended: {}", job.jobId(), job.attempt(), ending);
    }
  }

  @Override
  public void denied(String permission) {
    LOG.error("the worker has stopped polling; it needs the permission {}", permission);
  }

  @Override
  public void trouble(String doing, RuntimeException cause) {
    LOG.warn("{} failed: {}", doing, cause.toString());
  }
}
