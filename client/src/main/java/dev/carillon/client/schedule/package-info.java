/**
 * Schedule documents as values: triggers, constraints and policies, JSON both ways, and {@link
 * dev.carillon.client.schedule.Schedules#builder the builder}.
 *
 * <pre>
 * {@code Schedule nightly = Schedules.builder("nightly") .setDescription("Exports what was sold yesterday") .setTimeRange(1, 3) .setMaxConcurrentRuns(1) .setTarget(Target.of("exports", Map.of("date", "${yesterdaysDate}"))) .build(Trigger.cron("0 0 0 * * ?")); }
 * </pre>
 *
 * <p>This package sends no requests and checks little: the API reports all errors of a document at
 * once. It uses only Jackson.
 */
@NullMarked
package dev.carillon.client.schedule;

import org.jspecify.annotations.NullMarked;
