package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;

/**
 * A manually launched job.
 *
 * @param heldBy the reasons why the job waits; empty if it is sent at once
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Launched(String jobId, List<String> heldBy) {}
