package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.DeploymentAttempt.Action;
import dev.carillon.campaign.judge.DeploymentAttempt.Answer;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.History.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The possible interpretations of the changes of an app, as operations on each of its schedules.
 * Only one change of an app runs at a time, so the changes have one order for all schedules. If the
 * answers do not determine the order, there are several interpretations. An unanswered attempt may
 * or may not have changed a schedule, so one interpretation can have several alternatives for each
 * schedule.
 */
final class Interpretations {

  /** The operation number of all changes of an app. */
  private static final int NOT_MANUAL = -2;

  private static final int MAX_ORDERS = 32;

  /** The most changes whose effect is unknown; with more, the schedules are not judged. */
  private static final int MAX_UNKNOWN = 5;

  private Interpretations() {}

  /**
   * One intention of a user: from the first attempt that may have changed something to the last
   * attempt.
   *
   * @param carriedOutBy the instant by which the whole change, or a later one, was certainly
   *     carried out
   */
  private record Step(DeploymentAttempt change, long called, long carriedOutBy, boolean done) {}

  /** All schedules that the app may ever have had. */
  static Set<String> schedules(List<DeploymentAttempt> attempts) {
    Set<String> names = new TreeSet<>();
    attempts.forEach(one -> names.addAll(one.documents().keySet()));
    return names;
  }

  /** For each interpretation, the alternatives by schedule; empty if there would be too many. */
  static List<Map<String, List<List<Operation>>>> of(List<DeploymentAttempt> attempts) {
    List<Map<String, List<List<Operation>>>> interpretations = new ArrayList<>();
    for (List<DeploymentAttempt> order : orders(attempts)) {
      List<List<Step>> choices = choices(steps(order));
      if (choices.isEmpty()) {
        return List.of();
      }
      Map<String, List<List<Operation>>> interpretation = new TreeMap<>();
      for (String name : schedules(attempts)) {
        interpretation.put(name, choices.stream().map(steps -> operations(name, steps)).toList());
      }
      interpretations.add(interpretation);
    }
    return interpretations;
  }

  private static List<List<DeploymentAttempt>> orders(List<DeploymentAttempt> attempts) {
    List<DeploymentAttempt> effective =
        attempts.stream()
            .filter(one -> one.answer() != Answer.REFUSED && one.action() != Action.FAULTY)
            .sorted(Comparator.comparingLong(DeploymentAttempt::called))
            .toList();
    List<List<DeploymentAttempt>> orders = new ArrayList<>();
    addOrders(List.of(), effective, orders);
    return orders.size() > MAX_ORDERS ? List.of() : orders;
  }

  /**
   * Extends an order by each attempt that may be next. An attempt that ended before another one
   * began precedes it.
   */
  private static void addOrders(
      List<DeploymentAttempt> begun,
      List<DeploymentAttempt> rest,
      List<List<DeploymentAttempt>> orders) {
    if (rest.isEmpty()) {
      orders.add(begun);
    }
    for (DeploymentAttempt next : rest) {
      boolean mayBeNext = rest.stream().noneMatch(other -> other.ended() < next.called());
      if (mayBeNext && orders.size() <= MAX_ORDERS) {
        List<DeploymentAttempt> longer = new ArrayList<>(begun);
        longer.add(next);
        List<DeploymentAttempt> others = new ArrayList<>(rest);
        others.remove(next);
        addOrders(longer, others, orders);
      }
    }
  }

  private static List<Step> steps(List<DeploymentAttempt> order) {
    List<Step> steps = new ArrayList<>();
    long latest = Long.MIN_VALUE;
    for (DeploymentAttempt one : order) {
      latest = Math.max(latest, one.called());
      steps.add(new Step(one, latest, one.ended(), one.answer() == Answer.DONE));
    }
    return merged(steps);
  }

  /** Merges successive attempts of one intention into one step. */
  private static List<Step> merged(List<Step> steps) {
    List<Step> merged = new ArrayList<>();
    for (Step step : steps) {
      Step last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (last != null && last.change().number() == step.change().number()) {
        Step both = new Step(last.change(), last.called(), step.carriedOutBy(), step.done());
        merged.set(merged.size() - 1, both);
      } else {
        merged.add(step);
      }
    }
    return merged;
  }

  /**
   * All choices of steps: each step whose effect is unknown is in some choices, and missing in the
   * others.
   */
  private static List<List<Step>> choices(List<Step> steps) {
    List<Step> unknown = steps.stream().filter(step -> !step.done()).toList();
    List<List<Step>> choices = new ArrayList<>();
    for (int mask = 0; unknown.size() <= MAX_UNKNOWN && mask < 1 << unknown.size(); mask++) {
      List<Step> chosen = new ArrayList<>(steps);
      for (int i = 0; i < unknown.size(); i++) {
        if ((mask >> i & 1) == 1) {
          chosen.remove(unknown.get(i));
        }
      }
      choices.add(merged(chosen));
    }
    return choices;
  }

  private static List<Operation> operations(String name, List<Step> steps) {
    List<Operation> operations = new ArrayList<>();
    ScheduleSpec present = null;
    Mode mode = null;
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      DeploymentAttempt change = step.change();
      boolean isConcerned = present != null && change.documents().containsKey(name);
      ScheduleSpec after = after(change, name, present);
      Kind kind =
          switch (change.action()) {
            case SUSPEND -> isConcerned ? Kind.SUSPEND : null;
            case RESUME -> isConcerned ? Kind.RESUME : null;
            default -> kind(present, after);
          };
      if (kind != null) {
        boolean staysAsItIs = kind == Kind.PUT && present != null;
        mode = kind == Kind.SUSPEND ? change.mode() : staysAsItIs ? mode : null;
        operations.add(operation(name, kind, after, mode, step.called(), carriedOutBy(steps, i)));
      }
      present = after;
    }
    return operations;
  }

  /** The kind of the change; null for no change. */
  private static @Nullable Kind kind(@Nullable ScheduleSpec before, @Nullable ScheduleSpec after) {
    if (Objects.equals(before, after)) {
      return null;
    }
    return after == null ? Kind.DELETE : Kind.PUT;
  }

  private static @Nullable ScheduleSpec after(
      DeploymentAttempt change, String name, @Nullable ScheduleSpec present) {
    ScheduleSpec document = change.documents().get(name);
    return switch (change.action()) {
      case DEPLOY -> document;
      case PRUNE -> document == null ? null : present;
      case DELETE -> null;
      case FAULTY, PROGRAM, SUSPEND, RESUME -> present;
    };
  }

  /**
   * The instant by which a step was certainly carried out. An unanswered attempt has ended once a
   * later change was answered.
   */
  private static long carriedOutBy(List<Step> steps, int index) {
    return steps.subList(index, steps.size()).stream()
        .filter(Step::done)
        .mapToLong(Step::carriedOutBy)
        .findFirst()
        .orElse(History.NEVER);
  }

  private static Operation operation(
      String name,
      Kind kind,
      @Nullable ScheduleSpec after,
      @Nullable Mode mode,
      long called,
      long carriedOutBy) {
    ScheduleSpec spec = kind == Kind.PUT ? after : null;
    boolean done = carriedOutBy != History.NEVER;
    return new Operation(
        name, kind, NOT_MANUAL, spec, called, carriedOutBy, done, null, mode, History.NEVER, null);
  }
}
