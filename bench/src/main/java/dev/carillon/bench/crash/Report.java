package dev.carillon.bench.crash;

import dev.carillon.bench.crash.Deployment.Clockwork;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The figures of a run. For each kill, the figures are the time in which no engine was ready, and
 * the times after which the first and the last overdue fire were launched.
 */
record Report(
    long seed,
    Instant begin,
    List<Arrival> arrivals,
    List<Kill> kills,
    Producer producer,
    Verdict verdict) {

  @Override
  public String toString() {
    Map<Boolean, Long> launches =
        arrivals.stream()
            .collect(Collectors.partitioningBy(Report::isTimed, Collectors.counting()));
    return """
        seed %d: %d kills, %d s in all
          %d requests of the clock, %d of events; %s
          %d requests came again; nothing is wrong: %s
        %s\
        """
        .formatted(
            seed,
            kills.size(),
            Duration.between(begin, Instant.now()).toSeconds(),
            launches.get(true),
            launches.get(false),
            producer,
            verdict.duplicates(),
            verdict.faults().isEmpty(),
            kills.stream().map(this::line).collect(Collectors.joining()));
  }

  /** The longest recovery in seconds; see {@link Recovery}. */
  double recoverySecondsMax() {
    Recovery recovery = new Recovery(kills);
    Map<String, Instant> accepted = producer.accepted();
    return firstCopies(arrival -> true).stream()
            .mapToLong(arrival -> recovery.millis(due(arrival, accepted), arrival.sentAt()))
            .max()
            .orElse(0)
        / 1_000.0;
  }

  /**
   * The due instant of a job that counted events: the acknowledgement of the last of its events.
   */
  private static Instant due(Arrival arrival, Map<String, Instant> accepted) {
    return arrival.events().stream()
        .map(accepted::get)
        .filter(Objects::nonNull)
        .max(Comparator.naturalOrder())
        .orElse(arrival.scheduledFor());
  }

  private static boolean isTimed(Arrival arrival) {
    return Deployment.CLOCKWORKS.stream().map(Clockwork::name).anyMatch(arrival::isOf);
  }

  private String line(Kill kill) {
    LongSummaryStatistics recovery =
        firstCopies(Report::isTimed).stream()
            .filter(arrival -> kill.isDuring(arrival.scheduledFor()))
            .mapToLong(arrival -> millis(kill.readyAgain(), arrival.sentAt()))
            .summaryStatistics();
    LongSummaryStatistics interrupted =
        firstCopies(Report::isTimed).stream()
            .filter(arrival -> !arrival.scheduledFor().isAfter(kill.at()))
            .filter(arrival -> arrival.sentAt().isAfter(kill.at()))
            .mapToLong(arrival -> millis(kill.readyAgain(), arrival.sentAt()))
            .summaryStatistics();
    return "  down %5d ms, %3d fires overdue, first after %5d ms, all after %5d ms;%s%n"
        .formatted(
            millis(kill.at(), kill.readyAgain()),
            recovery.getCount(),
            recovery.getMin(),
            recovery.getMax(),
            interrupted.getCount() == 0
                ? ""
                : " %d interrupted, all after %d ms"
                    .formatted(interrupted.getCount(), interrupted.getMax()));
  }

  private List<Arrival> firstCopies(Predicate<Arrival> which) {
    return arrivals.stream()
        .filter(which)
        .collect(
            Collectors.groupingBy(
                Arrival::jobId, Collectors.minBy(Comparator.comparing(Arrival::sentAt))))
        .values()
        .stream()
        .flatMap(Optional::stream)
        .toList();
  }

  private static long millis(Instant from, Instant to) {
    return Duration.between(from, to).toMillis();
  }
}
