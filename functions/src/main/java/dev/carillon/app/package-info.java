/**
 * Apps: deployments of several programs and schedules at once, and the port that stores them. Pure:
 * uses {@code id}.
 */
@NullMarked
package dev.carillon.app;

import org.jspecify.annotations.NullMarked;
