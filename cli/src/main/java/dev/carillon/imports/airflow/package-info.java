/**
 * Converts the schedules of Airflow's DAGs. It uses the shared parts of importers and the values of
 * schedules.
 */
@NullMarked
package dev.carillon.imports.airflow;

import org.jspecify.annotations.NullMarked;
