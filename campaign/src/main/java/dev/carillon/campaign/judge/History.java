package dev.carillon.campaign.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What happened in an episode, observed from outside. All instants are epoch milliseconds of the
 * simulator's clock, not of a function's clock.
 *
 * @param faultsFrom when the first fault was injected; {@link Long#MAX_VALUE} if none was
 * @param faultsTo the instant after which no fault is injected
 * @param repair milliseconds after the last fault within which the system has recovered
 * @param openFrom the instant from which no gauge holds jobs back
 * @param calendar the versions of the calendar in order; the first precedes everything else
 * @param calendarDeletions attempts to delete the calendar
 * @param deployments attempts to change the app. The schedules of the app are changed only by these
 *     attempts, never by an {@link Operation}
 * @param jobs the stored jobs at the end
 * @param open the collecting jobs at the end
 * @param rejected the bodies of rejected events
 * @param violations violations of limits that were observed at some instant
 * @param broken failures that occurred while no fault was active, or that the active faults do not
 *     explain
 * @param runs runs of programs whose unfinished attempts are limited
 * @param launchFailures the first failure of each job that had one
 * @param strandedJobs jobs that waited at an open gate at some instant while no check was planned
 * @param skew by how many milliseconds the clocks of functions may be off while faults are injected
 * @param indexLag by how many milliseconds a read of the event-key index can be older than an
 *     earlier read; 0 if it never is
 * @param outage the time in which the master did not run; null for none
 * @param limits observations of programs with further limits
 * @param runCalls the requests about attempts of tracked jobs, in the order in which they were sent
 * @param pool observations of the pool
 * @param callbacks the callbacks that arrived
 */
public record History(
    long start,
    long faultsFrom,
    long faultsTo,
    long repair,
    long openFrom,
    long end,
    List<Operation> operations,
    List<CalendarVersion> calendar,
    List<CalendarDeletion> calendarDeletions,
    List<DeploymentAttempt> deployments,
    List<Announcement> announcements,
    List<String> malformed,
    List<Arrival> arrivals,
    List<StoredJob> jobs,
    List<StoredCollectingJob> open,
    List<StoredBackfill> backfills,
    List<String> rejected,
    List<Violation> violations,
    List<Violation> broken,
    List<Run> runs,
    List<LaunchFailure> launchFailures,
    List<StrandedJob> strandedJobs,
    long skew,
    long indexLag,
    @Nullable TimeRange outage,
    LimitFacts limits,
    List<RunCall> runCalls,
    PoolFacts pool,
    List<ArrivedCallback> callbacks) {

  public static final long NEVER = Long.MAX_VALUE;

  /** A history without a pool and without callbacks. */
  public History(
      long start,
      long faultsFrom,
      long faultsTo,
      long repair,
      long openFrom,
      long end,
      List<Operation> operations,
      List<CalendarVersion> calendar,
      List<CalendarDeletion> calendarDeletions,
      List<DeploymentAttempt> deployments,
      List<Announcement> announcements,
      List<String> malformed,
      List<Arrival> arrivals,
      List<StoredJob> jobs,
      List<StoredCollectingJob> open,
      List<StoredBackfill> backfills,
      List<String> rejected,
      List<Violation> violations,
      List<Violation> broken,
      List<Run> runs,
      List<LaunchFailure> launchFailures,
      List<StrandedJob> strandedJobs,
      long skew,
      long indexLag,
      @Nullable TimeRange outage,
      LimitFacts limits,
      List<RunCall> runCalls) {
    this(
        start,
        faultsFrom,
        faultsTo,
        repair,
        openFrom,
        end,
        operations,
        calendar,
        calendarDeletions,
        deployments,
        announcements,
        malformed,
        arrivals,
        jobs,
        open,
        backfills,
        rejected,
        violations,
        broken,
        runs,
        launchFailures,
        strandedJobs,
        skew,
        indexLag,
        outage,
        limits,
        runCalls,
        PoolFacts.NONE,
        List.of());
  }

  /**
   * A run that a request started; it ends before {@code to}.
   *
   * @param known whether the gate of the program counts the run: the sender of the request can know
   *     that it started, and its slot was not lost with a gate
   */
  public record Run(String jobId, long from, long to, boolean known) {}

  /**
   * An invariant that did not hold.
   *
   * @param about the job, gate, backfill, request or function, as a trace names it
   */
  public record Violation(String about, String what) {}

  /** The modes of a suspension. */
  public enum Mode {
    DISCARD,
    DRAIN,
    BACKLOG,
    HOLD
  }

  /** The operations of users on a schedule. */
  public enum Kind {
    PUT,
    LABEL,
    SUSPEND,
    RESUME,
    DELETE,
    LAUNCH,
    SKIP,
    BACKFILL,
    /** Cancels a backfill. */
    CANCEL
  }

  /**
   * One operation of a user, from its first call to its answer.
   *
   * @param spec the document of a PUT
   * @param number identifies the operation; it travels in the body of a launch
   * @param called when it was first called
   * @param returned when it was finally answered; {@link #NEVER} if it was not
   * @param done whether it succeeded, according to its answer
   * @param answer for a launch the job id, for a skip the fire, for a backfill its id and number of
   *     fires, for a cancellation the id of the backfill
   * @param mode the mode of a suspension; for a PUT, the mode in which the schedule stays suspended
   * @param until when a suspension ends; {@link #NEVER} if it has no end
   * @param backfillRange the range of a backfill
   */
  public record Operation(
      String schedule,
      Kind kind,
      int number,
      @Nullable ScheduleSpec spec,
      long called,
      long returned,
      boolean done,
      @Nullable String answer,
      @Nullable Mode mode,
      long until,
      @Nullable BackfillRange backfillRange) {

    /** An operation other than a backfill; a suspension has the mode discard. */
    public Operation(
        String schedule,
        Kind kind,
        int number,
        @Nullable ScheduleSpec spec,
        long called,
        long returned,
        boolean done,
        @Nullable String answer) {
      this(
          schedule,
          kind,
          number,
          spec,
          called,
          returned,
          done,
          answer,
          kind == Kind.SUSPEND ? Mode.DISCARD : null,
          NEVER,
          null);
    }

    boolean isUnknown() {
      return returned == NEVER;
    }
  }

  /**
   * One version of the calendar.
   *
   * @param called when the change was first called
   * @param returned when it was answered
   * @param keepsFormer whether the calendar keeps its previous version; false if this version
   *     replaced an unreadable calendar
   */
  public record CalendarVersion(
      long called, long returned, List<TimeRange> excludes, boolean keepsFormer) {

    /** A change of a readable calendar. */
    public CalendarVersion(long called, long returned, List<TimeRange> excludes) {
      this(called, returned, excludes, true);
    }

    /**
     * This version. If the unreadable calendar was replaced during this change, the version has no
     * previous one.
     */
    CalendarVersion replacing(long unreadableUntil) {
      boolean keeps = called > unreadableUntil || returned < unreadableUntil;
      return new CalendarVersion(called, returned, excludes, keeps && keepsFormer);
    }
  }

  /**
   * A deletion of the calendar.
   *
   * @param called when the change was first called
   * @param returned when it was answered
   * @param done false if it was refused
   */
  public record CalendarDeletion(long called, long returned, boolean done) {}

  /** The time from one instant, inclusive, to another, exclusive. */
  public record TimeRange(long from, long to) {
    boolean contains(long instant) {
      return instant >= from && instant < to;
    }
  }

  /**
   * The range of fires that a backfill launches.
   *
   * @param from exclusive
   * @param to inclusive
   */
  public record BackfillRange(long from, long to) {}

  /**
   * A backfill as stored at the end.
   *
   * @param state RUNNING, COMPLETED or CANCELLED
   */
  public record StoredBackfill(String id, String schedule, String state) {}

  /**
   * An event.
   *
   * @param dataset the data set whose partitions it announces; empty if it announces none
   * @param sent the earliest instant at which it may have been received
   * @param accepted the instant at which its sender knew that it was accepted; {@link #NEVER} if
   *     the sender does not know
   * @param fact its content if it announces no partitions
   */
  public record Announcement(
      String id, String dataset, long weight, long sent, long accepted, @Nullable Fact fact) {

    /** An event that announces partitions. */
    public Announcement(String id, String dataset, long weight, long sent, long accepted) {
      this(id, dataset, weight, sent, accepted, null);
    }
  }

  /**
   * A request in a target queue.
   *
   * @param clock the latest instant that the sending checker had read from its clock
   * @param explained whether a fault hit the sender during or after the send, so that no function
   *     can know of the request
   * @param backfill the backfill that names the job; empty for none
   * @param sent when the call that sent the request began
   * @param group its message group; empty for none
   */
  public record Arrival(
      long at,
      String jobId,
      int attempt,
      String schedule,
      String body,
      long clock,
      boolean explained,
      String backfill,
      long sent,
      String group) {

    /** A request that arrived when it was sent. */
    public Arrival(
        long at,
        String jobId,
        int attempt,
        String schedule,
        String body,
        long clock,
        boolean explained,
        String backfill) {
      this(at, jobId, attempt, schedule, body, clock, explained, backfill, at, "");
    }

    /** A request of a job without a backfill. */
    public Arrival(
        long at,
        String jobId,
        int attempt,
        String schedule,
        String body,
        long clock,
        boolean explained) {
      this(at, jobId, attempt, schedule, body, clock, explained, "");
    }
  }

  /** A callback in its queue, by the job id and the attempt that identify it. */
  public record ArrivedCallback(String jobId, String schedule, int attempt) {}

  /** The stored reason of a transition: a code and its arguments. */
  public record Why(String code, List<String> arguments) {
    /** No reason. */
    public static final Why NOTHING = new Why("", List.of());
  }

  /**
   * A job whose request was not accepted, or whose checks failed so often that it was postponed.
   *
   * @param at when this first happened
   */
  public record LaunchFailure(String jobId, long at) {}

  /**
   * A job that waits at a gate it could pass, while no check of the gate is due.
   *
   * @param began the instant of the job's first transition
   * @param at the first instant at which the job was stranded
   * @param next when the next check of the gate is due; {@link #NEVER} if none is planned
   */
  public record StrandedJob(
      String gate, String schedule, String jobId, long began, long at, long next) {}

  /**
   * A job as stored at the end.
   *
   * @param began the earlier of the job's opening and its first transition; for a backfill's job,
   *     the first transition
   * @param first the instant of its first transition
   * @param changed when its last transition was
   * @param counts the counts by leaf; empty if it has counted nothing
   * @param fire the fire that it has counted; {@link #NEVER} for none
   * @param events the ids of the counted events
   * @param why the reason of its last transition
   * @param backfill the backfill that names it; empty for none
   */
  public record StoredJob(
      String jobId,
      String schedule,
      String state,
      boolean ended,
      long began,
      long first,
      long changed,
      List<Long> counts,
      long fire,
      List<String> events,
      Why why,
      String backfill) {}

  /** What a schedule has counted for its next job. */
  public record StoredCollectingJob(
      String schedule, long opened, List<Long> counts, long fire, List<String> events) {}

  /** A job names at most this many of the events that it has counted. */
  static final int MOST_EVENTS = 40;

  /** The most milliseconds by which a launch may be late while no fault is active. */
  static final long ON_TIME = 2_000;

  /** An event that concerns more schedules than this is counted by several calls of ingest. */
  private static final int FANNED_OUT = 6;

  /**
   * The batching window of the ingest queue. An event that ingest hands on waits for this window a
   * second time.
   */
  private static final long HANDING_ON = 1_000;

  /** A job that began within this many milliseconds of the end need not have ended. */
  static final long SETTLING = 30_000;

  /** How long after the last fault messages can arrive that were sent before it. */
  private static final long LOOK_AHEAD = 870_000;

  /** The largest error of a message delay if its sender stalled or had a slow clock. */
  private static final long DELAYED_BY_SENDER = 60_000;

  /** The longest time that a limited attempt waits for the slots of earlier attempts. */
  static final long QUEUE = 240_000;

  /**
   * The {@link #bound} of a launch that may have to wait for other jobs, and that a fault may hit
   * when its turn comes. {@link #NEVER} if the launch can wait for tracked jobs, because their
   * workers determine how long they run, or for the slot of an ended run.
   */
  long bound(long ready, ScheduleSpec spec) {
    long opens = spec.limits().opening(ready);
    if (opens == NEVER) {
      return NEVER;
    }
    long waited = Math.max(bound(opens), bound(opens + spec.waits().longest()));
    if ((spec.queues() && spec.tracking() != null) || waitsForKeptSlots(spec)) {
      return NEVER;
    }
    if (!spec.queues() || waited == NEVER) {
      return waited;
    }
    return Math.max(waited, bound(opens + QUEUE)) + QUEUE;
  }

  /** Whether jobs may wait for slots that ended runs keep. */
  boolean waitsForKeptSlots(ScheduleSpec spec) {
    return spec.limits().ends() == Limits.Ends.UNNAMED
        && spec.limits().countsRuns()
        && ProgramFacts.of(this, spec.limits().program()).keptSlots() > 0;
  }

  /** The latest instant for a launch or count that is possible from {@code ready} on. */
  long bound(long ready) {
    return openFrom == NEVER ? NEVER : boundOf(Math.max(ready, openFrom));
  }

  private long boundOf(long ready) {
    if (faultsFrom - ON_TIME > ready || ready > faultsTo + LOOK_AHEAD) {
      return ready + ON_TIME;
    }
    return recoveredBy(ready);
  }

  /**
   * The latest instant for a step that is possible from {@code ready} on, while faults may be
   * injected.
   */
  long recoveredBy(long ready) {
    return Math.max(ready + DELAYED_BY_SENDER, faultsTo + repair);
  }

  /** How much later an event is counted if many schedules wait for its data set. */
  long handingOn(@Nullable String dataset) {
    long concerned =
        operations.stream()
            .filter(o -> o.spec() != null && o.spec().leafOf(dataset) >= 0)
            .map(Operation::schedule)
            .distinct()
            .count();
    return concerned > FANNED_OUT ? HANDING_ON : 0;
  }

  /** This history with faults at other times. */
  History withFaults(long first, long last) {
    return new History(
        start,
        first,
        last,
        repair,
        openFrom,
        end,
        operations,
        calendar,
        calendarDeletions,
        deployments,
        announcements,
        malformed,
        arrivals,
        jobs,
        open,
        backfills,
        rejected,
        violations,
        broken,
        runs,
        launchFailures,
        strandedJobs,
        skew,
        indexLag,
        outage,
        limits,
        runCalls,
        pool,
        callbacks);
  }

  /** This history with a calendar that was unreadable until a version of it was stored. */
  History withUnreadableCalendar(long until) {
    return new History(
        start,
        faultsFrom,
        faultsTo,
        repair,
        openFrom,
        end,
        operations,
        calendar.stream().map(version -> version.replacing(until)).toList(),
        calendarDeletions,
        deployments,
        announcements,
        malformed,
        arrivals,
        jobs,
        open,
        backfills,
        rejected,
        violations,
        broken,
        runs,
        launchFailures,
        strandedJobs,
        skew,
        indexLag,
        outage,
        limits,
        runCalls,
        pool,
        callbacks);
  }

  /** Whether the runs of a schedule are tracked by any of its documents. */
  boolean isTracked(String schedule) {
    return operations.stream()
        .filter(it -> it.schedule().equals(schedule))
        .anyMatch(it -> it.spec() != null && it.spec().tracking() != null);
  }

  /** Whether the runs of a program are tracked. */
  boolean tracks(String program) {
    return operations.stream()
        .map(Operation::spec)
        .anyMatch(
            it -> it != null && it.tracking() != null && it.limits().program().equals(program));
  }

  Exclusions exclusions() {
    return Exclusions.of(calendar, calendarDeletions);
  }

  /** The operations by schedule name, in order. */
  Map<String, List<Operation>> operationsBySchedule() {
    Map<String, List<Operation>> grouped = new TreeMap<>();
    for (Operation operation : operations) {
      grouped.computeIfAbsent(operation.schedule(), any -> new ArrayList<>()).add(operation);
    }
    return grouped;
  }
}
