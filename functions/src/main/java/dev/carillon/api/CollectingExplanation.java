package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.collect.LeafClocks;
import dev.carillon.collect.StoredOtherJobs;
import dev.carillon.document.Json;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.TriggerState;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.time.Timestamps;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Explains why a collecting job waits for its trigger. */
final class CollectingExplanation {

  private final Explained explained;
  private final Jobs jobs;
  private final @Nullable Head head;
  private final @Nullable Compiled compiled;

  CollectingExplanation(Explained explained, Jobs jobs) {
    this.explained = explained;
    this.jobs = jobs;
    this.head = explained.head();
    this.compiled = explained.compiled();
  }

  /** The explanation of the job itself. */
  ObjectNode of(CollectingJob collectingJob) {
    OpenJob open = collectingJob.open();
    if (open == null) {
      throw new IllegalStateException("no collecting job of " + collectingJob.schedule());
    }
    ArrayNode unsatisfied = explained.leaves(open.id(), open.triggerState(), true);
    boolean dropped = isDropped(collectingJob);
    String summary =
        dropped
            ? "its schedule was changed, suspended or deleted; it will be cancelled"
            : "it waits for its trigger; conditions not yet satisfied: "
                + unsatisfied.size()
                + " of "
                + open.triggerState().leaves().size();
    Instant nextCheck = dropped ? null : nextCheckAt(collectingJob, open);
    ObjectNode explanation =
        Explained.explanation(open.id(), JobState.PENDING_TRIGGER, summary, unsatisfied)
            .putNull("waitsBecause")
            .put("nextCheckAt", ScheduleView.text(nextCheck));
    explanation.set("timesOut", dropped ? null : explained.timesOut(open.id()));
    explanation.set("trigger", explained.trigger(open.id(), open.triggerState()));
    return explanation.putNull("launch");
  }

  /** What the explanation of the schedule says about its collecting job; null if there is none. */
  @Nullable ObjectNode within(@Nullable CollectingJob collectingJob) {
    OpenJob open = collectingJob == null ? null : collectingJob.open();
    if (open == null || collectingJob == null) {
      return null;
    }
    boolean dropped = isDropped(collectingJob);
    ObjectNode collecting =
        Json.object()
            .put("jobId", open.id().toString())
            .put("since", Timestamps.text(open.openedAt()))
            .put("willBeCancelled", dropped);
    collecting.set("leaves", explained.leaves(open.id(), open.triggerState(), false));
    collecting.set("timesOut", dropped ? null : explained.timesOut(open.id()));
    return collecting;
  }

  /** When an elapsed or quiet leaf is satisfied next if no event arrives; null for never. */
  @Nullable Instant nextElapse(@Nullable CollectingJob collectingJob) {
    if (head == null) {
      return null;
    }
    CollectingJob counted =
        collectingJob == null || isDropped(collectingJob)
            ? new CollectingJob(head.id(), 0, 0, head.activation(), 1, head.opensSince(), null)
            : collectingJob;
    OpenJob open = counted.open();
    if (open == null && !head.opensJobs()) {
      return null;
    }
    return dueOf(counted, open == null ? null : open.triggerState()).orElse(null);
  }

  private boolean isDropped(CollectingJob collectingJob) {
    return head == null || head.isDeleted() || !head.life().isLive(collectingJob.activation());
  }

  /** When time next affects the job: a fire, an elapsed or quiet leaf, or the time-out. */
  private @Nullable Instant nextCheckAt(CollectingJob collectingJob, OpenJob open) {
    return Stream.of(
            Optional.ofNullable(nextFireFor(open.triggerState())),
            dueOf(collectingJob, open.triggerState()),
            explained.end(open.id()))
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  private Optional<Instant> dueOf(
      CollectingJob collectingJob, @Nullable TriggerState triggerState) {
    Compiled known = compiled;
    if (known == null || head == null) {
      return Optional.empty();
    }
    List<Trigger.Leaf> leaves = known.schedule().trigger().leaves();
    Set<Integer> satisfied =
        IntStream.range(0, triggerState == null ? 0 : triggerState.leaves().size())
            .filter(
                number -> triggerState != null && triggerState.leaves().get(number).isSatisfied())
            .boxed()
            .collect(Collectors.toSet());
    LeafClocks clocks = LeafClocks.of(leaves, collectingJob.clocks(), head.opensSince());
    return afterManualLaunch(clocks, head).due(satisfied);
  }

  /** The collecting job does not record a caller's launch, which starts some periods again. */
  private LeafClocks afterManualLaunch(LeafClocks clocks, Head of) {
    return clocks.countFromLaunches()
        ? new StoredOtherJobs(jobs, of, explained.now())
            .lastManualLaunchAfter(clocks.countFromLaunchesSince())
            .map(clocks::afterLaunch)
            .orElse(clocks)
        : clocks;
  }

  /** The next fire of the time leaves that are not satisfied. */
  private @Nullable Instant nextFireFor(TriggerState triggerState) {
    Compiled known = compiled;
    if (known == null) {
      return null;
    }
    List<Trigger.Leaf> leaves = known.schedule().trigger().leaves();
    return IntStream.range(0, Math.min(leaves.size(), triggerState.leaves().size()))
        .filter(number -> !triggerState.leaves().get(number).isSatisfied())
        .mapToObj(leaves::get)
        .flatMap(leaf -> nextFire(known, leaf).stream())
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  private Optional<Instant> nextFire(Compiled known, Trigger.Leaf leaf) {
    return leaf instanceof TimeLeaf time
        ? known.fireTimes(time).next(explained.now()).map(fire -> fire.at())
        : Optional.empty();
  }
}
