package dev.carillon.contract;

import dev.carillon.document.Json;
import dev.carillon.event.Event;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.Job;
import dev.carillon.job.NewJob;
import dev.carillon.job.TriggerState;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Life;
import dev.carillon.schedule.Period;
import dev.carillon.schedule.Periods;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.schedule.SuspendedBy;
import dev.carillon.timer.Timer;
import dev.carillon.trigger.LeafCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Sample objects for the tests of the stores. */
final class Samples {

  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  static final ScheduleId REPORT = new ScheduleId("default", "report");

  private Samples() {}

  static ScheduleId schedule(String name) {
    return new ScheduleId("default", name);
  }

  static Head anActiveHead(ScheduleId id) {
    return new Head(id, 1, Life.begun(1, 1, null, null, NOW), null, "exporter", "exports");
  }

  /** The head after one more change. */
  static Head inState(Head head, ScheduleState state) {
    boolean isSuspended = state == ScheduleState.SUSPENDED;
    SuspendMode mode = isSuspended ? SuspendMode.DISCARD : null;
    Periods periods = new Periods(List.of(new Period(mode, NOW.plusSeconds(5))));
    long activation = head.activation() + 1;
    return new Head(
        head.id(),
        head.version() + 1,
        new Life(head.generation(), state, activation, activation, activation, periods, null),
        isSuspended ? new SuspendedBy("ann", null, NOW) : null,
        head.program(),
        head.app());
  }

  /** The head after a change of its generation. */
  static Head ofNextGeneration(Head head) {
    long activation = head.activation() + 1;
    return new Head(
        head.id(),
        head.version() + 1,
        Life.begun(head.generation() + 1, activation, null, null, NOW.plusSeconds(9)),
        null,
        head.program(),
        head.app());
  }

  static Definition aDefinition(Head head) {
    return aDefinition(
        head,
        """
        {"trigger": {"type": "and", "triggers": [
           {"type": "partition", "dataset": "ns.purchases", "count": 4},
           {"type": "cron", "expression": "0 0 3 * * ?"}]},
         "tags": {"team": "data"}, "target": {"queue": "q", "template": {"rate": 1.5}}}""");
  }

  static Definition aDefinition(Head head, String document) {
    return new Definition(
        head.id(),
        head.generation(),
        Json.readObject(document),
        NOW.minusSeconds(60),
        NOW.minusSeconds(90),
        "ann",
        NOW);
  }

  static Change aCreation(Head head, Set<String> keys) {
    return new Change(null, head, aDefinition(head), Set.of(), keys, List.of());
  }

  static Timer aTimer(ScheduleId id, Instant dueAt) {
    return new Timer(
        id,
        dueAt,
        3,
        0,
        2,
        Json.readObject(
            "{\"type\": \"cron\", \"expression\": \"0 0 3 * * ?\", \"zone\": \"UTC\"}"));
  }

  /** The timers that were put, out of those that were read. */
  static List<Timer> asPut(List<Timer> read) {
    return read.stream().map(timer -> timer.movedTo(timer.dueAt())).toList();
  }

  static Job aPlainJob(ScheduleId id, Instant scheduledFor) {
    return NewJob.launchingFire(
        JobId.ofFire(id, 1, scheduledFor),
        2,
        "exporter",
        scheduledFor.plusMillis(40),
        scheduledFor.plusSeconds(15));
  }

  static Job anEventJob(ScheduleId id, long sequence) {
    return NewJob.triggered(
        JobId.ofEvents(id, 1, NOW, sequence),
        2,
        "exporter",
        NOW.plusSeconds(3),
        NOW,
        NOW.plusSeconds(4),
        aTriggerState(3),
        null);
  }

  static TriggerState aTriggerState(int events) {
    return new TriggerState(
        List.of(new LeafCount(4, events, null), new LeafCount(1, 1, NOW.minusSeconds(30))),
        IntStream.range(0, events).mapToObj(Samples::anEvent).toList(),
        7);
  }

  static Event anEvent(int number) {
    return new Event(
        "event-" + number,
        "default",
        NOW.plusMillis(number),
        "PARTITION",
        Json.readObject(
            "{\"datasetId\": \"ns.purchases\", \"rate\": 0.25, \"partitionKeys\": [\"p"
                + number
                + "\", null, true, 12345678901234567890]}"),
        Map.of("partition:ns.purchases", 1L));
  }

  static CollectingJob aCollectingJob(ScheduleId id, long version, OpenJob open) {
    return new CollectingJob(id, version, 1, 2, version, NOW.plusSeconds(version), open);
  }

  static OpenJob anOpenJob(ScheduleId id, int events) {
    return new OpenJob(JobId.ofEvents(id, 1, NOW, 1), NOW, aTriggerState(events));
  }

  static Set<Long> hashes(long from, long to) {
    return LongStream.range(from, to)
        .map(it -> it * 0x9E3779B97F4A7C15L)
        .boxed()
        .collect(Collectors.toSet());
  }

  /** Runs a call in several threads that start together. */
  static <T> List<T> sideBySide(int threads, Callable<T> call) throws Exception {
    Servers.assumeKeepsRequestsApart();
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<T>> futures =
          executor.invokeAll(IntStream.range(0, threads).mapToObj(i -> call).toList());
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    } finally {
      executor.shutdownNow();
    }
  }
}
