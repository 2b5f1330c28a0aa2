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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The jobs of some schedules as one list, newest first; those that still collect come before. */
final class JobHistory {

  /** How far a page has come with a schedule: behind the job that still collects. */
  private static final String ROWS = "rows";

  /** Behind its last job. */
  private static final String END = "end";

  /** Behind a job, whose key follows. */
  private static final String ROW = "row ";

  private static final Pattern POSITION =
      Pattern.compile(ROWS + "|" + END + "|" + ROW + JobId.SORT_KEY_PATTERN);

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
   * One page.
   *
   * @param state null for any
   * @param from where the page before ended; null for the first
   */
  Page<ObjectNode> page(
      Collection<ScheduleId> schedules,
      @Nullable JobState state,
      int limit,
      @Nullable String from) {
    ObjectNode positions = from == null ? Json.object() : Json.readObject(from);
    int chunk = limit / Math.max(1, schedules.size()) + 1;
    List<Stream> streams =
        schedules.stream()
            .sorted()
            .map(id -> new Stream(id, state, chunk, positions.path(id.name()).textValue()))
            .toList();
    fanout.forEach(streams, Stream::fill);
    List<ObjectNode> views = new ArrayList<>();
    while (true) {
      Stream newest = null;
      for (Stream stream : streams) {
        stream.fill();
        if (stream.isBehind()) {
          return new Page<>(views, positions(streams));
        }
        newest = stream.isNewerThan(newest) ? stream : newest;
      }
      if (newest == null) {
        return new Page<>(views, null);
      }
      if (views.size() == limit) {
        return new Page<>(views, positions(streams));
      }
      views.add(newest.take());
    }
  }

  /** Whether a page can have ended there. */
  static boolean isPosition(String text) {
    try {
      JsonNode positions = Json.read(text);
      return positions.isObject()
          && positions.valueStream().allMatch(one -> POSITION.matcher(one.asText()).matches());
    } catch (JsonProcessingException notJson) {
      return false;
    }
  }

  private static String positions(List<Stream> streams) {
    ObjectNode positions = Json.object();
    for (Stream stream : streams) {
      if (stream.position != null) {
        positions.put(stream.schedule.name(), stream.position);
      }
    }
    return Json.write(positions);
  }

  /** The job that a schedule still collects for. */
  Optional<ObjectNode> open(ScheduleId schedule) {
    return jobs.collectingJob(schedule, clock.instant())
        .map(Jobs.Recalled::collectingJob)
        .filter(collectingJob -> collectingJob.open() != null)
        .map(this::view);
  }

  ObjectNode view(CollectingJob collectingJob) {
    OpenJob open = collectingJob.open();
    if (open == null) {
      throw new IllegalStateException("nothing is collected for " + collectingJob.schedule());
    }
    Head head = lookup.head(collectingJob.schedule());
    return JobView.ofOpen(collectingJob, open, head == null ? null : head.program());
  }

  /**
   * A job as it is shown.
   *
   * @param after the position behind it
   */
  private record Item(Instant at, ObjectNode view, String after) {}

  /** The jobs of one schedule, read as they are needed. */
  private final class Stream {
    final ScheduleId schedule;
    private final @Nullable JobState state;
    private final int chunk;
    private final Deque<Item> items = new ArrayDeque<>();
    private boolean isRead;
    @Nullable String position;

    Stream(ScheduleId schedule, @Nullable JobState state, int chunk, @Nullable String position) {
      this.schedule = schedule;
      this.state = state;
      this.chunk = chunk;
      this.position = position;
    }

    /** Reads on, if nothing is left of what was read. */
    void fill() {
      if (items.isEmpty() && position == null) {
        if (state == null || state == JobState.PENDING_TRIGGER) {
          open(schedule).ifPresent(view -> items.add(new Item(Instant.MAX, view, ROWS)));
        }
        position = items.isEmpty() ? ROWS : null;
      }
      if (items.isEmpty() && !END.equals(position)) {
        readRows();
      }
    }

    private void readRows() {
      if (state == JobState.PENDING_TRIGGER) {
        position = END;
        return;
      }
      boolean isFirst = position == null || position.equals(ROWS);
      String row = isFirst ? null : String.valueOf(position).substring(ROW.length());
      Page<Job> page = jobs.ofSchedule(schedule, state, chunk, row);
      page.items()
          .forEach(
              job -> items.add(new Item(job.id().at(), JobView.of(job), ROW + job.id().sortKey())));
      isRead = page.next() == null;
      if (items.isEmpty()) {
        position = isRead ? END : ROW + page.next();
      }
    }

    /** Whether many jobs of other states were looked at, and it is not known what comes next. */
    boolean isBehind() {
      return items.isEmpty() && !END.equals(position);
    }

    boolean isNewerThan(@Nullable Stream other) {
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
