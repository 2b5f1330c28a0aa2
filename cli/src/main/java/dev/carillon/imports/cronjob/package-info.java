/** Converts CronJobs of Kubernetes. */
@NullMarked
package dev.carillon.imports.cronjob;

import org.jspecify.annotations.NullMarked;
