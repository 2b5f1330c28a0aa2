package dev.carillon.collect;

import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.wakeup.Wakeup.Plan;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a pass has made of a collecting job: to be stored in one transaction.
 *
 * @param hasChanged whether anything has to be stored
 * @param jobs the jobs to be stored with it, at most {@link dev.carillon.job.Jobs#MOST_SATISFIED}
 * @param newlySeen the hashes of the ids of the events that it counted
 * @param accepted what became of the events, in order; of the first ones if there was no room
 * @param isComplete false if there was no room for all: store this and begin another pass
 * @param announced a look that this pass asks for and none before it did; null for none
 */
public record Collected(
    CollectingJob after,
    boolean hasChanged,
    List<Job> jobs,
    Set<Long> newlySeen,
    List<Acceptance> accepted,
    boolean isComplete,
    @Nullable Plan announced) {}
