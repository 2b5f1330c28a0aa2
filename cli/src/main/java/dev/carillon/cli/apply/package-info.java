/**
 * Schedules and pools as code: files with documents, the plan that makes what is stored be as they
 * say, and its faults with file and line. It uses {@code output} and the client library.
 */
@NullMarked
package dev.carillon.cli.apply;

import org.jspecify.annotations.NullMarked;
