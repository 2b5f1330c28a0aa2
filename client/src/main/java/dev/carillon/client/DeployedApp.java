package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored app.
 *
 * @param schedules the names of its schedules
 * @param deployedAt when its last deployment ended; null until the first deployment has ended
 * @param deploying the deployment in progress; null for none
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record DeployedApp(
    String namespace,
    String name,
    List<String> programs,
    List<String> schedules,
    @Nullable Instant deployedAt,
    @Nullable String deployedBy,
    @Nullable Lease deploying) {

  /**
   * @param until the instant from which another deployment may begin even if this one has not ended
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Lease(String by, Instant since, Instant until) {}
}
