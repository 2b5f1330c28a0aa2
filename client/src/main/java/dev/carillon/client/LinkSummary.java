package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.Map;

/**
 * The progress of the jobs of a link.
 *
 * @param jobs how many jobs are in each {@link Job.State}, by its name; states without jobs are
 *     absent
 * @param operations how many operations of these jobs are in each {@link OperationState}, by its
 *     name
 * @param moreJobs whether the link has more jobs than the 1,000 that are counted
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record LinkSummary(
    Map<String, Integer> jobs, Map<String, Integer> operations, boolean moreJobs) {

  public LinkSummary {
    jobs = Map.copyOf(jobs);
    operations = Map.copyOf(operations);
  }
}
