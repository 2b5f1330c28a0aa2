package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * The jobs that a change cancels, as far as the API counted them.
 *
 * @param waiting the number of jobs with a satisfied trigger that waited for constraints
 * @param collecting the number of collecting jobs
 * @param mayBeMore whether the change may cancel more jobs
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Cancelled(int waiting, int collecting, boolean mayBeMore) {}
