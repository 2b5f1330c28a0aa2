package dev.carillon.client.schedule;

import dev.carillon.client.schedule.Trigger.Status;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validation of counts. */
final class Counts {

  private Counts() {}

  static void check(long count) {
    if (count < 1) {
      throw new IllegalArgumentException("count is " + count + "; it must be at least 1");
    }
  }

  static long orOne(@Nullable Long count) {
    return count == null ? 1 : count;
  }

  static Set<Status> inOrder(Collection<Status> statuses) {
    return statuses.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(statuses));
  }
}
