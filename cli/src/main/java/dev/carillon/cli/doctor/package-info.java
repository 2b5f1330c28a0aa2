/**
 * What can be wrong with a deployment and with a caller's way to it, each with its remedy. It uses
 * the client library.
 */
@NullMarked
package dev.carillon.cli.doctor;

import org.jspecify.annotations.NullMarked;
