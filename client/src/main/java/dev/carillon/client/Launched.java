package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;

/**
 * A job that was launched by hand.
 *
 * @param heldBy the constraints that it waits for; none if it is sent at once
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Launched(String jobId, List<String> heldBy) {}
