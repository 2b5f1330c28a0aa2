/**
 * Jobs, the occurrences of schedules: their states and transitions, their time-outs, their
 * collected events, and the ports that store jobs with their gates. Pure: uses {@code schedule},
 * {@code event}, {@code gate} and their dependencies.
 */
@NullMarked
package dev.carillon.job;

import org.jspecify.annotations.NullMarked;
