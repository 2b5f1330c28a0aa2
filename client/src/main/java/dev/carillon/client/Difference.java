package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;

/** What a deployment does to schedules, by their names. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Difference(
    List<String> created, List<String> replaced, List<String> deleted, List<String> unchanged) {}
