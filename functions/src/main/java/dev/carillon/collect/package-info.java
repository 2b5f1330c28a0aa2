/**
 * Collecting events into jobs: what a trigger has counted, which fires and events it takes, and
 * when it is satisfied. Uses {@code job}, {@code schedule} and {@code check}; shared by {@code
 * ingest}, {@code checker} and {@code api}.
 */
@NullMarked
package dev.carillon.collect;

import org.jspecify.annotations.NullMarked;
