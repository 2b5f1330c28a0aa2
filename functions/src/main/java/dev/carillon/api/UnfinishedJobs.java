package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobLists.Waiting;
import dev.carillon.job.WaitingPlace;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The unfinished jobs of a namespace: those that wait, then the tracked ones. A job that is
 * launched during the search can be found twice. If the tracked jobs came first, it could be
 * missed.
 */
record UnfinishedJobs(JobSources sources, String namespace) implements JobSource {

  private static final Logger LOG = LoggerFactory.getLogger(UnfinishedJobs.class);

  /** The beginning of a place among the waiting jobs. */
  private static final String WAITING = "waiting ";

  /**
   * The place before the first tracked job. With the id of a tracked job added, it is the place
   * after that job.
   */
  private static final String TRACKED = "tracked ";

  @Override
  public Page<Found> read(@Nullable String from) {
    if (from == null) {
      return waiting(null);
    }
    return from.startsWith(TRACKED) ? tracked(lastTracked(from)) : waiting(waitingPlace(from));
  }

  @Override
  public boolean isPlace(String text) {
    return text.startsWith(TRACKED)
        ? JobSource.isParsed(text, UnfinishedJobs::lastTracked)
        : text.startsWith(WAITING) && JobSource.isParsed(text, UnfinishedJobs::waitingPlace);
  }

  private static @Nullable JobId lastTracked(String from) {
    return from.equals(TRACKED) ? null : JobId.parse(from.substring(TRACKED.length()));
  }

  private static WaitingPlace waitingPlace(String from) {
    return WaitingPlace.parse(from.substring(WAITING.length()));
  }

  private Page<Found> tracked(@Nullable JobId last) {
    Page<JobId> page = sources.lists().tracked(namespace, AT_ONCE, last);
    return sources.found(page, TRACKED, Job::isUnfinishedRun);
  }

  private Page<Found> waiting(@Nullable WaitingPlace place) {
    Page<Waiting> page =
        sources.lists().waiting(namespace, sources.attentionShards(), AT_ONCE, place);
    Map<JobId, Job> jobs = sources.readable(subjects(page, JobId.class));
    Map<ScheduleId, ObjectNode> collecting = collecting(subjects(page, CollectingJobId.class));
    List<Found> found = new ArrayList<>();
    for (Waiting waiting : page.items()) {
      String after = WAITING + waiting.place().text();
      if (waiting.subject() instanceof CollectingJobId id) {
        ObjectNode view = collecting.get(id.schedule());
        if (view != null) {
          found.add(new Found(after, null, view));
        }
      } else if (waiting.subject() instanceof JobId id) {
        Job job = jobs.get(id);
        if (job != null && !job.isEnded() && !job.isUnfinishedRun()) {
          found.add(Found.of(after, job));
        }
      }
    }
    return new Page<>(found, page.next() == null ? TRACKED : WAITING + page.next());
  }

  private static <S> List<S> subjects(Page<Waiting> page, Class<S> kind) {
    return page.items().stream()
        .map(Waiting::subject)
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  private Map<ScheduleId, ObjectNode> collecting(List<CollectingJobId> ids) {
    List<Optional<ObjectNode>> views = sources.fanout().map(ids, id -> open(id.schedule()));
    Map<ScheduleId, ObjectNode> found = new HashMap<>();
    for (int i = 0; i < ids.size(); i++) {
      ScheduleId schedule = ids.get(i).schedule();
      views.get(i).ifPresent(view -> found.put(schedule, view));
    }
    return found;
  }

  private Optional<ObjectNode> open(ScheduleId schedule) {
    try {
      return sources.history().open(schedule);
    } catch (IllegalStateException | IllegalArgumentException | DateTimeException damaged) {
      LOG.error(
          "the list leaves out the collecting job of {}, which cannot be read; store the schedule again"
              + " with PUT",
          schedule,
          damaged);
      return Optional.empty();
    }
  }
}
