package dev.carillon.collect;

import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.TimeoutPolicy;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The order of the moments at which time affects a collecting job: fires, elapsed periods and the
 * time-out.
 *
 * @param now the end of the considered time
 */
record Timeline(LeafFires fires, Head head, TimeoutPolicy timeouts, Instant now) {

  static Timeline of(Compiled compiled, Head head, Instant now) {
    return new Timeline(
        LeafFires.of(compiled), head, new TimeoutPolicy(compiled.schedule(), head), now);
  }

  /** The kinds of moments. At one instant, they happen in this order. */
  enum Kind {
    FIRE,
    /** The period of a leaf has elapsed. */
    ELAPSED,
    TIMEOUT
  }

  record Moment(Instant at, Kind kind) {}

  private static final Comparator<Moment> ORDER =
      Comparator.comparing(Moment::at).thenComparing(Moment::kind);

  /**
   * The next moment that has come by now. A time-out that is due exactly now is left out, because
   * an event that arrives now still counts.
   *
   * @param progress a result of {@link #pastClosedFires}
   */
  Optional<Moment> next(Progress progress) {
    return Stream.of(
            fire(progress).map(at -> new Moment(at, Kind.FIRE)),
            elapsed(progress).map(at -> new Moment(at, Kind.ELAPSED)),
            timeout(progress).filter(now::isAfter).map(at -> new Moment(at, Kind.TIMEOUT)))
        .flatMap(Optional::stream)
        .min(ORDER);
  }

  /** When the open job times out, if that instant has come. */
  Optional<Instant> dueTimeout(Progress progress) {
    return upToNow(timeout(progress));
  }

  /** Whether a leaf's period has elapsed by now. */
  boolean hasElapsed(Progress progress) {
    return elapsed(progress).isPresent();
  }

  /** Skips fires at which no job is open and no job can be opened. */
  Progress pastClosedFires(Progress progress) {
    Progress past = progress;
    Optional<Instant> fire = upToNow(fireAfter(past));
    while (fire.isPresent() && !isTaken(past, fire.get())) {
      Instant end = head.closedTo(fire.get()).orElse(fire.get());
      past = past.upTo(end.isAfter(now) ? now : end);
      fire = upToNow(fireAfter(past));
    }
    return past;
  }

  /**
   * When the collecting job must be checked next because of time; empty for never. Fires have
   * timers, so they need no such check, except fires that are collected while their schedule is
   * suspended.
   */
  Optional<Instant> attentionAt(Progress progress) {
    boolean hasTimers = head.suspension() == null || timeouts.schedule().trigger().isPlainTime();
    Optional<Instant> fire = hasTimers ? Optional.empty() : fireAfter(progress);
    Optional<Instant> elapsed = progress.clocks().due(progress.satisfied());
    return Stream.of(
            elapsed.filter(at -> isTaken(progress, at)),
            fire.filter(at -> isTaken(progress, at)),
            timeout(progress))
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder());
  }

  private Optional<Instant> fire(Progress progress) {
    return upToNow(fireAfter(progress));
  }

  /** The first fire of the leaves that have not yet fired for the open job. */
  private Optional<Instant> fireAfter(Progress progress) {
    Set<Integer> satisfied = progress.satisfied();
    return fires.after(progress.advancedTo(), satisfied::contains);
  }

  /**
   * The instant at which a leaf's period elapses, but never before the instant up to which moments
   * were already applied.
   */
  private Optional<Instant> elapsed(Progress progress) {
    return upToNow(
        progress
            .clocks()
            .due(progress.satisfied())
            .filter(at -> isTaken(progress, at))
            .map(at -> Progress.later(at, progress.advancedTo())));
  }

  /** Whether a job is open, or can be opened at an instant. */
  private boolean isTaken(Progress progress, Instant at) {
    return progress.open() != null || head.closedTo(at).isEmpty();
  }

  private Optional<Instant> timeout(Progress progress) {
    @Nullable OpenJob open = progress.open();
    return open == null ? Optional.empty() : timeouts.end(open.id());
  }

  private Optional<Instant> upToNow(Optional<Instant> instant) {
    return instant.filter(at -> !at.isAfter(now));
  }
}
