/**
 * Converts the schedules of Airflow's DAGs. It uses what importers share and the values of
 * schedules.
 */
@NullMarked
package dev.carillon.imports.airflow;

import org.jspecify.annotations.NullMarked;
