package dev.carillon.bench.coldstart;

import dev.carillon.local.ColdStarts;
import dev.carillon.local.ColdStarts.EventTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Compares a function with a {@link BareHandler}, the smallest function for the same kind of event.
 *
 * @param bare the artifact of the bare functions
 * @param requests the requests of the function's first event
 */
record Compared(
    ColdStarts starts, String function, FirstEvents events, Path bare, String requests) {

  /**
   * One start of each kind.
   *
   * @param cold milliseconds from the start of the function's process to its first answer
   * @param bareCold the same for the bare function
   * @param primed the function's first event after priming
   * @param barePrimed the first event of the bare function that makes the same requests
   * @param bareSecond the second event of the bare function that makes two requests for each event
   */
  record Round(
      double cold, double bareCold, EventTime primed, EventTime barePrimed, EventTime bareSecond) {}

  /**
   * One round. The starts that are compared follow one another directly, and their order alternates
   * from round to round.
   */
  Round round(int number) {
    boolean bareFirst = number % 2 == 0;
    List<Double> cold = inOrder(List.of(this::bareCold, this::cold), bareFirst);
    List<EventTime> events =
        inOrder(List.of(this::bareSecond, this::barePrimed, this::primed), bareFirst);
    return new Round(cold.get(1), cold.get(0), events.get(2), events.get(1), events.get(0));
  }

  /**
   * Makes the starts in the order of the list, or in the reverse order. The results always have the
   * order of the list.
   */
  private static <T> List<T> inOrder(List<Supplier<T>> starts, boolean forwards) {
    List<Supplier<T>> order = new ArrayList<>(starts);
    if (!forwards) {
      Collections.reverse(order);
    }
    List<T> results = new ArrayList<>();
    order.forEach(start -> results.add(start.get()));
    if (!forwards) {
      Collections.reverse(results);
    }
    return results;
  }

  private double cold() {
    return starts.millis(function, events.of(function));
  }

  private double bareCold() {
    return starts.millis(function, handler(), bare, events.of(function));
  }

  private EventTime primed() {
    return starts.primed(function, events.of(function));
  }

  private EventTime barePrimed() {
    Map<String, String> variables = Map.of(BareHandler.REQUESTS, requests);
    return starts.first(function, handler(), bare, variables, events.of(function));
  }

  private EventTime bareSecond() {
    return starts.second(function, handler(), bare, events.of(function));
  }

  private String handler() {
    return BareArtifact.handlerFor(function);
  }
}
