package dev.carillon.launch;

import dev.carillon.document.SqsIdentifier;
import dev.carillon.id.JobId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rendered message for one attempt of a job: its launch request, or its callback.
 *
 * @param isCallback true for a callback, which says how the attempt ended
 * @param queueArn the target queue; {@link #NO_QUEUE} if a worker pulls the request
 * @param groupId the message group; null for none
 */
public record LaunchRequest(
    JobId job,
    int attempt,
    boolean isCallback,
    String queueArn,
    String body,
    Map<String, String> attributes,
    @Nullable String groupId) {

  /** Stands for the target queue if a worker pulls the request. */
  public static final String NO_QUEUE = "";

  /** A launch request. */
  public LaunchRequest(
      JobId job,
      int attempt,
      String queueArn,
      String body,
      Map<String, String> attributes,
      @Nullable String groupId) {
    this(job, attempt, false, queueArn, body, attributes, groupId);
  }

  /**
   * The deduplication id, by which a FIFO queue accepts each attempt of a job only once, and its
   * callback only once. It has at most 128 characters.
   */
  public String deduplicationId() {
    return SqsIdentifier.fit(job + "." + attempt + (isCallback ? ".end" : ""));
  }
}
