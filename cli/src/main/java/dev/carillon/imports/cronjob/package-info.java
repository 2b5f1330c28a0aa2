/** Converts CronJobs of Kubernetes. It uses what importers share and the values of schedules. */
@NullMarked
package dev.carillon.imports.cronjob;

import org.jspecify.annotations.NullMarked;
