package dev.carillon.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A worker's report about the attempt that it has claimed. */
public sealed interface Report {

  /** The token of the claim. */
  String token();

  /**
   * The worker still works.
   *
   * @param progress the progress; null if it has not changed
   * @param operations the operations whose states have changed; empty for none
   */
  record Heartbeat(
      String token, @Nullable JsonNode progress, Map<String, OperationState> operations)
      implements Report {}

  /**
   * The worker has carried the job out.
   *
   * @param output the output; null for none
   */
  record Success(String token, @Nullable JsonNode output) implements Report {}

  /**
   * The attempt has failed.
   *
   * @param error the error, for people; null for none
   * @param isRetriable whether another attempt can succeed
   */
  record Failure(String token, @Nullable String error, boolean isRetriable) implements Report {}
}
