package dev.carillon.campaign.scenario;

import dev.carillon.campaign.judge.Tenant;
import java.util.List;

/**
 * Two namespaces that share a deployment; instants are epoch milliseconds. Nothing fails, but work
 * takes time.
 *
 * @param start when the master is first invoked; from then on once a minute
 * @param machine how fast the deployment is
 */
public record NeighbourScenario(
    String kind, long start, long end, Machine machine, Load quiet, Load loud) {

  /**
   * How fast a deployment is.
   *
   * @param slowness the factor by which calls and computing take longer than usual
   * @param checkers the most invocations of the checker at a time, for jobs that are due
   * @param overdueCheckers the most invocations of the checker at a time, for overdue jobs
   * @param filterMicros the microseconds that compiling a filter takes
   * @param stallMicros the microseconds that a slow call takes at most, in one direction
   */
  public record Machine(
      double slowness, int checkers, int overdueCheckers, long filterMicros, long stallMicros) {

    /** The concurrency of the template, and calls of at most 80 ms. */
    public static final Machine USUAL = new Machine(1, 50, 5, 0, 40_000);

    Machine slower(double times) {
      return new Machine(slowness * times, checkers, overdueCheckers, filterMicros, stallMicros);
    }

    Machine withCheckers(int due, int overdue) {
      return new Machine(slowness, due, overdue, filterMicros, stallMicros);
    }

    public Machine withFilters(long micros) {
      return new Machine(slowness, checkers, overdueCheckers, micros, stallMicros);
    }

    Machine withStalls(long micros) {
      return new Machine(slowness, checkers, overdueCheckers, filterMicros, micros);
    }
  }

  /** The documents, events and resumptions of a namespace. */
  public record Load(
      Tenant tenant, List<Document> documents, List<SentEvent> events, List<Resumption> resumed) {}

  /**
   * A stored schedule.
   *
   * @param createdAt when it was stored
   * @param isSuspended whether it was suspended right after that, in the mode {@code backlog}
   */
  public record Document(String name, String text, long createdAt, boolean isSuspended) {}

  /** An event of a producer. */
  public record SentEvent(long at, String body) {}

  /** A user's request to resume a schedule. */
  public record Resumption(long at, String schedule) {}
}
