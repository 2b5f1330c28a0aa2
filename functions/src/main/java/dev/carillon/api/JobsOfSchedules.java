package dev.carillon.api;

import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.schedule.Schedules.ListFilter;
import dev.carillon.schedule.StoredSchedule;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The stored jobs of one schedule, even if it has been deleted, or of all schedules that launch a
 * program. Lists one schedule after another, and the newest jobs of each first.
 *
 * @param schedule null for the schedules of a program
 * @param program null for one schedule
 */
record JobsOfSchedules(
    JobSources sources,
    String namespace,
    @Nullable String schedule,
    @Nullable String program,
    Set<JobState> states)
    implements JobSource {

  /** The beginning of a place after a job. The job's schedule and key follow it. */
  private static final String IN = "in ";

  /** The beginning of a place after a schedule. The schedule's name follows it. */
  private static final String AFTER = "after ";

  private static final Pattern PLACE =
      Pattern.compile(
          "in [A-Za-z0-9_.-]{1,64} %s|after [A-Za-z0-9_.-]{1,64}"
              .formatted(JobId.SORT_KEY_PATTERN));

  @Override
  public Page<Found> read(@Nullable String from) {
    if (from != null && from.startsWith(IN)) {
      String[] parts = from.split(" ", 3);
      return jobs(parts[1], parts[2]);
    }
    return schedule == null
        ? ofNextSchedule(from == null ? null : from.substring(AFTER.length()))
        : jobs(schedule, null);
  }

  @Override
  public boolean isPlace(String text) {
    return PLACE.matcher(text).matches();
  }

  private Page<Found> ofNextSchedule(@Nullable String last) {
    ListFilter filter = new ListFilter(program, null, null, null, null, null);
    Page<StoredSchedule> next = sources.schedules().list(namespace, filter, 1, last);
    if (next.items().isEmpty()) {
      return new Page<>(List.of(), next.next() == null ? null : AFTER + next.next());
    }
    return jobs(next.items().get(0).head().id().name(), null);
  }

  private Page<Found> jobs(String name, @Nullable String last) {
    String prefix = IN + name + " ";
    ScheduleId id = new ScheduleId(namespace, name);
    Page<Job> page = sources.jobs().ofSchedule(id, states, AT_ONCE, last);
    List<Found> found =
        page.items().stream().map(job -> Found.of(prefix + job.id().sortKey(), job)).toList();
    String end = schedule == null ? AFTER + name : null;
    return new Page<>(found, page.next() == null ? end : prefix + page.next());
  }
}
