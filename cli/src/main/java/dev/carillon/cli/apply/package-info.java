/**
 * Schedules and pools as code: files with documents, the plan that makes the stored documents equal
 * the files, and its faults with file and line. This package uses {@code output} and the client
 * library.
 */
@NullMarked
package dev.carillon.cli.apply;

import org.jspecify.annotations.NullMarked;
