package dev.carillon.checker;

import dev.carillon.check.Shared;
import dev.carillon.constraint.Limit;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GateTicket;
import dev.carillon.id.GateKey;
import dev.carillon.job.Gates;
import dev.carillon.job.Gates.Change;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Job;
import dev.carillon.runtime.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The instants at which gates count launches. A gate counts a launch at an instant a little after
 * it lets the job through, and the request is sent before that instant. So two requests are never
 * closer together than a rate allows. A launch whose request is not sent by that instant is counted
 * once more.
 */
final class LaunchCounts {

  /**
   * The most times that a checker counts a launch. If the request is late even for the last count,
   * a later check launches the job.
   */
  private static final int MOST_COUNTS = 6;

  private final Shared shared;
  private final InstantSource clock;
  private final Duration sendingTime;

  LaunchCounts(Shared shared, InstantSource clock, Duration sendingTime) {
    this.shared = shared;
    this.clock = clock;
    this.sendingTime = sendingTime;
  }

  /**
   * The time from the moment when a gate lets a job through to the instant at which the gate counts
   * the launch.
   */
  Duration sendingTime() {
    return sendingTime;
  }

  /**
   * The launches of a step, divided by the result of the last count.
   *
   * @param allowed the launches whose requests may be sent now
   * @param refused the launches that the rate of their schedule no longer allows
   */
  record Counts(List<Launch> allowed, List<Launch> refused) {}

  /**
   * If the counted instant of a launch has passed, counts all launches again for one later instant.
   */
  Counts current(List<Launch> launches) {
    Counts counts = new Counts(launches, List.of());
    Duration allowance = sendingTime;
    for (int tries = 0; tries < MOST_COUNTS && isLate(counts.allowed()); tries++) {
      // The allowance doubles each time, so that the requests are sent in the end even if calls are
      // slow.
      allowance = allowance.multipliedBy(2);
      counts = count(counts, clock.instant().plus(allowance));
    }
    if (!isLate(counts.allowed())) {
      return counts;
    }
    List<Launch> refused = new ArrayList<>(counts.refused());
    List<Launch> unlimited = new ArrayList<>();
    counts.allowed().forEach(one -> (isCounted(one) ? refused : unlimited).add(one));
    return new Counts(unlimited, refused);
  }

  private boolean isLate(List<Launch> launches) {
    Instant now = clock.instant();
    return launches.stream()
        .anyMatch(one -> isCounted(one) && ticket(one.job()).at().isBefore(now));
  }

  private static boolean isCounted(Launch launch) {
    return launch.job().ticket() != null && !launch.rates().isEmpty();
  }

  private static GateTicket ticket(Job job) {
    GateTicket ticket = job.ticket();
    if (ticket == null) {
      throw new IllegalStateException("no gate has counted " + job.id());
    }
    return ticket;
  }

  private Counts count(Counts before, Instant at) {
    GateTransactions gates = new GateTransactions(shared);
    return shared
        .updates()
        .run(
            before.allowed().get(0).job().id(),
            () -> {
              Map<GateKey, Gate> counted = new LinkedHashMap<>();
              List<Launch> allowed = new ArrayList<>();
              List<Launch> refused = new ArrayList<>(before.refused());
              for (Launch launch : before.allowed()) {
                if (!isCounted(launch)) {
                  allowed.add(launch);
                } else if (count(launch, gates, counted, at)) {
                  allowed.add(launch.with(launch.job().through(ticket(launch.job()).again(at))));
                } else {
                  refused.add(launch);
                }
              }
              List<Change> changes = new ArrayList<>();
              counted.forEach((key, gate) -> changes.add(new Change(gates.gate(key), gate)));
              boolean isStored =
                  changes.isEmpty()
                      || gates.commit(new Step(List.of(), changes, List.of(), List.of()))
                          instanceof Gates.Done;
              return Attempt.of(isStored, new Counts(allowed, refused));
            });
  }

  /**
   * Adds a launch to the counted gates.
   *
   * @return false if the rate of the job's schedule has been used up meanwhile
   */
  private boolean count(
      Launch launch, GateTransactions gates, Map<GateKey, Gate> counted, Instant at) {
    Job job = launch.job();
    Map<GateKey, Gate> after = new LinkedHashMap<>();
    for (GateKey key : launch.rates().keySet()) {
      Gate gate = counted.getOrDefault(key, gates.gate(key)).notLaunched(ticket(job).at());
      if (gate.unmet(limits(launch, key), job.id(), clock.instant()).isPresent()) {
        return false;
      }
      after.put(key, gate.taken(job.id(), launch.rates().get(key), at));
    }
    counted.putAll(after);
    return true;
  }

  private static List<Limit> limits(Launch launch, GateKey gate) {
    Job job = launch.job();
    String namespace = job.id().schedule().namespace();
    return launch.compiled().schedule().constraints().atGates().stream()
        .map(one -> one.limit())
        .filter(limit -> limit instanceof Limit.Launches)
        .filter(limit -> limit.gate(namespace, job.program()).equals(gate))
        .toList();
  }
}
