package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An app as it is stored.
 *
 * @param schedules the names of those that there are
 * @param deployedAt when its last deployment ended; null before the first has
 * @param deploying the deployment that is under way; null if none is
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
   * @param until when another may begin if this one has died
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Lease(String by, Instant since, Instant until) {}
}
