package dev.carillon.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.Runs;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The outcome of a handler, as it is reported. */
sealed interface Outcome {

  void report(Runs runs, String jobId, String claimToken);

  JobEnding ending();

  record Succeeded(@Nullable JsonNode output) implements Outcome {

    @Override
    public void report(Runs runs, String jobId, String claimToken) {
      runs.succeed(jobId, claimToken, output);
    }

    @Override
    public JobEnding ending() {
      return JobEnding.SUCCEEDED;
    }
  }

  record Failed(String error, boolean isRetriable) implements Outcome {

    @Override
    public void report(Runs runs, String jobId, String claimToken) {
      runs.fail(jobId, claimToken, error, isRetriable);
    }

    @Override
    public JobEnding ending() {
      return isRetriable ? JobEnding.RETRIABLE : JobEnding.FAILED;
    }
  }

  /**
   * The outcome of a handler.
   *
   * @param stopped why the handler was stopped, if it was
   * @param failure the exception that the handler threw; null if it returned
   */
  static Outcome of(
      Optional<StopReason> stopped, @Nullable Throwable failure, @Nullable JsonNode output) {
    if (stopped.isPresent()) {
      StopReason reason = stopped.get();
      String error = "stopped because " + reason.text();
      return new Failed(
          failure == null ? error : ErrorText.cut(error + "\n" + ErrorText.of(failure)),
          reason != StopReason.CANCELLED);
    }
    return failure == null
        ? new Succeeded(output)
        : new Failed(ErrorText.of(failure), !(failure instanceof FatalJobException));
  }
}
