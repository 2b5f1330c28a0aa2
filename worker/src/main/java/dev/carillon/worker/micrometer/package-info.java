/**
 * Metrics of a worker for Micrometer. The dependency on Micrometer is optional: the program adds
 * it. This package uses the worker; the worker does not use this package.
 */
@NullMarked
package dev.carillon.worker.micrometer;

import org.jspecify.annotations.NullMarked;
