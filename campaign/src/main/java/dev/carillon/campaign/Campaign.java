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

/** Runs many episodes, each from its own seed, and counts the findings of the judge. */
public final class Campaign {

  private static final int MAX_REPORTED_FAILURES = 20;

  private final int threads;

  /** Uses one thread per processor. */
  public Campaign() {
    this(Runtime.getRuntime().availableProcessors());
  }

  public Campaign(int threads) {
    this.threads = threads;
  }

  /**
   * The progress of a campaign.
   *
   * @param failed the seeds of the first episodes with findings
   */
  public record Progress(long done, long episodes, List<Long> failed) {}

  /**
   * The result of a campaign. Every count except {@code launches}, {@code resent}, {@code
   * required}, {@code unjudged} and the fault counts must be 0.
   *
   * @param seed the seed of the first episode; the following episodes use the following seeds
   * @param launches requests that arrived
   * @param lost required launches that never arrived, and events that were not counted
   * @param late required launches that arrived after their bound
   * @param doubled second jobs or attempts for one cause, and resends without a known reason
   * @param unasked launches that no user asked for
   * @param resent requests that were sent again unchanged because the sender could not know that
   *     the first one had been accepted
   * @param afterDelete launches that fell due after their schedule was changed, suspended or
   *     deleted
   * @param stuck jobs that did not end
   * @param limits exceeded limits, slots that were not freed, and waiting jobs that no check will
   *     find
   * @param broken requests without an answer after the faults ended, and failures of functions that
   *     no fault explains
   * @param required launches that had to arrive by some instant, whether or not they did
   * @param unjudged schedules that were not judged because their history has too many
   *     interpretations
   * @param fingerprint a number that is equal for two runs of these episodes if both took the same
   *     course
   * @param failures the first failures, with what is needed to reproduce them
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

  /** An episode with findings. */
  public record Failure(long seed, List<Finding> findings) {

    /**
     * Runs the episode again; describes what happened and a small set of faults that is enough to
     * reproduce it.
     */
    public String report() {
      return FailureReport.of(seed, Tampering.NONE);
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
    try (Workers workers = new Workers()) {
      for (long i = next.getAndIncrement(); i < episodes; i = next.getAndIncrement()) {
        try {
          Episode.Outcome outcome =
              Episode.random(seed + i, workers, Tampering.NONE, Set.of(), false);
          List<Finding> findings = new ArrayList<>(outcome.verdict().findings());
          if (NeighbourEpisode.isDrawn(seed + i)) {
            findings.addAll(counts.add(NeighbourEpisode.random(seed + i, workers, Tampering.NONE)));
          }
          progress.accept(counts.add(seed + i, outcome, findings, episodes));
        } catch (RuntimeException | Error broken) {
          next.set(episodes);
          counts.broken(new IllegalStateException("seed " + (seed + i) + " cannot be run", broken));
        }
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

  /** The totals of the episodes so far. */
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

    /** Returns the findings of the episode. */
    synchronized List<Finding> add(NeighbourEpisode.Outcome outcome) {
      launches += outcome.both().arrivals().size();
      fingerprint += outcome.fingerprint();
      return outcome.findings();
    }

    /**
     * @param findings the findings of all episodes with this seed
     */
    synchronized Progress add(
        long seed, Episode.Outcome outcome, List<Finding> findings, long episodes) {
      findings.forEach(finding -> found.merge(finding.kind(), 1L, Long::sum));
      outcome.injected().forEach((kind, count) -> injected.merge(kind, count, Long::sum));
      launches += outcome.verdict().launches();
      resent += outcome.verdict().resent();
      required += outcome.verdict().required();
      unjudged += outcome.verdict().unjudged();
      fingerprint += outcome.trace().fingerprint();
      if (!findings.isEmpty() && failures.size() < MAX_REPORTED_FAILURES) {
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
