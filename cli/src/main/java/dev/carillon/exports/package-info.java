/** The form in which schedules and what they need leave and enter a deployment, and its writer. */
@NullMarked
package dev.carillon.exports;

import org.jspecify.annotations.NullMarked;
