package dev.carillon.run;

import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The operations of a job, and the state of each.
 *
 * @param all in the order of the schedule document or the launch
 * @param reported the states by operation; an operation without one is WAITING
 */
public record Operations(List<Operation> all, Map<String, OperationState> reported) {

  public static final Operations NONE = of(List.of());

  /** The states are sorted, so that a list of operations reads the same in each process. */
  public Operations {
    reported = Collections.unmodifiableMap(new TreeMap<>(reported));
  }

  /** Operations that have not begun. */
  public static Operations of(List<Operation> all) {
    return new Operations(List.copyOf(all), Map.of());
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  public OperationState stateOf(Operation operation) {
    return reported.getOrDefault(operation.id(), OperationState.WAITING);
  }

  /** Whether a worker can report these operations. */
  public boolean contains(Set<String> ids) {
    Set<String> unknown = new HashSet<>(ids);
    all.forEach(operation -> unknown.remove(operation.id()));
    return unknown.isEmpty();
  }

  /**
   * The operations with the states that a worker has reported. One that is SUCCEEDED becomes
   * neither RUNNING nor WAITING, because a heartbeat can take effect after a later one.
   */
  public Operations with(Map<String, OperationState> newest) {
    Map<String, OperationState> states = new HashMap<>(reported);
    newest.forEach((id, state) -> states.merge(id, state, Operations::following));
    return new Operations(all, states);
  }

  private static OperationState following(OperationState known, OperationState reported) {
    boolean isDone = known == OperationState.SUCCEEDED && reported != OperationState.FAILED;
    return isDone ? known : reported;
  }

  /**
   * What a late report adds: the operations that have succeeded, except those for which a newer
   * report says otherwise.
   */
  public Map<String, OperationState> doneBy(Map<String, OperationState> late) {
    Map<String, OperationState> done = new HashMap<>(late);
    done.entrySet()
        .removeIf(
            one ->
                one.getValue() != OperationState.SUCCEEDED
                    || reported.get(one.getKey()) == OperationState.SUCCEEDED
                    || reported.get(one.getKey()) == OperationState.FAILED);
    return done;
  }

  /**
   * The operations for the next attempt: those that were RUNNING are WAITING again. Those that are
   * SUCCEEDED or FAILED stay so.
   */
  Operations interrupted() {
    Map<String, OperationState> states = new HashMap<>(reported);
    states.values().removeIf(OperationState.RUNNING::equals);
    return new Operations(all, states);
  }

  /**
   * The operations that a worker may begin, because all operations that must come before them have
   * succeeded.
   */
  public List<Operation> ready() {
    return all.stream().filter(this::isReady).toList();
  }

  private boolean isReady(Operation operation) {
    OperationState state = stateOf(operation);
    return (state == OperationState.WAITING || state == OperationState.FAILED)
        && operation.after().stream().allMatch(id -> reported.get(id) == OperationState.SUCCEEDED);
  }

  /** How many operations are in each state. States without operations are left out. */
  public Map<OperationState, Integer> counts() {
    Map<OperationState, Integer> counts = new EnumMap<>(OperationState.class);
    all.forEach(operation -> counts.merge(stateOf(operation), 1, Integer::sum));
    return counts;
  }
}
