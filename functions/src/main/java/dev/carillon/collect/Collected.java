package dev.carillon.collect;

import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.wakeup.Wakeup.Plan;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result of a pass over a collecting job, to be stored in one transaction.
 *
 * @param hasChanged whether anything has to be stored
 * @param jobs the jobs to store in the same transaction, at most {@link
 *     dev.carillon.job.Jobs#MOST_SATISFIED}
 * @param newlyCounted the hashes of the ids of the events that it counted
 * @param accepted the outcomes of the events, in order; if there was no room for all events, only
 *     the outcomes of the first ones
 * @param isComplete false if there was no room for all fires and events: the caller stores this
 *     result and runs another pass
 * @param announced the wake-up that this pass has added; null for none
 */
public record Collected(
    CollectingJob after,
    boolean hasChanged,
    List<Job> jobs,
    Set<Long> newlyCounted,
    List<Acceptance> accepted,
    boolean isComplete,
    @Nullable Plan announced) {}
