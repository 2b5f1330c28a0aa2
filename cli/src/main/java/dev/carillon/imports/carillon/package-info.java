/**
 * Reads exports of Carillon. It uses the shared parts of importers, the format of exports and the
 * values of schedules.
 */
@NullMarked
package dev.carillon.imports.carillon;

import org.jspecify.annotations.NullMarked;
