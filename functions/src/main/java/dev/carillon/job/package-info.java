/**
 * One occurrence of a schedule: its states and transitions, its time-outs, what it has collected,
 * and the ports that store jobs with their gates. Pure: uses {@code schedule}, {@code event},
 * {@code gate} and what these use.
 */
@NullMarked
package dev.carillon.job;

import org.jspecify.annotations.NullMarked;
