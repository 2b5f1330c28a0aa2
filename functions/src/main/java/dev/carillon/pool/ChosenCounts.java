package dev.carillon.pool;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many jobs of each customer were chosen in the present half hour and in the one before.
 *
 * <p>The counts are stored with each choice, so they name only a few customers: those with the most
 * jobs in the present half hour, then those with the most in the half hour before. The jobs of all
 * other customers are counted together. If one of these other customers gets a name later, only its
 * jobs from then on are counted under that name.
 *
 * @param halfHour the number of the present half hour since 1970; 0 before the first job
 * @param byCustomer the counts of the named customers; the key is empty for jobs without a customer
 * @param others the jobs of all customers that are not named here
 */
public record ChosenCounts(long halfHour, Map<String, Count> byCustomer, Count others) {

  /** How many customers are named at most. */
  public static final int MOST_NAMES = 20;

  /** The most bytes of all names together. */
  static final int MOST_BYTES = 400;

  private static final Duration HALF_HOUR = Duration.ofMinutes(30);

  /** The counts before the first job. */
  public static final ChosenCounts NONE = new ChosenCounts(0, Map.of(), Count.ZERO);

  /**
   * The jobs of a customer.
   *
   * @param present the jobs in this half hour
   * @param before the jobs in the half hour before
   */
  public record Count(long present, long before) {

    static final Count ZERO = new Count(0, 0);

    public long sum() {
      return present + before;
    }

    private Count plus(Count other) {
      return new Count(present + other.present, before + other.before);
    }

    private Count afterHalfHours(long passed) {
      return passed == 0 ? this : passed == 1 ? new Count(0, present) : ZERO;
    }
  }

  public ChosenCounts {
    byCustomer = Collections.unmodifiableMap(new TreeMap<>(byCustomer));
  }

  /** The instant from which jobs are counted: the beginning of the half hour before. */
  public Instant since() {
    return Instant.EPOCH.plus(HALF_HOUR.multipliedBy(Math.max(0, halfHour - 1)));
  }

  /**
   * The counts as of an instant. Clocks differ, so the instant can be before that of an earlier
   * choice; then nothing changes.
   */
  public ChosenCounts at(Instant now) {
    long present = Duration.between(Instant.EPOCH, now).dividedBy(HALF_HOUR);
    long passed = present - halfHour;
    if (passed <= 0) {
      return this;
    }
    Map<String, Count> kept = new HashMap<>();
    byCustomer.forEach((customer, count) -> kept.put(customer, count.afterHalfHours(passed)));
    kept.values().removeIf(count -> count.sum() == 0);
    return new ChosenCounts(present, kept, others.afterHalfHours(passed));
  }

  /**
   * The counts after further choices.
   *
   * @param customers the customer of each chosen job
   */
  public ChosenCounts with(Collection<String> customers, Instant now) {
    ChosenCounts current = at(now);
    Map<String, Count> all = new HashMap<>(current.byCustomer);
    customers.forEach(customer -> all.merge(customer, new Count(1, 0), Count::plus));
    return bounded(current.halfHour, all, current.others);
  }

  private static ChosenCounts bounded(long halfHour, Map<String, Count> all, Count others) {
    List<Map.Entry<String, Count>> busiestFirst =
        all.entrySet().stream()
            .sorted(
                Map.Entry.<String, Count>comparingByValue(
                        Comparator.comparingLong(Count::present)
                            .thenComparingLong(Count::before)
                            .reversed())
                    .thenComparing(Map.Entry.comparingByKey()))
            .toList();
    Map<String, Count> named = new HashMap<>();
    Count rest = others;
    int room = MOST_BYTES;
    for (Map.Entry<String, Count> each : busiestFirst) {
      int bytes = each.getKey().getBytes(StandardCharsets.UTF_8).length;
      if (named.size() < MOST_NAMES && bytes <= room) {
        named.put(each.getKey(), each.getValue());
        room -= bytes;
      } else {
        rest = rest.plus(each.getValue());
      }
    }
    return new ChosenCounts(halfHour, named, rest);
  }
}
