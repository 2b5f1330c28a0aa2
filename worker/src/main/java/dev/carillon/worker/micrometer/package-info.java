/** Metrics for Micrometer, for programs that bring it: the dependency is optional. */
@NullMarked
package dev.carillon.worker.micrometer;

import org.jspecify.annotations.NullMarked;
