package dev.carillon.job;

import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.Subject;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds jobs of a namespace, whatever their schedules are. The indexes can lag: a job that was just
 * stored can be missing, and a job that was found may have changed since. Unreadable items are left
 * out.
 */
public interface JobLists {

  /**
   * Tracked jobs, from their first launch to their end. No change of a job affects the order.
   *
   * @param after the job after which the page starts, which need not be in the list any more; null
   *     for the first page
   */
  Page<JobId> tracked(String namespace, int limit, @Nullable JobId after);

  /**
   * Counts tracked jobs of all namespaces, from their first launch to their end.
   *
   * @param most how many jobs it reads at most
   */
  Runs countRuns(int most);

  /**
   * The numbers of tracked jobs.
   *
   * @param byState the jobs that the attention index does not show, by state
   * @param unclaimed how many jobs are attempted again because no worker claimed them
   * @param example one of the unclaimed jobs; null if there is none
   */
  record Runs(Map<JobState, Integer> byState, int unclaimed, @Nullable JobId example) {

    /** Counts the jobs of a list that have not ended. */
    public static Runs of(List<Job> listed) {
      Map<JobState, Integer> byState = new EnumMap<>(JobState.class);
      listed.stream()
          .filter(job -> !job.isEnded() && job.attentionAt() == null)
          .forEach(job -> byState.merge(job.state(), 1, Integer::sum));
      List<JobId> unclaimed =
          listed.stream()
              .filter(Job::isUnclaimedAgain)
              .map(Job::id)
              .sorted(Comparator.comparing(JobId::toString))
              .toList();
      return new Runs(byState, unclaimed.size(), unclaimed.isEmpty() ? null : unclaimed.get(0));
    }
  }

  /** Jobs with a link, ended or not. No change of a job affects the order. */
  Page<JobId> linked(String namespace, String linkId, int limit, @Nullable JobId after);

  /**
   * The unfinished jobs that the attention index shows: waiting jobs, open collecting jobs, and
   * untracked jobs that hold slots. A page can have fewer jobs than {@code limit}, or none,
   * although there is a next page: the index has the jobs of all namespaces, and a page examines a
   * limited number of them. A job whose wake-up moves meanwhile can be found twice, or missed.
   *
   * @param shards the number of shards of the attention index
   * @param next the token in the previous page; null for the first page
   */
  Page<Waiting> waiting(String namespace, int shards, int limit, @Nullable WaitingPlace next);

  /**
   * A job that waits.
   *
   * @param subject a job or a collecting job
   * @param place the place after this job, where the list continues
   */
  record Waiting(Subject subject, WaitingPlace place) {}
}
