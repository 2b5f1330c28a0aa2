package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.id.Page;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.runtime.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Jobs of a namespace, batch by batch. */
interface JobSource {

  /** The largest number of jobs in a batch. */
  int AT_ONCE = 100;

  /** How many batches a page reads at most. Batches can be empty. */
  int MOST_BATCHES = 100;

  /**
   * One batch.
   *
   * @param from where the batch begins: the place after a job, or the {@code next} of another
   *     batch; null for the first batch
   */
  Page<Found> read(@Nullable String from);

  /** Whether a batch can begin at a place. */
  boolean isPlace(String text);

  /** Whether {@code parse} accepts a text. */
  static boolean isParsed(String text, Consumer<String> parse) {
    try {
      parse.accept(text);
      return true;
    } catch (IllegalArgumentException invalid) {
      return false;
    }
  }

  /**
   * A job.
   *
   * @param after the place after it
   * @param job null for a collecting job
   * @param collecting the view of a collecting job; null for other jobs
   */
  record Found(String after, @Nullable Job job, @Nullable ObjectNode collecting) {

    static Found of(String after, Job job) {
      return new Found(after, job, null);
    }

    ObjectNode view() {
      return job == null ? collecting() : JobView.of(job);
    }

    @Override
    public ObjectNode collecting() {
      if (collecting == null) {
        throw new IllegalStateException("not a collecting job");
      }
      return collecting;
    }

    JobState state() {
      return job == null ? JobState.PENDING_TRIGGER : job.state();
    }

    @Nullable String customer() {
      return job == null ? null : job.customer();
    }

    @Nullable String program() {
      return job == null ? collecting().path("program").textValue() : job.program();
    }
  }

  /**
   * One page of the matching jobs. It has fewer than {@code limit} jobs if more would take too many
   * batches, or too long.
   */
  default Page<Found> page(
      Predicate<Found> matches, int limit, @Nullable String from, Deadline deadline) {
    List<Found> page = new ArrayList<>();
    String next = from;
    int batches = 0;
    do {
      Page<Found> batch = read(next);
      for (Found found : batch.items()) {
        if (matches.test(found)) {
          if (page.size() == limit) {
            return new Page<>(page, page.get(limit - 1).after());
          }
          page.add(found);
        }
      }
      next = batch.next();
      batches++;
    } while (next != null
        && page.size() < limit
        && batches < MOST_BATCHES
        && !deadline.hasPassed());
    return new Page<>(page, next);
  }
}
