package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.Deploying.Action;
import dev.carillon.campaign.judge.Deploying.Answer;
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
 * What changes of an app do to its schedules, as operations on each. Only one changes an app at a
 * time, so there is an order in which they came one after another, the same for all its schedules;
 * where the answers do not tell it, there are several readings. Nor do they tell whether a try that
 * got none changed a schedule; so in one reading there may be several ways for each.
 */
final class Readings {

  /** What an operation of an app has instead of a number. */
  private static final int NOT_BY_HAND = -2;

  private static final int MOST_ORDERS = 32;

  /** Above it nobody looks for what was done. */
  private static final int MOST_UNKNOWN = 5;

  private Readings() {}

  /**
   * What one user wanted, from its first try that may have changed something to its last.
   *
   * @param sure when all of it, or of another change that came later, was certainly carried out
   */
  private record Step(Deploying change, long called, long sure, boolean done) {}

  /** All schedules that may ever have been the app's. */
  static Set<String> schedules(List<Deploying> tries) {
    Set<String> names = new TreeSet<>();
    tries.forEach(one -> names.addAll(one.documents().keySet()));
    return names;
  }

  /** Of each reading, by schedule, the ways; no reading where there would be too many. */
  static List<Map<String, List<List<Operation>>>> of(List<Deploying> tries) {
    List<Map<String, List<List<Operation>>>> readings = new ArrayList<>();
    for (List<Deploying> order : orders(tries)) {
      List<List<Step>> choices = choices(steps(order));
      if (choices.isEmpty()) {
        return List.of();
      }
      Map<String, List<List<Operation>>> reading = new TreeMap<>();
      for (String name : schedules(tries)) {
        reading.put(name, choices.stream().map(steps -> operations(name, steps)).toList());
      }
      readings.add(reading);
    }
    return readings;
  }

  private static List<List<Deploying>> orders(List<Deploying> tries) {
    List<Deploying> effective =
        tries.stream()
            .filter(one -> one.answer() != Answer.REFUSED && one.action() != Action.FAULTY)
            .sorted(Comparator.comparingLong(Deploying::called))
            .toList();
    List<List<Deploying>> orders = new ArrayList<>();
    addOrders(List.of(), effective, orders);
    return orders.size() > MOST_ORDERS ? List.of() : orders;
  }

  /** What was over before another began came before it. */
  private static void addOrders(
      List<Deploying> begun, List<Deploying> rest, List<List<Deploying>> orders) {
    if (rest.isEmpty()) {
      orders.add(begun);
    }
    for (Deploying next : rest) {
      boolean mayBeNext = rest.stream().noneMatch(other -> other.ended() < next.called());
      if (mayBeNext && orders.size() <= MOST_ORDERS) {
        List<Deploying> longer = new ArrayList<>(begun);
        longer.add(next);
        List<Deploying> others = new ArrayList<>(rest);
        others.remove(next);
        addOrders(longer, others, orders);
      }
    }
  }

  private static List<Step> steps(List<Deploying> order) {
    List<Step> steps = new ArrayList<>();
    long latest = Long.MIN_VALUE;
    for (Deploying one : order) {
      latest = Math.max(latest, one.called());
      steps.add(new Step(one, latest, one.ended(), one.answer() == Answer.DONE));
    }
    return merged(steps);
  }

  /** Tries of one thing that follow each other are one step. */
  private static List<Step> merged(List<Step> steps) {
    List<Step> merged = new ArrayList<>();
    for (Step step : steps) {
      Step last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (last != null && last.change().number() == step.change().number()) {
        Step both = new Step(last.change(), last.called(), step.sure(), step.done());
        merged.set(merged.size() - 1, both);
      } else {
        merged.add(step);
      }
    }
    return merged;
  }

  /** With and without each step of which nobody knows whether it changed anything. */
  private static List<List<Step>> choices(List<Step> steps) {
    List<Step> unknown = steps.stream().filter(step -> !step.done()).toList();
    List<List<Step>> choices = new ArrayList<>();
    for (int mask = 0; unknown.size() <= MOST_UNKNOWN && mask < 1 << unknown.size(); mask++) {
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
    Wish present = null;
    Mode mode = null;
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      Deploying change = step.change();
      boolean isMeant = present != null && change.documents().containsKey(name);
      Wish after = after(change, name, present);
      Kind kind =
          switch (change.action()) {
            case SUSPEND -> isMeant ? Kind.SUSPEND : null;
            case RESUME -> isMeant ? Kind.RESUME : null;
            default -> kind(present, after);
          };
      if (kind != null) {
        boolean staysAsItIs = kind == Kind.PUT && present != null;
        mode = kind == Kind.SUSPEND ? change.mode() : staysAsItIs ? mode : null;
        operations.add(operation(name, kind, after, mode, step.called(), sure(steps, i)));
      }
      present = after;
    }
    return operations;
  }

  /** Null for one that is as it was. */
  private static @Nullable Kind kind(@Nullable Wish before, @Nullable Wish after) {
    if (Objects.equals(before, after)) {
      return null;
    }
    return after == null ? Kind.DELETE : Kind.PUT;
  }

  private static @Nullable Wish after(Deploying change, String name, @Nullable Wish present) {
    Wish document = change.documents().get(name);
    return switch (change.action()) {
      case DEPLOY -> document;
      case PRUNE -> document == null ? null : present;
      case DELETE -> null;
      case FAULTY, PROGRAM, SUSPEND, RESUME -> present;
    };
  }

  /** A try without an answer is over when another change was answered. */
  private static long sure(List<Step> steps, int index) {
    return steps.subList(index, steps.size()).stream()
        .filter(Step::done)
        .mapToLong(Step::sure)
        .findFirst()
        .orElse(History.NEVER);
  }

  private static Operation operation(
      String name, Kind kind, @Nullable Wish after, @Nullable Mode mode, long called, long sure) {
    Wish wish = kind == Kind.PUT ? after : null;
    boolean done = sure != History.NEVER;
    return new Operation(
        name, kind, NOT_BY_HAND, wish, called, sure, done, null, mode, History.NEVER, null);
  }
}
