package dev.carillon.run;

import java.time.Instant;

/**
 * The place of a job in a pool. It stays with the job after its request was moved or pulled.
 *
 * @param pool the name of the pool, in the namespace of the job
 * @param since when the current attempt became READY
 * @param isCounted whether the attempt counts for a limit of its customer; the end of the attempt
 *     then frees the limit
 */
public record Place(String pool, Instant since, boolean isCounted) {}
