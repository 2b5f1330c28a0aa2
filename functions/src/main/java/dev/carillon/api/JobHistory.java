package dev.carillon.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.Head;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The jobs of some schedules as one list, newest first. Collecting jobs come before all others. */
final class JobHistory {

  /** The position in a schedule after its collecting job. */
  private static final String AFTER_COLLECTING = "rows";

  /** The position after its last job. */
  private static final String END = "end";

  /** The beginning of a position after a job. The job's key follows it. */
  private static final String AFTER_JOB = "row ";

  private static final Pattern POSITION =
      Pattern.compile(AFTER_COLLECTING + "|" + END + "|" + AFTER_JOB + JobId.SORT_KEY_PATTERN);

  private final Lookup lookup;
  private final Jobs jobs;
  private final InstantSource clock;
  private final Fanout fanout;

  JobHistory(Lookup lookup, Jobs jobs, InstantSource clock, Fanout fanout) {
    this.lookup = lookup;
    this.jobs = jobs;
    this.clock = clock;
    this.fanout = fanout;
  }

  /**
   * Reads one page.
   *
   * @param state null for any
   * @param from where the previous page ended; null for the first page
   */
  Page<ObjectNode> page(
      Collection<ScheduleId> schedules,
      @Nullable JobState state,
      int limit,
      @Nullable String from) {
    ObjectNode positions = from == null ? Json.object() : Json.readObject(from);
    int chunk = limit / Math.max(1, schedules.size()) + 1;
    List<ScheduleJobs> lists =
        schedules.stream()
            .sorted()
            .map(id -> new ScheduleJobs(id, state, chunk, positions.path(id.name()).textValue()))
            .toList();
    fanout.forEach(lists, ScheduleJobs::fill);
    List<ObjectNode> views = new ArrayList<>();
    while (true) {
      ScheduleJobs newest = null;
      for (ScheduleJobs list : lists) {
        list.fill();
        if (list.needsAnotherRead()) {
          return new Page<>(views, positions(lists));
        }
        newest = list.isNewerThan(newest) ? list : newest;
      }
      if (newest == null) {
        return new Page<>(views, null);
      }
      if (views.size() == limit) {
        return new Page<>(views, positions(lists));
      }
      views.add(newest.take());
    }
  }

  /** Whether a page may have ended at a position. */
  static boolean isPosition(String text) {
    try {
      JsonNode positions = Json.read(text);
      return positions.isObject()
          && positions.valueStream().allMatch(one -> POSITION.matcher(one.asText()).matches());
    } catch (JsonProcessingException notJson) {
      return false;
    }
  }

  private static String positions(List<ScheduleJobs> lists) {
    ObjectNode positions = Json.object();
    for (ScheduleJobs list : lists) {
      if (list.position != null) {
        positions.put(list.schedule.name(), list.position);
      }
    }
    return Json.write(positions);
  }

  /** The collecting job of a schedule; empty if there is none. */
  Optional<ObjectNode> open(ScheduleId schedule) {
    return jobs.collectingJob(schedule, clock.instant())
        .map(Jobs.StoredCollectingJob::collectingJob)
        .filter(collectingJob -> collectingJob.open() != null)
        .map(this::view);
  }

  ObjectNode view(CollectingJob collectingJob) {
    OpenJob open = collectingJob.open();
    if (open == null) {
      throw new IllegalStateException("no collecting job of " + collectingJob.schedule());
    }
    Head head = lookup.head(collectingJob.schedule());
    return JobView.ofOpen(collectingJob, open, head == null ? null : head.program());
  }

  /**
   * A job as the list shows it.
   *
   * @param after the position after this job
   */
  private record Item(Instant at, ObjectNode view, String after) {}

  /** The jobs of one schedule, read on demand. */
  private final class ScheduleJobs {
    final ScheduleId schedule;
    private final @Nullable JobState state;
    private final int chunk;
    private final Deque<Item> items = new ArrayDeque<>();
    private boolean isRead;
    @Nullable String position;

    ScheduleJobs(
        ScheduleId schedule, @Nullable JobState state, int chunk, @Nullable String position) {
      this.schedule = schedule;
      this.state = state;
      this.chunk = chunk;
      this.position = position;
    }

    /** Reads more jobs if all jobs read so far have been taken. */
    void fill() {
      if (items.isEmpty() && position == null) {
        if (state == null || state == JobState.PENDING_TRIGGER) {
          open(schedule)
              .ifPresent(view -> items.add(new Item(Instant.MAX, view, AFTER_COLLECTING)));
        }
        position = items.isEmpty() ? AFTER_COLLECTING : null;
      }
      if (items.isEmpty() && !END.equals(position)) {
        readJobs();
      }
    }

    private void readJobs() {
      if (state == JobState.PENDING_TRIGGER) {
        position = END;
        return;
      }
      boolean isFirst = position == null || position.equals(AFTER_COLLECTING);
      String after = isFirst ? null : String.valueOf(position).substring(AFTER_JOB.length());
      Page<Job> page =
          jobs.ofSchedule(schedule, state == null ? null : Set.of(state), chunk, after);
      page.items()
          .forEach(
              job ->
                  items.add(
                      new Item(job.id().at(), JobView.of(job), AFTER_JOB + job.id().sortKey())));
      isRead = page.next() == null;
      if (items.isEmpty()) {
        position = isRead ? END : AFTER_JOB + page.next();
      }
    }

    /**
     * Whether a read found only jobs of other states, so that the next job is unknown until another
     * page is read.
     */
    boolean needsAnotherRead() {
      return items.isEmpty() && !END.equals(position);
    }

    boolean isNewerThan(@Nullable ScheduleJobs other) {
      return !items.isEmpty()
          && (other == null || items.element().at().isAfter(other.items.element().at()));
    }

    ObjectNode take() {
      Item item = items.remove();
      position = items.isEmpty() && isRead ? END : item.after();
      return item.view();
    }
  }
}
