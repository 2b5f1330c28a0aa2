package dev.carillon.client;

/**
 * A request for jobs of a pool.
 *
 * @param worker the name of the claimant
 * @param count how many jobs at most: 1 to 25
 * @param waitSeconds how long the server waits for a job if none is READY: 0 to 20
 * @param requestId 1 to 64 letters, digits, {@code -} and {@code _}. A request that repeats the id
 *     within ten minutes gets the same jobs, so a request without an answer can be repeated
 */
public record Pull(String worker, int count, int waitSeconds, String requestId) {}
