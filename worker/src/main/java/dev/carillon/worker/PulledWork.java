package dev.carillon.worker;

import dev.carillon.worker.Claiming.Claimed;

/**
 * A job that a pool gave to this worker.
 *
 * @param receivedAt when the answer was received, in nanoseconds of the worker's monotonic clock
 */
record PulledWork(Source source, LaunchRequest request, Claimed claimed, long receivedAt)
    implements Work {}
