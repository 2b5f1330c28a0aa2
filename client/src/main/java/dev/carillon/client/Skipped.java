package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/** A fire that is left out, and the job that says so. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Skipped(@JsonProperty("skipped") Instant fire, String jobId) {}
