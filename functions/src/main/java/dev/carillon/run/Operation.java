package dev.carillon.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a job's work, which is not repeated after it has succeeded.
 *
 * @param type the type, for the worker; null for none
 * @param after the ids of the operations that must have succeeded before it begins
 */
public record Operation(String id, @Nullable String type, List<String> after) {}
