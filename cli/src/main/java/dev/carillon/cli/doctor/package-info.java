/**
 * Checks a deployment and the caller's connection to it, and names a remedy for each fault. This
 * package uses the client library.
 */
@NullMarked
package dev.carillon.cli.doctor;

import org.jspecify.annotations.NullMarked;
