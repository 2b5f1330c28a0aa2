/**
 * The stored definition and its life: the document, the head with its generation, suspensions and
 * changes, and the port that stores them. Pure: it uses the documents of its parts ({@code
 * trigger}, {@code constraint}, {@code template}, {@code calendar}, {@code timer}, {@code gate},
 * {@code run}), but no job.
 */
@NullMarked
package dev.carillon.schedule;

import org.jspecify.annotations.NullMarked;
