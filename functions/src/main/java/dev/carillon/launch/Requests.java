package dev.carillon.launch;

import dev.carillon.job.Job;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.Target;
import dev.carillon.time.Fire;
import dev.carillon.time.FireTimes;
import dev.carillon.trigger.Trigger;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Renders the requests of jobs for the queues that this deployment allows. */
public final class Requests {

  private final TargetPolicy policy;

  public Requests(TargetPolicy policy) {
    this.policy = policy;
  }

  /** The result of rendering one request. */
  public sealed interface Result {}

  /**
   * @param job the job with its customer and priority
   * @param note a remark for the job's history; null for none
   */
  public record Ready(Job job, LaunchRequest request, @Nullable String note) implements Result {}

  /** No queue can ever accept the request. */
  public record Unsendable(String reason) implements Result {}

  /** The deployment does not currently allow the target. */
  public record NotAllowed(String reason) implements Result {}

  /** The job with the customer and priority that it has when it begins to wait. */
  public static Job resolved(Compiled compiled, Job job) {
    Times times = new Times(compiled, job);
    return CustomerAndPriority.of(compiled.schedule(), job, times).appliedTo(job);
  }

  public Result of(Compiled compiled, Job job) {
    return of(compiled, job, null);
  }

  /**
   * @param queue the queue of the pool in which the job waits; null for the queue of the job's
   *     schedule, if it names one
   */
  public Result of(Compiled compiled, Job job, @Nullable String queue) {
    Target target = compiled.schedule().target();
    String own = target.queue() == null ? queue : target.queue();
    return rendered(compiled, own, job, LaunchRenderer::render);
  }

  /**
   * The ARN of a queue that a pool fills.
   *
   * @throws IllegalArgumentException if the text names no queue
   */
  public String queueArn(String queue) {
    return policy.resolve(queue);
  }

  /** The callback of a job that has ended. */
  public Result callback(Compiled compiled, Target onEnd, Job job) {
    return rendered(
        compiled,
        onEnd.queue(),
        job,
        (schedule, complete, queueArn, times) ->
            LaunchRenderer.callback(schedule, onEnd, complete, queueArn, times));
  }

  /** Renders the message of a job whose customer and priority are known. */
  @FunctionalInterface
  private interface Renderer {
    Rendering render(Schedule schedule, Job complete, String queueArn, JobTimes times);
  }

  /**
   * @param queue null for a request that goes to no queue
   */
  private Result rendered(Compiled compiled, @Nullable String queue, Job job, Renderer renderer) {
    Schedule schedule = compiled.schedule();
    String queueArn = queue == null ? LaunchRequest.NO_QUEUE : policy.resolve(queue);
    if (queue != null) {
      Optional<String> refusal = policy.refusal(schedule.id().namespace(), queueArn);
      if (refusal.isPresent()) {
        return new NotAllowed(refusal.get());
      }
    }
    Times times = new Times(compiled, job);
    CustomerAndPriority resolved = CustomerAndPriority.of(schedule, job, times);
    Job complete = resolved.appliedTo(job);
    Rendering rendering = renderer.render(schedule, complete, queueArn, times);
    if (rendering instanceof Rendering.Rendered rendered) {
      return new Ready(complete, rendered.request(), note(resolved.notes(), rendered.notes()));
    }
    return new Unsendable(((Rendering.Unsendable) rendering).reason());
  }

  private static @Nullable String note(List<String> first, List<String> second) {
    List<String> all = Stream.concat(first.stream(), second.stream()).distinct().toList();
    return all.isEmpty() ? null : String.join("; ", all);
  }

  /** The fires around the scheduledFor of a job. */
  private record Times(Compiled compiled, Job job) implements JobTimes {

    @Override
    public Optional<Instant> previousScheduledFor() {
      Trigger trigger = compiled.schedule().trigger();
      if (!trigger.isPlainTime()) {
        return Optional.empty();
      }
      Instant since = compiled.definition().generationSince();
      return trigger.leaves().stream()
          .filter(Trigger.TimeLeaf.class::isInstance)
          .flatMap(leaf -> timesOf((Trigger.TimeLeaf) leaf).previous(job.scheduledFor()).stream())
          .map(Fire::at)
          .filter(fire -> job.id().isOfBackfill() || fire.isAfter(since))
          .max(Comparator.naturalOrder());
    }

    @Override
    public boolean fires(Trigger.TimeLeaf leaf) {
      return compiled
          .asFor(job.scheduledFor())
          .fireTimes(leaf)
          .next(job.scheduledFor().minusMillis(1))
          .filter(fire -> fire.at().equals(job.scheduledFor()))
          .isPresent();
    }

    private FireTimes timesOf(Trigger.TimeLeaf leaf) {
      return compiled.fireTimes(leaf);
    }
  }
}
