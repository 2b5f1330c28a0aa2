package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.Finding.Kind;
import dev.carillon.campaign.judge.History.Violation;
import dev.carillon.campaign.judge.NeighbourHistory.Arrival;
import dev.carillon.campaign.judge.Tenant.Due;
import dev.carillon.campaign.judge.Tenant.Rate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Judges two namespaces that share a deployment without faults: each launch arrives once, no rate
 * is exceeded, no function runs into its time-out, the quiet namespace is about as late as alone,
 * and the loud one is late only because of its own load.
 */
public final class NeighbourJudge {

  /**
   * The lateness in milliseconds that is always allowed, however punctual the namespace is alone: a
   * pass of the checker can have up to a hundred jobs of the other namespace. A slower machine
   * takes longer.
   */
  public static final long IN_TIME = 500;

  /** Beside the other namespace, a namespace may be this many times as late as alone. */
  public static final int MOST_TIMES = 2;

  /** By how much launches can be closer together than a rate allows, in milliseconds. */
  private static final long RATE_TOLERANCE = 100;

  private final NeighbourHistory both;
  private final List<Finding> findings = new ArrayList<>();

  private NeighbourJudge(NeighbourHistory both) {
    this.both = both;
  }

  /**
   * @param load the load of the loud namespace
   * @param slowness the factor by which the machine is slower than usual
   * @param alone what happened with the quiet namespace alone
   * @param both what happened with both namespaces
   */
  public static List<Finding> judge(
      Tenant quiet,
      Tenant loud,
      TenantLoad load,
      double slowness,
      NeighbourHistory alone,
      NeighbourHistory both) {
    NeighbourJudge judge = new NeighbourJudge(both);
    judge.judgeCounts(quiet, quiet.launches().size());
    long inTime = Math.round(IN_TIME * slowness);
    List<Long> latest = load.latest(loud.rate(), inTime);
    if (loud.rate() == null) {
      judge.judgeCounts(loud, loud.launches().size());
    } else {
      judge.judgeRate(loud, loud.rate());
      judge.judgeCounts(loud, latest.stream().filter(at -> at < both.end()).count());
    }
    judge.judgeLateness(quiet, latest(alone.of(quiet)), inTime);
    judge.judgeOwnLoad(loud, load, latest);
    for (Violation failure : both.failures()) {
      judge.add(Kind.BROKEN, failure.about(), failure.what());
    }
    return List.copyOf(judge.findings);
  }

  private void add(Kind kind, String about, String what) {
    findings.add(new Finding(kind, about, null, what));
  }

  private static long latest(List<Arrival> arrivals) {
    return arrivals.stream().mapToLong(Arrival::lateness).max().orElse(0);
  }

  /**
   * @param required how many launches must have arrived by the end
   */
  private void judgeCounts(Tenant tenant, long required) {
    Map<Due, Integer> open = new HashMap<>();
    tenant.launches().forEach(launch -> open.merge(launch, 1, Integer::sum));
    List<Arrival> arrivals = both.of(tenant);
    for (Arrival arrival : arrivals) {
      if (arrival.lateness() < 0) {
        add(Kind.EARLY, tenant.namespace(), arrival.toString());
      }
      if (open.merge(arrival.launch(), -1, Integer::sum) < 0) {
        add(Kind.DOUBLED, tenant.namespace(), arrival.toString());
      }
    }
    open.values().removeIf(number -> number <= 0);
    int arrived = tenant.launches().size() - open.values().stream().mapToInt(it -> it).sum();
    if (arrived < required) {
      Due one = Collections.min(open.keySet(), Comparator.comparing(Due::at));
      String what = "%d launches did not arrive, one of them %s".formatted(required - arrived, one);
      add(Kind.LOST, tenant.namespace(), what);
    }
  }

  private void judgeLateness(Tenant tenant, long alone, long inTime) {
    long bound = Math.max(MOST_TIMES * alone, inTime);
    long beside = latest(both.of(tenant));
    if (beside > bound) {
      String what = "%d ms late beside a neighbour, %d ms alone".formatted(beside, alone);
      add(Kind.LATE, tenant.namespace(), what);
    }
  }

  /** The first launches must have arrived in time, however many of them there are. */
  private void judgeOwnLoad(Tenant tenant, TenantLoad load, List<Long> latest) {
    List<Arrival> arrivals = both.of(tenant);
    for (int i = 0; i < Math.min(arrivals.size(), latest.size()); i++) {
      long from = load.from().get(i);
      long late = arrivals.get(i).at() - from;
      if (arrivals.get(i).at() > latest.get(i)) {
        String what = "launch %d came after %d ms; the load before it explains %d ms";
        add(Kind.LATE, tenant.namespace(), what.formatted(i + 1, late, latest.get(i) - from));
        return;
      }
    }
  }

  /** More launches than the rate allows never arrive within its period. */
  private void judgeRate(Tenant tenant, Rate rate) {
    List<Arrival> arrivals = both.of(tenant);
    for (int i = rate.max(); i < arrivals.size(); i++) {
      long first = arrivals.get(i - rate.max()).at();
      if (arrivals.get(i).at() - first < rate.per() - RATE_TOLERANCE) {
        String what = "%d launches from %d to %d under %s";
        add(
            Kind.LIMIT,
            tenant.namespace(),
            what.formatted(rate.max() + 1, first, arrivals.get(i).at(), rate));
        return;
      }
    }
  }
}
