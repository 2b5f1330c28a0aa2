/**
 * Metrics for Micrometer, for programs that bring it: the dependency is optional. It uses the
 * worker, which does not use it.
 */
@NullMarked
package dev.carillon.worker.micrometer;

import org.jspecify.annotations.NullMarked;
