package dev.carillon.simulation;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.id.Subject;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A check queue that delivers each check once, exactly at the instant at which it is due. A check
 * whose subjects are due at several instants is delivered in parts, because the checker cannot wait
 * on a virtual clock.
 */
final class ExactChecks implements CheckQueue {

  private final PriorityQueue<Waiting> waiting =
      new PriorityQueue<>(Comparator.comparing(Waiting::at).thenComparing(Waiting::number));
  private long sent;

  private record Waiting(Instant at, long number, Check check) {}

  @Override
  public void send(List<Check> checks, Instant now) {
    for (Check check : checks) {
      Map<Instant, List<Subject>> byInstant = new TreeMap<>();
      for (Wakeup wakeup : check.wakeups()) {
        byInstant.computeIfAbsent(wakeup.at(), any -> new ArrayList<>()).add(wakeup.subject());
      }
      byInstant.forEach((due, subjects) -> add(new Check(due, subjects), now));
    }
  }

  private void add(Check check, Instant now) {
    Instant at = check.due().isBefore(now) ? now : check.due();
    waiting.add(new Waiting(at, ++sent, check));
  }

  /** When the next check is due; empty if there is none. */
  Optional<Instant> nextDue() {
    return Optional.ofNullable(waiting.peek()).map(Waiting::at);
  }

  /** Removes and returns the checks that are due, in order. */
  List<Check> take(Instant now) {
    List<Check> taken = new ArrayList<>();
    for (Waiting next = waiting.peek(); isDue(next, now); next = waiting.peek()) {
      waiting.remove();
      taken.add(next.check());
    }
    return taken;
  }

  private static boolean isDue(@Nullable Waiting check, Instant now) {
    return check != null && !check.at().isAfter(now);
  }
}
