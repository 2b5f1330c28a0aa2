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

  /** How many subjects the checker processes together. */
  private static final int MOST_TOGETHER = 10_000;

  private final PriorityQueue<Waiting> waiting =
      new PriorityQueue<>(Comparator.comparing(Waiting::at).thenComparing(Waiting::number));
  private long sent;
  private int late;

  private record Waiting(Instant at, long number, Check check) {

    int subjects() {
      return check.subjects().size();
    }

    /** The number of its subjects that were already overdue when it was sent. */
    int late() {
      return check.due().isBefore(at) ? subjects() : 0;
    }
  }

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
    Waiting added = new Waiting(at, ++sent, check);
    waiting.add(added);
    late += added.late();
  }

  /** Whether so many overdue subjects were sent that the checker cannot process all together. */
  boolean isBehind() {
    return late >= MOST_TOGETHER;
  }

  /** When the next check is due; empty if there is none. */
  Optional<Instant> nextDue() {
    return Optional.ofNullable(waiting.peek()).map(Waiting::at);
  }

  /** Removes and returns the first checks that are due, in order: those to process together. */
  List<Check> take(Instant now) {
    List<Check> taken = new ArrayList<>();
    int subjects = 0;
    for (Waiting next = waiting.peek();
        isDue(next, now) && subjects < MOST_TOGETHER;
        next = waiting.peek()) {
      waiting.remove();
      late -= next.late();
      subjects += next.subjects();
      taken.add(next.check());
    }
    return taken;
  }

  private static boolean isDue(@Nullable Waiting check, Instant now) {
    return check != null && !check.at().isAfter(now);
  }
}
