package dev.carillon.campaign;

import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Workers;
import dev.carillon.campaign.judge.Finding;
import dev.carillon.campaign.system.Tampering;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs many episodes, each of a seed of its own, and counts what the judge finds. */
public final class Campaign {

  private static final int MOST_FAILURES_TOLD = 20;

  private final int threads;

  /** On all processors. */
  public Campaign() {
    this(Runtime.getRuntime().availableProcessors());
  }

  public Campaign(int threads) {
    this.threads = threads;
  }

  /**
   * How far a campaign came.
   *
   * @param failed the seeds of the first episodes in which something was found
   */
  public record Progress(long done, long episodes, List<Long> failed) {}

  /**
   * What came of a campaign. All but {@code resent} and the faults must be 0.
   *
   * @param seed of the first episode; the others have those that follow
   * @param launches requests that arrived
   * @param lost required launches that did not come, or events that were not counted
   * @param late required launches that came after their bound
   * @param doubled second jobs or attempts for one thing, and resends that nothing explains
   * @param unasked launches that nobody asked for
   * @param resent requests that came again as they were, because nobody could know that they had
   *     been sent
   * @param afterDelete launches of what fell due after it was changed, suspended or deleted
   * @param stuck jobs that did not end
   * @param limits limits that were exceeded, slots that were not freed, waiters that were forgotten
   * @param broken requests without an answer although nothing is wrong any more, and failures of
   *     functions that no fault explains
   * @param required launches that had to come by some instant, and did or were found to be lost
   * @param unjudged schedules that were left alone, as their history has too many readings
   * @param fingerprint the same for all runs of these episodes that took the same course
   * @param failures the first of them, with what is needed to see them again
   */
  public record Result(
      long episodes,
      long seed,
      long launches,
      long lost,
      long late,
      long doubled,
      long unasked,
      long resent,
      long early,
      long afterDelete,
      long stuck,
      long miscounted,
      long limits,
      long broken,
      long required,
      long unjudged,
      long fingerprint,
      Map<FaultKind, Long> faultsInjected,
      double seconds,
      List<Failure> failures) {

    public boolean isClean() {
      long delivered = lost + late + doubled + unasked + early + afterDelete;
      return delivered + stuck + miscounted + limits + broken == 0;
    }
  }

  /** An episode in which something was found. */
  public record Failure(long seed, List<Finding> findings) {

    /** Runs the episode again, and tells what happened and which faults it takes. */
    public String told() {
      return Retelling.of(seed, Tampering.NONE);
    }
  }

  /** Runs the episodes {@code seed} to {@code seed + episodes - 1}. */
  public Result run(long episodes, long seed, Consumer<Progress> progress) {
    Counts counts = new Counts();
    AtomicLong next = new AtomicLong();
    long began = System.nanoTime();
    List<Thread> runners = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread runner =
          new Thread(() -> work(next, episodes, seed, counts, progress), "campaign-" + i);
      runner.setDaemon(true);
      runner.start();
      runners.add(runner);
    }
    runners.forEach(Campaign::join);
    return counts.result(episodes, seed, (System.nanoTime() - began) / 1e9);
  }

  private static void work(
      AtomicLong next, long episodes, long seed, Counts counts, Consumer<Progress> progress) {
    Workers workers = new Workers();
    for (long i = next.getAndIncrement(); i < episodes; i = next.getAndIncrement()) {
      try {
        Episode.Outcome outcome =
            Episode.random(seed + i, workers, Tampering.NONE, Set.of(), false);
        progress.accept(counts.add(seed + i, outcome, episodes));
      } catch (RuntimeException | Error broken) {
        next.set(episodes);
        counts.broken(new IllegalStateException("seed " + (seed + i) + " cannot be run", broken));
      }
    }
  }

  private static void join(Thread runner) {
    try {
      runner.join();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the campaign was interrupted", stopped);
    }
  }

  /** The sums over all episodes so far. */
  private static final class Counts {
    private final Map<Finding.Kind, Long> found = new EnumMap<>(Finding.Kind.class);
    private final Map<FaultKind, Long> injected = new EnumMap<>(FaultKind.class);
    private final List<Failure> failures = new ArrayList<>();
    private @Nullable IllegalStateException broken;
    private long done;
    private long launches;
    private long resent;
    private long required;
    private long unjudged;
    private long fingerprint;

    synchronized Progress add(long seed, Episode.Outcome outcome, long episodes) {
      List<Finding> findings = outcome.verdict().findings();
      findings.forEach(finding -> found.merge(finding.kind(), 1L, Long::sum));
      outcome.injected().forEach((kind, count) -> injected.merge(kind, count, Long::sum));
      launches += outcome.verdict().launches();
      resent += outcome.verdict().resent();
      required += outcome.verdict().required();
      unjudged += outcome.verdict().unjudged();
      fingerprint += outcome.trace().fingerprint();
      if (!findings.isEmpty() && failures.size() < MOST_FAILURES_TOLD) {
        failures.add(new Failure(seed, findings));
      }
      return new Progress(++done, episodes, failures.stream().map(Failure::seed).toList());
    }

    synchronized void broken(IllegalStateException fault) {
      broken = fault;
    }

    private long count(Finding.Kind kind) {
      return found.getOrDefault(kind, 0L);
    }

    synchronized Result result(long episodes, long seed, double seconds) {
      if (broken != null) {
        throw broken;
      }
      return new Result(
          episodes,
          seed,
          launches,
          count(Finding.Kind.LOST),
          count(Finding.Kind.LATE),
          count(Finding.Kind.DOUBLED),
          count(Finding.Kind.UNASKED),
          resent,
          count(Finding.Kind.EARLY),
          count(Finding.Kind.AFTER_DELETE),
          count(Finding.Kind.STUCK),
          count(Finding.Kind.MISCOUNTED),
          count(Finding.Kind.LIMIT),
          count(Finding.Kind.BROKEN),
          required,
          unjudged,
          fingerprint,
          Collections.unmodifiableMap(injected),
          seconds,
          List.copyOf(failures));
    }
  }
}
