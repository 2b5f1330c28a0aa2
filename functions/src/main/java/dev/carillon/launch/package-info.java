/**
 * The launch request: the values of variables for one attempt of a job, the rendered message, and
 * the queues that it may go to. Pure: uses {@code job}, {@code schedule} and {@code template}; the
 * port to the target queues is implemented in {@code sqs}.
 */
@NullMarked
package dev.carillon.launch;

import org.jspecify.annotations.NullMarked;
