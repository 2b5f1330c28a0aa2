package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/** A skipped fire, and the job that records the skip. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Skipped(@JsonProperty("skipped") Instant fire, String jobId) {}
