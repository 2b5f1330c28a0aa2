package dev.carillon.memory;

import dev.carillon.id.CollectingJobId;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.JobLists;
import dev.carillon.job.Wait;
import dev.carillon.job.WaitingPlace;
import dev.carillon.wakeup.Wakeup;
import dev.carillon.wakeup.Wakeup.Plan;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The jobs of namespaces in memory. All waiting jobs are in one shard. */
public final class MemoryJobLists implements JobLists {

  private final MemoryJobs jobs;

  public MemoryJobLists(MemoryJobs jobs) {
    this.jobs = jobs;
  }

  @Override
  public Page<JobId> tracked(String namespace, int limit, @Nullable JobId after) {
    return page(namespace, limit, after, Job::isUnfinishedRun);
  }

  @Override
  public Runs countRuns(int most) {
    return Runs.of(jobs.all().stream().filter(Job::isUnfinishedRun).limit(most).toList());
  }

  @Override
  public Page<JobId> linked(String namespace, String linkId, int limit, @Nullable JobId after) {
    return page(namespace, limit, after, job -> linkId.equals(job.linkId()));
  }

  private Page<JobId> page(
      String namespace, int limit, @Nullable JobId after, Predicate<Job> listed) {
    List<JobId> found =
        jobs.all().stream()
            .filter(job -> isOf(namespace, job.id().schedule()) && listed.test(job))
            .map(Job::id)
            .filter(id -> after == null || id.toString().compareTo(after.toString()) > 0)
            .limit(limit)
            .toList();
    return new Page<>(found, found.size() < limit ? null : found.get(limit - 1).toString());
  }

  private static boolean isOf(String namespace, ScheduleId schedule) {
    return schedule.namespace().equals(namespace);
  }

  @Override
  public Page<Waiting> waiting(
      String namespace, int shards, int limit, @Nullable WaitingPlace next) {
    List<Waiting> found =
        Stream.concat(
                jobs.all().stream()
                    .filter(job -> isOf(namespace, job.id().schedule()))
                    .flatMap(MemoryJobLists::wakeup),
                jobs.collectingJobs().stream()
                    .filter(job -> isOf(namespace, job.schedule()))
                    .flatMap(MemoryJobLists::wakeup))
            .filter(wakeup -> next == null || isAfter(wakeup, next))
            .sorted(Wakeup.ORDER)
            .limit(limit)
            .map(wakeup -> new Waiting(wakeup.subject(), WaitingPlace.after(0, wakeup)))
            .toList();
    String end = found.size() < limit ? null : found.get(limit - 1).place().text();
    return new Page<>(found, end);
  }

  private static boolean isAfter(Wakeup wakeup, WaitingPlace place) {
    return place.after() == null
        ? !wakeup.at().isBefore(place.from())
        : Wakeup.ORDER.compare(wakeup, place.after()) > 0;
  }

  private static Stream<Wakeup> wakeup(Job job) {
    return Stream.ofNullable(job.attentionAt()).map(at -> new Wakeup(job.id(), at, job.priority()));
  }

  private static Stream<Wakeup> wakeup(CollectingJob collecting) {
    Subject id = new CollectingJobId(collecting.schedule());
    if (collecting.open() == null) {
      return Stream.empty();
    }
    Plan plan = collecting.wakeup();
    return Stream.of(new Wakeup(id, plan == null ? Wait.NEVER : plan.attentionAt()));
  }
}
