package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.Run;
import dev.carillon.campaign.judge.History.StoredJob;
import dev.carillon.campaign.judge.History.Why;
import dev.carillon.campaign.judge.LimitFacts.Repeat;
import dev.carillon.campaign.judge.LimitFacts.ReportedEnd;
import dev.carillon.campaign.judge.PoolFacts.PoolVersion;
import dev.carillon.campaign.judge.PoolFacts.Stay;
import dev.carillon.campaign.judge.ScheduleSpec.At;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A hand-written history of schedules with limits; instants are seconds. */
final class LimitHistory {

  private static final long START = Instant.parse("2026-03-01T10:00:00Z").toEpochMilli();

  private final Map<String, ScheduleSpec> documents = new TreeMap<>();
  private final List<Operation> operations = new ArrayList<>();
  private final List<Arrival> arrivals = new ArrayList<>();
  private final List<StoredJob> jobs = new ArrayList<>();
  private final List<Run> runs = new ArrayList<>();
  private final List<ReportedEnd> ends = new ArrayList<>();
  private final Set<String> interrupted = new HashSet<>();
  private final List<Repeat> repeats = new ArrayList<>();
  private final List<PoolVersion> versions = new ArrayList<>();
  private final List<Stay> stays = new ArrayList<>();
  private final List<Long> failures = new ArrayList<>();
  private long skew;
  private long indexLag;

  static long at(double second) {
    return START + Math.round(second * 1_000);
  }

  /** A schedule that is stored at an instant; its trigger does not fire. */
  LimitHistory stored(double second, String name, Limits limits) {
    At never = new At(at(-100));
    ScheduleSpec spec =
        new ScheduleSpec(operations.size() + 1, Join.ANY, List.of(never), false).limitedBy(limits);
    documents.put(name, spec);
    return stored(second, name, spec);
  }

  /** A schedule of any document that is stored at an instant. */
  LimitHistory stored(double second, String name, ScheduleSpec spec) {
    operations.add(
        new Operation(
            name,
            History.Kind.PUT,
            operations.size() + 1,
            spec,
            at(second),
            at(second),
            true,
            null));
    return this;
  }

  /** Reads of the index can be behind. */
  LimitHistory withIndexLag(long millis) {
    indexLag = millis;
    return this;
  }

  LimitHistory deleted(double second, String name) {
    operations.add(
        new Operation(
            name,
            History.Kind.DELETE,
            operations.size() + 1,
            null,
            at(second),
            at(second),
            true,
            null));
    return this;
  }

  LimitHistory launched(double second, String name, String jobId) {
    return arrived(second, name, jobId, false);
  }

  /** A launch of which no function may know. */
  LimitHistory launchedUnknown(double second, String name, String jobId) {
    return arrived(second, name, jobId, true);
  }

  private LimitHistory arrived(double second, String name, String jobId, boolean explained) {
    String body =
        "{\"v\": %d, \"at\": \"%s\", \"trigger\": {}}"
            .formatted(documents.get(name).version(), Instant.ofEpochMilli(at(second)));
    arrivals.add(new Arrival(at(second), jobId, 1, name, body, at(second), explained));
    return this;
  }

  /** A request that was sent again, and that its FIFO queue dropped. */
  LimitHistory repeated(double second, String name, String jobId) {
    repeats.add(new Repeat(name, jobId, at(second), at(second)));
    return this;
  }

  /** The report that a run has ended. */
  LimitHistory ended(double second, String program, String jobId, boolean names, String status) {
    ends.add(new ReportedEnd("end-" + ends.size(), program, jobId, names, status, at(second)));
    return this;
  }

  /** A job that was first checked, and stored, at an instant. */
  LimitHistory job(String jobId, String schedule, String state, double second) {
    jobs.add(job(jobId, schedule, state, second, Why.NOTHING));
    return this;
  }

  /** A job that enters the pool when it becomes READY, and is neither chosen nor ended. */
  LimitHistory waited(double second, String schedule, String jobId) {
    long never = History.NEVER;
    long since = at(second);
    stays.add(
        new Stay(
            jobId, "c", 0, since, since, since, since, never, 0, never, false, never, never, never,
            never, never));
    return job(jobId, schedule, "READY", second);
  }

  /** A definition of the pool that is stored at an instant. */
  LimitHistory pool(double second, boolean isFifo) {
    return pool(second, new PoolSpec(true, 100, isFifo, Map.of(), Map.of(), false));
  }

  LimitHistory pool(double second, PoolSpec definition) {
    versions.add(new PoolVersion(at(second), at(second), definition));
    return this;
  }

  /**
   * A job that enters the pool when it becomes READY, and is chosen.
   *
   * @param named when it last got a row with its customer's name
   */
  LimitHistory chosen(
      double second, String schedule, String jobId, double ready, double named, int turn) {
    return chosen(second, schedule, "c", jobId, ready, named, turn);
  }

  /** The same for a job of any customer. */
  LimitHistory chosen(
      double second,
      String schedule,
      String customer,
      String jobId,
      double ready,
      double named,
      int turn) {
    long never = History.NEVER;
    long since = at(ready);
    long chosen = at(second);
    stays.add(
        new Stay(
            jobId, customer, 0, since, since, since, at(named), chosen, turn, chosen, false, chosen,
            chosen, chosen, chosen, never));
    return job(jobId, schedule, "RUNNING", ready);
  }

  /** An invocation that may have moved jobs failed. */
  LimitHistory failed(double second) {
    failures.add(at(second));
    return this;
  }

  static StoredJob job(String jobId, String schedule, String state, double second, Why why) {
    long at = at(second);
    return new StoredJob(
        jobId, schedule, state, true, at, at, at, List.of(), History.NEVER, List.of(), why, "");
  }

  ScheduleSpec document(String name) {
    return documents.get(name);
  }

  LimitHistory interrupted(String jobId) {
    interrupted.add(jobId);
    return this;
  }

  LimitHistory withWrongClocks() {
    skew = Judge.SKEW;
    return this;
  }

  History history() {
    return new History(
        START,
        History.NEVER,
        skew > 0 ? at(500) : START,
        60_000,
        START,
        at(500),
        operations,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        arrivals,
        jobs,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        skew,
        indexLag,
        null,
        new LimitFacts(runs, ends, interrupted, repeats),
        List.of(),
        new PoolFacts(versions, stays, failures, List.of(), List.of()),
        List.of());
  }

  LimitedLaunches launches() {
    History history = history();
    Map<String, List<Launch>> launches = new TreeMap<>();
    arrivals.forEach(
        it ->
            launches.computeIfAbsent(it.schedule(), any -> new ArrayList<>()).add(Launch.read(it)));
    List<Schedule> schedules = new ArrayList<>();
    history
        .operationsBySchedule()
        .forEach((name, done) -> schedules.add(Schedule.of(name, done, launches)));
    return LimitedLaunches.of(history, schedules);
  }
}
