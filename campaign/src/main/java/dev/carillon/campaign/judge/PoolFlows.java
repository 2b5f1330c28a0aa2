package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.PoolFacts.Stay;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The customers of a pool: when their jobs wait, and in which order the jobs are chosen.
 *
 * @param unwanted for each job that a user's change may have cancelled, the instant of the change
 */
record PoolFlows(PoolFacts pool, Map<Stay, Long> unwanted) {

  /** The operations after which a job may be no longer wanted. */
  private static final Set<Kind> UNWANTED_AFTER = Set.of(Kind.PUT, Kind.SUSPEND, Kind.DELETE);

  static PoolFlows of(History history) {
    Map<String, String> schedules = new HashMap<>();
    history.jobs().forEach(it -> schedules.put(it.jobId(), it.schedule()));
    Map<Stay, Long> unwanted = new HashMap<>();
    for (Stay stay : history.pool().stays()) {
      history.operations().stream()
          .filter(it -> it.schedule().equals(schedules.get(stay.jobId())))
          .filter(
              it ->
                  UNWANTED_AFTER.contains(it.kind())
                      && it.returned() >= stay.ready() - history.pool().actsFor())
          .mapToLong(Operation::called)
          .min()
          .ifPresent(called -> unwanted.put(stay, called));
    }
    return new PoolFlows(history.pool(), unwanted);
  }

  /**
   * The instant from which a user may have changed, suspended or deleted the schedule of a job
   * since the job became READY, or right before; NEVER if no user has. A choice ends such a job, or
   * leaves it for a later choice that has more time.
   */
  long unwantedFrom(Stay stay) {
    return unwanted.getOrDefault(stay, History.NEVER);
  }

  /** A customer with the priority of its jobs. */
  record Flow(String customer, int priority) {
    boolean has(Stay stay) {
      return stay.customer().equals(customer) && stay.priority() == priority;
    }
  }

  /**
   * A time during which jobs of a customer wait without a break.
   *
   * @param last the turn of the last of these jobs; one choice can have several turns
   */
  record Busy(long from, long to, int last) {
    static Busy of(Stay stay, long unwantedFrom) {
      long until = Math.min(stay.waitsUntil(), unwantedFrom);
      boolean isChosen = stay.chosen() <= until;
      return isChosen
          ? new Busy(stay.entered(), stay.chosen(), stay.turn())
          : new Busy(stay.entered(), Math.max(stay.entered(), until), Integer.MAX_VALUE);
    }

    Busy joined(Busy later) {
      boolean isLast = later.to > to || (later.to == to && later.last > last);
      return new Busy(from, isLast ? later.to : to, isLast ? later.last : last);
    }
  }

  /** The chosen jobs, in order. */
  List<Stay> chosen() {
    return pool.stays().stream()
        .filter(it -> it.chosen() != History.NEVER)
        .sorted(Comparator.comparingInt(Stay::turn))
        .toList();
  }

  /** The customers whose jobs were chosen. */
  List<Flow> flows() {
    return chosen().stream().map(it -> new Flow(it.customer(), it.priority())).distinct().toList();
  }

  /**
   * The times during which a customer has jobs in the pool that are not chosen. A job that enters
   * shortly before the last waiting job is chosen may be unknown to that choice, so it begins
   * another time.
   */
  List<Busy> busy(Flow flow) {
    List<Busy> all = new ArrayList<>();
    pool.stays().stream()
        .filter(it -> flow.has(it) && it.entered() != History.NEVER)
        .sorted(Comparator.comparingLong(Stay::entered))
        .forEach(
            it -> {
              Busy last = all.isEmpty() ? null : all.get(all.size() - 1);
              if (last != null && it.entered() + pool.actsFor() < last.to()) {
                all.set(all.size() - 1, last.joined(busy(it)));
              } else {
                all.add(busy(it));
              }
            });
    return all;
  }

  private Busy busy(Stay stay) {
    return Busy.of(stay, unwantedFrom(stay));
  }

  /** Whether a customer has a limit in some definition. */
  boolean isLimited(Flow flow) {
    return pool.versions().stream().anyMatch(it -> it.definition().hasLimit(flow.customer()));
  }

  /** The instants at which a customer comes to its limit of unfinished jobs, or leaves it. */
  List<Long> changesOfFull(Flow flow) {
    List<Long> changes = new ArrayList<>();
    boolean wasFull = false;
    for (long at : changes(flow)) {
      boolean isFull = isFull(flow, at);
      if (isFull != wasFull) {
        changes.add(at);
      }
      wasFull = isFull;
    }
    return changes;
  }

  private SortedSet<Long> changes(Flow flow) {
    Stream<Long> ofJobs =
        pool.stays().stream()
            .filter(it -> it.customer().equals(flow.customer()))
            .flatMap(it -> Stream.of(Math.min(it.chosen(), it.left()), freed(it)));
    Stream<Long> ofPool =
        pool.versions().stream()
            .flatMap(it -> Stream.of(it.called() - pool.actsFor(), it.returned() + pool.actsFor()));
    return Stream.concat(ofJobs, ofPool).collect(Collectors.toCollection(TreeSet::new));
  }

  /** Whether a customer may be at its limit of unfinished jobs. */
  boolean isFull(Flow flow, long at) {
    long unfinished =
        pool.stays().stream()
            .filter(it -> it.customer().equals(flow.customer()))
            .filter(it -> Math.min(it.chosen(), it.left()) <= at && at < freed(it))
            .count();
    return pool.possible(at - pool.actsFor(), at + pool.actsFor()).stream()
        .anyMatch(it -> it.limitOf(flow.customer()) <= unfinished);
  }

  /**
   * The last turn in which a customer may be below its limit, if a choice at an instant brings it
   * to its limit. That choice can give further turns to others. The greatest number if there is no
   * such choice.
   */
  int lastTurnBelow(Flow flow, long at) {
    return isLimited(flow) && isFull(flow, at)
        ? pool.stays().stream()
            .filter(it -> it.customer().equals(flow.customer()) && it.chosen() == at)
            .mapToInt(Stay::turn)
            .max()
            .orElse(Integer.MAX_VALUE)
        : Integer.MAX_VALUE;
  }

  /** The instant from which every function can read that a job has ended. */
  private long freed(Stay stay) {
    return stay.ended() == History.NEVER ? History.NEVER : stay.ended() + pool.actsFor();
  }

  /** How many invocations that may have chosen between two instants failed. */
  long disturbances(long from, long to) {
    return pool.disturbed().stream()
        .filter(it -> it >= from - pool.actsFor() && it <= to + pool.actsFor())
        .count();
  }

  /**
   * How many invocations failed shortly after one of the last turns of some customers before a
   * turn, but too early to be among its {@link #disturbances}.
   *
   * @param most how many turns of each customer to consider
   */
  long earlierDisturbances(List<Flow> customers, Stay turn, int most) {
    List<Stay> earlier =
        customers.stream().flatMap(it -> lastTurns(it, turn, most).stream()).toList();
    return pool.disturbed().stream()
        .filter(it -> it < turn.chosen() - pool.actsFor())
        .filter(at -> earlier.stream().anyMatch(it -> isShortlyAfter(it, at)))
        .count();
  }

  private List<Stay> lastTurns(Flow customer, Stay before, int most) {
    List<Stay> all =
        chosen().stream().filter(it -> it.turn() < before.turn() && customer.has(it)).toList();
    return all.subList(Math.max(0, all.size() - most), all.size());
  }

  private boolean isShortlyAfter(Stay turn, long at) {
    return at >= turn.chosen() && at <= turn.chosen() + pool.actsFor();
  }
}
