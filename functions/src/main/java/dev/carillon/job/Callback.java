package dev.carillon.job;

import dev.carillon.schedule.Schedule;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a job's callback, the message that is sent to the {@code onEnd} of its schedule
 * when the job ends. The static methods return the job's next version, as the methods of {@link
 * Job} do.
 *
 * @param refusals how many times the callback was refused
 * @param sentAt when the callback's queue accepted it; null if it has not accepted it
 * @param trouble why the last send failed; null if no send has failed
 */
public record Callback(int refusals, @Nullable Instant sentAt, @Nullable String trouble) {

  /** The callback before the job ends. */
  public static final Callback UNSENT = new Callback(0, null, null);

  /**
   * The job with the callback that its schedule wants. The caller uses this method before it stores
   * the job for the first time.
   */
  public static Job wantedBy(Schedule schedule, Job job) {
    if (schedule.onEnd() == null) {
      return job;
    }
    Instant ended = job.endedAt();
    Job calling = job.with(job.version(), job.delivery().with(UNSENT), job.waitsFor());
    return ended == null
        ? calling
        : calling.with(job.version(), calling.delivery(), Wait.Conclusion.of(calling, ended));
  }

  /** The callback was accepted. */
  public static Job sent(Job job, Instant now) {
    return stored(job, new Callback(of(job).refusals, now, null), null);
  }

  /** The callback was refused. It is sent again after a delay that doubles each time. */
  public static Job refused(Job job, Instant now, String reason) {
    Instant again = now.plus(Delivery.backoff(of(job).refusals));
    Callback refused = new Callback(of(job).refusals + 1, null, reason);
    return stored(job, refused, Wait.Conclusion.callingAgain(again, now));
  }

  /** No queue can ever accept the callback. */
  public static Job impossible(Job job, String reason) {
    return stored(job, new Callback(of(job).refusals, null, reason), null);
  }

  private static Job stored(Job job, Callback after, @Nullable Wait wait) {
    return job.with(job.version() + 1, job.delivery().with(after), wait);
  }

  private static Callback of(Job job) {
    return Objects.requireNonNull(job.callback(), "the job has no callback");
  }
}
