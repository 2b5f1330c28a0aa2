/**
 * The stored schedule: its document, its head with the generation, its suspensions and changes, and
 * the port that stores them. Pure: it uses the packages of the document's parts ({@code trigger},
 * {@code constraint}, {@code template}, {@code calendar}, {@code timer}, {@code gate}, {@code
 * run}), but no job.
 */
@NullMarked
package dev.carillon.schedule;

import org.jspecify.annotations.NullMarked;
