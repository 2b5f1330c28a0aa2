/**
 * The metrics that the functions report to CloudWatch, and decorators of stores that count. Uses
 * the ports of {@code job} and {@code pool} that it wraps, and the model.
 */
@NullMarked
package dev.carillon.metrics;

import org.jspecify.annotations.NullMarked;
