package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * The jobs that a change cancels, as far as they were found while it was made.
 *
 * @param waiting those whose trigger was satisfied, and that waited for constraints
 * @param collecting those whose trigger was not satisfied yet, with what they had counted
 * @param mayBeMore whether others may be cancelled as well
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Cancelled(int waiting, int collecting, boolean mayBeMore) {}
