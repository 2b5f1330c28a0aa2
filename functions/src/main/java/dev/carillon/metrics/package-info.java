/**
 * What the functions report to CloudWatch, and the stores that count what passes through them. Uses
 * the ports of {@code job} that it wraps.
 */
@NullMarked
package dev.carillon.metrics;

import org.jspecify.annotations.NullMarked;
