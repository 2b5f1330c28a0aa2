package dev.carillon.worker;

import dev.carillon.client.CarillonException;
import dev.carillon.client.Runs;
import java.util.function.Consumer;

/** Reports the ends of attempts. A report without an answer is repeated. */
final class Ends {

  private final Retries retries;
  private final WorkerListener listener;
  private final Consumer<DeniedException> onDenial;

  Ends(Retries retries, WorkerListener listener, Consumer<DeniedException> onDenial) {
    this.retries = retries;
    this.listener = listener;
    this.onDenial = onDenial;
  }

  /** Reports the handler's last changes, then its outcome. The claim is renewed until then. */
  JobEnding report(ClaimedJob job, Runs runs, Heartbeats heartbeats, Outcome outcome)
      throws InterruptedException {
    String what = "reporting the end of " + job.jobId();
    try {
      retries.call(
          () -> true,
          failure -> listener.trouble(what, failure),
          () -> {
            heartbeats.deliver();
            outcome.report(runs, job.jobId(), heartbeats.claimToken());
            return outcome;
          });
      return outcome.ending();
    } catch (CarillonException.Invalid refused) {
      listener.trouble(what, refused);
      return outcome instanceof Outcome.Succeeded
          ? report(job, runs, heartbeats, refusedSuccess(refused))
          : JobEnding.UNREPORTED;
    } catch (CarillonException.Denied denied) {
      deny(job, "succeed, fail", denied);
      return JobEnding.UNREPORTED;
    } catch (CarillonException.Conflict lost) {
      return JobEnding.LOST;
    } catch (RuntimeException unanswered) {
      listener.trouble(what, unanswered);
      return JobEnding.UNREPORTED;
    }
  }

  /** Stops the worker, because it lacks the permission for reports about a job. */
  void deny(ClaimedJob job, String what, CarillonException.Denied denied) {
    onDenial.accept(new DeniedException(Refusals.permission(job.namespace(), what), denied));
  }

  /**
   * The failure to report instead of a refused success: the job must end, and another attempt would
   * be refused again.
   */
  private static Outcome refusedSuccess(CarillonException.Invalid refused) {
    return new Outcome.Failed(
        ErrorText.cut("the work was done, but its report was refused: " + refused.getMessage()),
        false);
  }
}
