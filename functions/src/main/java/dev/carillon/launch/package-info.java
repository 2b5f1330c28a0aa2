/**
 * The launch request: computes the values of variables for one attempt of a job, renders the
 * message, and decides which queues are allowed. Pure: uses {@code job}, {@code schedule} and
 * {@code template}; {@code sqs} implements the port to the target queues.
 */
@NullMarked
package dev.carillon.launch;

import org.jspecify.annotations.NullMarked;
