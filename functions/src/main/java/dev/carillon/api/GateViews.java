package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.constraint.Constraints;
import dev.carillon.constraint.Limit;
import dev.carillon.constraint.Limit.GaugeWithin;
import dev.carillon.constraint.Limit.Launches;
import dev.carillon.constraint.Limit.SinceSuccess;
import dev.carillon.constraint.Limit.Unfinished;
import dev.carillon.constraint.Verdict.NotYet;
import dev.carillon.document.Json;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Slot;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.job.Gates;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.time.Timestamps;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The JSON form of gates: which jobs hold slots, which jobs wait, and the state of each limit. */
final class GateViews {

  private static final int MOST_SHOWN = 100;

  /**
   * The most places that are counted to find the place of a job. The place of a job behind them is
   * unknown.
   */
  private static final int MOST_COUNTED = 2_000;

  private static final int PAGE = 500;

  private final Gates gates;
  private final Jobs jobs;

  GateViews(Gates gates, Jobs jobs) {
    this.gates = gates;
    this.jobs = jobs;
  }

  Map<GateKey, Gate> find(Set<GateKey> keys) {
    return keys.isEmpty() ? Map.of() : gates.find(keys);
  }

  /** The gates that the constraints refer to, in the order in which a job passes them. */
  static Set<GateKey> keys(Constraints constraints, String namespace, String program) {
    Set<GateKey> keys = new TreeSet<>(GateKey.ORDER);
    constraints.atGates().forEach(one -> keys.add(one.limit().gate(namespace, program)));
    return keys;
  }

  /** The state of a limit at its gate. */
  static ObjectNode limit(Limit limit, Gate gate, Instant now) {
    Optional<NotYet> unmet = gate.unmet(List.of(limit), null, now);
    return Json.object()
        .put("type", limit.type())
        .put("gate", gate.key().shown())
        .put("bound", bound(limit))
        .put("duration", duration(limit))
        .put("now", present(limit, gate, now))
        .put("open", unmet.isEmpty())
        .put("reason", unmet.map(NotYet::reason).orElse(null))
        .put("opensAt", text(unmet.map(NotYet::checkAt).orElse(null)));
  }

  private static @Nullable BigDecimal bound(Limit limit) {
    if (limit instanceof Unfinished unfinished) {
      return BigDecimal.valueOf(unfinished.max());
    }
    if (limit instanceof Launches rate) {
      return BigDecimal.valueOf(rate.max());
    }
    return limit instanceof GaugeWithin gauge ? gauge.bound() : null;
  }

  private static @Nullable String duration(Limit limit) {
    if (limit instanceof Launches rate) {
      return rate.per().toString();
    }
    return limit instanceof SinceSuccess pause ? pause.duration().toString() : null;
  }

  /**
   * The current value that a limit bounds: the value of a gauge, the recent launches of a rate, or
   * the number of unfinished jobs.
   */
  private static @Nullable BigDecimal present(Limit limit, Gate gate, Instant now) {
    if (limit instanceof GaugeWithin) {
      return gate.knownValue(now).orElse(null);
    }
    return BigDecimal.valueOf(
        limit instanceof Launches rate ? recent(gate, rate.per(), now) : gate.slots().size());
  }

  private static long recent(Gate gate, Duration per, Instant now) {
    return gate.launches().stream().filter(at -> at.plus(per).isAfter(now)).count();
  }

  /** A gate with the first jobs that hold slots and the first jobs that wait. */
  ObjectNode gate(Gate gate, Instant now) {
    ObjectNode view =
        Json.object()
            .put("gate", gate.key().shown())
            .put("holding", gate.slots().size())
            .put("waiting", gate.waiters())
            .put("nextCheckAt", text(gate.wakeAt()))
            .put("lastSuccess", text(gate.lastSuccess()))
            .put("value", gate.knownValue(now).orElse(null))
            .put("expiresAt", gate.gauge() == null ? null : text(gate.gauge().expiresAt()));
    ArrayNode holders = view.putArray("holders");
    List<Slot> shown = gates.slots(gate).stream().limit(MOST_SHOWN).toList();
    Map<JobId, Job> holding =
        UnreadableJobs.readable(
            shown.stream().map(Slot::job).toList(), new HashSet<>(), jobs::find);
    shown.forEach(slot -> holders.add(holder(slot, holding.get(slot.job()))));
    ArrayNode first = view.putArray("firstWaiting");
    if (gate.waiters() > 0) {
      gates.waiters(gate.key(), null, MOST_SHOWN).forEach(waiter -> first.add(waiter(waiter)));
    }
    return view;
  }

  private static @Nullable String text(@Nullable Instant instant) {
    return ScheduleView.text(instant);
  }

  /**
   * A job that holds a slot. If no report comes before {@code until}, the attempt fails.
   *
   * @param job null if the job cannot be read
   */
  private static ObjectNode holder(Slot slot, @Nullable Job job) {
    return Json.object()
        .put("jobId", slot.job().toString())
        .put("since", Timestamps.text(slot.since()))
        .put("until", job == null ? null : text(job.reportBy()));
  }

  private static ObjectNode waiter(Waiter waiter) {
    return Json.object()
        .put("jobId", waiter.job().toString())
        .put("priority", waiter.priority())
        .put("since", Timestamps.text(waiter.since()));
  }

  /**
   * The place of a job in the queue of its gate, from 1; null if it is too far behind to be
   * counted.
   */
  @Nullable Integer place(GateKey key, Job job) {
    Waiter own = job.placeAt(key);
    int ahead = 0;
    @Nullable Waiter last = null;
    while (ahead < MOST_COUNTED) {
      List<Waiter> page = gates.waiters(key, last, PAGE);
      for (Waiter waiter : page) {
        if (Waiter.ORDER.compare(waiter, own) >= 0) {
          return ahead + 1;
        }
        ahead++;
      }
      if (page.size() < PAGE) {
        return ahead + 1;
      }
      last = page.get(PAGE - 1);
    }
    return null;
  }
}
