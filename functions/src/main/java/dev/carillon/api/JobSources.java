package dev.carillon.api;

import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobLists;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.master.ShardPlan;
import dev.carillon.master.StatusStore;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.Schedules;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the lists of jobs of a namespace. They leave out jobs that cannot be read. */
record JobSources(
    JobLists lists,
    Jobs jobs,
    Schedules schedules,
    StatusStore status,
    JobHistory history,
    Fanout fanout) {

  private static final Logger LOG = LoggerFactory.getLogger(JobSources.class);

  JobSource linked(String namespace, String linkId) {
    return new LinkedJobs(this, namespace, linkId);
  }

  JobSource unfinished(String namespace) {
    return new UnfinishedJobs(this, namespace);
  }

  JobSource ofSchedule(ScheduleId schedule, Set<JobState> states) {
    return new JobsOfSchedules(this, schedule.namespace(), schedule.name(), null, states);
  }

  JobSource ofProgram(String namespace, String program, Set<JobState> states) {
    return new JobsOfSchedules(this, namespace, null, program, states);
  }

  /** The shards that the master reads, which can be more than the configured ones. */
  int attentionShards() {
    return status
        .shards()
        .map(ShardPlan::read)
        .map(ShardPlan.Shards::attention)
        .orElseGet(jobs::attentionShards);
  }

  /**
   * Reads the jobs with the ids of a page. Leaves out jobs that do not belong to the list any more.
   */
  Page<JobSource.Found> found(Page<JobId> page, String prefix, Predicate<Job> belongs) {
    Map<JobId, Job> read = readable(page.items());
    List<JobSource.Found> found =
        page.items().stream()
            .flatMap(id -> Stream.ofNullable(read.get(id)))
            .filter(belongs)
            .map(job -> JobSource.Found.of(prefix + job.id(), job))
            .toList();
    return new Page<>(found, page.next() == null ? null : prefix + page.next());
  }

  /** The stored jobs that can be read. */
  Map<JobId, Job> readable(Collection<JobId> ids) {
    try {
      return jobs.find(ids);
    } catch (UnreadableJobs damaged) {
      LOG.error(
          "the list leaves out the jobs {}, whose items cannot be read", damaged.ids(), damaged);
      return jobs.find(ids.stream().filter(id -> !damaged.ids().contains(id)).toList());
    }
  }
}
