package dev.carillon.demo;

import dev.carillon.demo.Script.Step;
import dev.carillon.demo.Script.Way;
import java.util.ArrayList;
import java.util.List;

/** The result of the demo. */
record Summary(
    Expectation expectation, List<Launch> launches, TrackedSummary tracked, PooledSummary pooled) {

  private static final String ROW = "  %-9s  %8s  %8s  %9s  %9s  %9s  %9s";

  List<String> faults() {
    List<String> faults = new ArrayList<>(expectation.missing(launches));
    faults.addAll(expectation.wrong(launches));
    faults.addAll(tracked.faults());
    faults.addAll(pooled.faults());
    return faults;
  }

  void print(Screen screen) {
    screen.line("");
    screen.line(ROW, "schedule", "launches", "expected", "late p50", "p95", "p99", "max");
    for (String name : expectation.fires().keySet()) {
      List<Launch> own = launches.stream().filter(it -> it.schedule().equals(name)).toList();
      screen.line("%s", row(name, expectation.of(name), own));
    }
    List<Launch> timed = launches.stream().filter(Launch::isTimed).toList();
    long fires = expectation.fires().values().stream().mapToLong(List::size).sum();
    screen.line("%s", row("by clock", fires, timed));
    screen.line("%s", row("in all", fires + expectation.outcomes().size(), launches));
    screen.line("");
    screen.line("Early launches: %d.", launches.stream().filter(Launch::isEarly).count());
    screen.line(
        "Events sent: %d, %d over SQS and %d over HTTP; one was sent twice and counted once.",
        Script.steps().size(), sent(Way.SQS), sent(Way.HTTP));
    tracked.print(screen);
    pooled.print(screen);
    List<String> faults = faults();
    faults.forEach(fault -> screen.text("WRONG: " + fault + "."));
    screen.text(
        faults.isEmpty()
            ? "All required launches arrived, none was early, no tracked work was done twice, and the"
                + " shares in the pool were equal."
            : "The demo failed.");
  }

  private static String row(String name, long expected, List<Launch> launches) {
    List<Long> late = launches.stream().map(Launch::lateMillis).sorted().toList();
    return ROW.formatted(
        name,
        launches.size(),
        expected,
        percentile(late, 50),
        percentile(late, 95),
        percentile(late, 99),
        percentile(late, 100));
  }

  /** The nearest-rank percentile. */
  private static String percentile(List<Long> sorted, int percent) {
    if (sorted.isEmpty()) {
      return "-";
    }
    int rank = (int) Math.ceil(sorted.size() * percent / 100.0);
    return sorted.get(Math.max(rank, 1) - 1) + " ms";
  }

  private static long sent(Way way) {
    return Script.steps().stream().map(Step::way).filter(way::equals).count();
  }
}
