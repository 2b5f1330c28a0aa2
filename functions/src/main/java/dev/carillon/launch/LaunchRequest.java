package dev.carillon.launch;

import dev.carillon.id.JobId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rendered message for one attempt of a job.
 *
 * @param queueArn the target queue
 * @param groupId the message group; null for none
 */
public record LaunchRequest(
    JobId job,
    int attempt,
    String queueArn,
    String body,
    Map<String, String> attributes,
    @Nullable String groupId) {

  /**
   * The deduplication id, with which a FIFO queue accepts each attempt of a job only once. At most
   * 128 characters.
   */
  public String deduplicationId() {
    return SqsIdentifier.fit(job + "." + attempt);
  }
}
