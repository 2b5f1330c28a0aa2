package dev.carillon.dynamodb;

import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.UnreadableJobs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the items of jobs. An unreadable item does not prevent reading the others. */
final class ReadJobs {

  private ReadJobs() {}

  /**
   * The stored jobs that kept other jobs from being written. If one of them cannot be read, the
   * outcomes of the others are reported nevertheless.
   */
  static List<Optional<Job>> outcomes(List<Optional<Item<Job>>> others) {
    List<Item<Job>> damaged = new ArrayList<>();
    List<RuntimeException> damages = new ArrayList<>();
    List<Optional<Job>> outcomes = new ArrayList<>();
    for (Optional<Item<Job>> other : others) {
      Optional<Job> present = Optional.empty();
      try {
        present = other.map(Item::record);
      } catch (RuntimeException damage) {
        damaged.add(other.orElseThrow());
        damages.add(damage);
      }
      outcomes.add(present);
    }
    if (!damaged.isEmpty()) {
      throw new UnreadableJobs(ids(damaged), damages.get(0), outcomes);
    }
    return List.copyOf(outcomes);
  }

  /**
   * @throws UnreadableJobs if some of them cannot be read
   */
  static List<Job> readable(List<Item<Job>> items) {
    return Items.all(items, (damaged, first) -> new UnreadableJobs(ids(damaged), first));
  }

  private static Set<JobId> ids(List<Item<Job>> items) {
    return items.stream().map(item -> item.as(JobItem.KEY).record()).collect(Collectors.toSet());
  }
}
