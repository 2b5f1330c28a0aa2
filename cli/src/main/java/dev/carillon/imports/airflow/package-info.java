/** Converts the schedules of Airflow's DAGs. */
@NullMarked
package dev.carillon.imports.airflow;

import org.jspecify.annotations.NullMarked;
