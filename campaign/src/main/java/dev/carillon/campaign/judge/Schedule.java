package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The history of one schedule.
 *
 * @param spans when fires and events created jobs
 * @param launching when jobs were launched
 * @param lives when pending jobs were kept
 * @param documents when a document was stored, in any state
 */
record Schedule(
    String name,
    List<Operation> operations,
    List<Phase> phases,
    List<Span> spans,
    List<Span> launching,
    List<Span> lives,
    List<Span> documents,
    List<Launch> launches) {

  static Schedule of(String name, List<Operation> operations, Map<String, List<Launch>> launches) {
    return new Schedule(
        name, operations, Phase.of(operations), launches.getOrDefault(name, List.of()));
  }

  private Schedule(
      String name, List<Operation> operations, List<Phase> phases, List<Launch> launches) {
    this(
        name,
        operations,
        phases,
        Span.of(phases, Phase::opens),
        Span.of(phases, Phase::launches),
        Span.of(phases, Phase::keeps),
        Span.of(phases, phase -> phase.spec() != null),
        launches);
  }

  /**
   * The latest instant for a launch that was possible at {@code ready}; NEVER if none is required.
   */
  long deadline(History history, int life, long ready, ScheduleSpec spec) {
    for (Span span : launching) {
      if (span.life() == life && span.endsFrom() > ready && span.beginsBy() != History.NEVER) {
        long bound = history.bound(Math.max(ready, span.beginsBy()), spec);
        if (bound <= span.endsFrom()) {
          return bound;
        }
      }
    }
    return History.NEVER;
  }

  /** The operations that cancel pending jobs. Each of these operations begins another life. */
  List<Operation> cancelling() {
    List<Operation> cancelling = new ArrayList<>();
    for (int i = 1; i < phases.size(); i++) {
      Phase phase = phases.get(i);
      if (phase.life() != phases.get(i - 1).life()) {
        operations.stream().filter(o -> o.called() == phase.from()).forEach(cancelling::add);
      }
    }
    return cancelling;
  }

  /** The phases since pending jobs were last cancelled. */
  List<Phase> lastLife() {
    return phases.stream()
        .filter(phase -> phase.life() == phases.get(phases.size() - 1).life())
        .toList();
  }

  /** The instant at which a backfill was requested; 0 if the api never answered the request. */
  long askedAt(String backfill) {
    return operations.stream()
        .filter(o -> o.kind() == History.Kind.BACKFILL && o.done())
        .filter(o -> String.valueOf(o.answer()).startsWith(backfill + " "))
        .mapToLong(Operation::called)
        .findFirst()
        .orElse(0);
  }

  /** The cancellations of a backfill. */
  List<Operation> cancellations(String backfill) {
    return operations.stream()
        .filter(o -> o.kind() == History.Kind.CANCEL && backfill.equals(o.answer()))
        .toList();
  }

  /** Whether a fire may belong to two stored versions of the same document. */
  boolean mayRecur(ScheduleSpec spec, long fire) {
    long stored = operations.stream().filter(o -> spec.equals(o.spec())).count();
    return stored > 1
        && spans.stream()
                .filter(span -> span.spec().equals(spec) && span.mayHold(fire, Judge.SKEW))
                .count()
            > 1;
  }

  /** The document of a version; null if it was never stored. */
  @Nullable ScheduleSpec document(int version) {
    return documents.stream()
        .map(Span::spec)
        .filter(spec -> spec.version() == version)
        .findFirst()
        .orElse(null);
  }

  TimeoutClock clock() {
    return new TimeoutClock(Span.of(phases, Phase::holds));
  }

  /** Whether jobs may have been held back at some time between two instants. */
  boolean mayHold(long from, long to) {
    return Span.of(phases, Phase::holds).stream()
        .anyMatch(span -> span.beginsFrom() <= to && span.endsBy() >= from);
  }

  /** Whether a job of the schedule may have counted more events than it names. */
  boolean mayOmitEvents(History history) {
    return Stream.of(
            launches.stream().map(Launch::events),
            history.jobs().stream()
                .filter(stored -> stored.schedule().equals(name))
                .map(History.StoredJob::events),
            history.open().stream()
                .filter(stored -> stored.schedule().equals(name))
                .map(History.StoredCollectingJob::events))
        .flatMap(all -> all)
        .anyMatch(events -> events.size() >= History.MOST_EVENTS);
  }

  /** Whether its documents have a {@link Condition}; either all of them have one, or none has. */
  boolean hasCondition() {
    return operations.stream().anyMatch(o -> o.spec() != null && o.spec().condition() != null);
  }

  boolean deletesItself() {
    return operations.stream().anyMatch(o -> o.spec() != null && o.spec().deletesItself());
  }
}
