/**
 * Converts CronJobs of Kubernetes. It uses the shared parts of importers and the values of
 * schedules.
 */
@NullMarked
package dev.carillon.imports.cronjob;

import org.jspecify.annotations.NullMarked;
