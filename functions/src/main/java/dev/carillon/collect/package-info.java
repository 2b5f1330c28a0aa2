/**
 * Collects events and fires into jobs: counts them for the leaves of triggers, and determines when
 * a trigger is satisfied. Uses {@code job}, {@code schedule} and {@code check}; shared by {@code
 * ingest}, {@code checker} and {@code api}.
 */
@NullMarked
package dev.carillon.collect;

import org.jspecify.annotations.NullMarked;
