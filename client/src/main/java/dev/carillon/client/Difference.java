package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;

/** The effect of a deployment on schedules, by their names. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Difference(
    List<String> created, List<String> replaced, List<String> deleted, List<String> unchanged) {}
