package dev.carillon.campaign.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What happened in an episode, as seen from outside; instants in epoch milliseconds of true time.
 *
 * @param faultsFrom when the first fault struck; the end of time if none did
 * @param faultsTo none strikes after it
 * @param repair milliseconds after the last fault within which everything is in order again
 * @param openFrom from when on no gauge holds anything back any more
 * @param calendar what it was, in order; the first before everything else
 * @param removals tries to delete it
 * @param deployments tries to change the app, whose schedules have no other operations of their own
 *     but those that go beside
 * @param rows the jobs with a row of their own as they are in the end
 * @param open what is being collected in the end
 * @param rejected the bodies of rejected events
 * @param violations of limits, as they were seen at some instant
 * @param broken what failed although nothing was wrong, or as nothing that was wrong explains
 * @param runs of programs whose unfinished attempts are limited
 * @param setbacks the first of each job that had one
 * @param forgotten what waits at gates that are open, as it was seen at some instant
 * @param skew milliseconds that the clocks of functions may be off while faults strike
 * @param outage in which the master did not tick; null if there was none
 */
public record History(
    long start,
    long faultsFrom,
    long faultsTo,
    long repair,
    long openFrom,
    long end,
    List<Operation> operations,
    List<Opening> calendar,
    List<Removal> removals,
    List<Deploying> deployments,
    List<Announcement> announcements,
    List<String> malformed,
    List<Arrival> arrivals,
    List<JobRow> rows,
    List<OpenRow> open,
    List<BackfillRow> backfills,
    List<String> rejected,
    List<Violation> violations,
    List<Violation> broken,
    List<Run> runs,
    List<Setback> setbacks,
    List<Forgotten> forgotten,
    long skew,
    @Nullable Stretch outage) {

  public static final long NEVER = Long.MAX_VALUE;

  /**
   * A run that a request began; it ends before {@code to}.
   *
   * @param known whether whoever sent the request may know that it began
   */
  public record Run(String jobId, long from, long to, boolean known) {}

  /**
   * Something that did not hold.
   *
   * @param about the job, gate, backfill, request or function, as a trace tells it
   */
  public record Violation(String about, String what) {}

  /** What becomes of jobs in a suspension. */
  public enum Mode {
    DISCARD,
    DRAIN,
    BACKLOG,
    HOLD
  }

  /** What users can do with a schedule. */
  public enum Kind {
    PUT,
    LABEL,
    SUSPEND,
    RESUME,
    DELETE,
    LAUNCH,
    SKIP,
    BACKFILL,
    /** Of a backfill. */
    CANCEL
  }

  /**
   * One thing that a user did, until it was answered.
   *
   * @param wish of a PUT
   * @param number tells operations apart; travels in the body of a launch
   * @param called when it was first asked for
   * @param returned when it was answered for good; {@link #NEVER} if it was not
   * @param done whether it was carried out, as far as the user was told
   * @param answer of a launch the job id, of a skip the fire, of a backfill its id and how many
   *     fires it has, of its cancellation its id
   * @param mode of a suspension; of a PUT that of one which goes on
   * @param until when a suspension ends by itself; {@link #NEVER} if it does not
   * @param past of a backfill
   */
  public record Operation(
      String schedule,
      Kind kind,
      int number,
      @Nullable Wish wish,
      long called,
      long returned,
      boolean done,
      @Nullable String answer,
      @Nullable Mode mode,
      long until,
      @Nullable Past past) {

    /** One that is no backfill, and no suspension but one that discards jobs. */
    public Operation(
        String schedule,
        Kind kind,
        int number,
        @Nullable Wish wish,
        long called,
        long returned,
        boolean done,
        @Nullable String answer) {
      this(
          schedule,
          kind,
          number,
          wish,
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
   * What the calendar came to exclude.
   *
   * @param called when that was first asked for
   * @param returned when it was answered
   */
  public record Opening(long called, long returned, List<Stretch> excludes) {}

  /**
   * A deletion of the calendar.
   *
   * @param called when that was first asked for
   * @param returned when it was answered
   * @param done false if it was refused
   */
  public record Removal(long called, long returned, boolean done) {}

  /** From one instant on, until another. */
  public record Stretch(long from, long to) {
    boolean contains(long instant) {
      return instant >= from && instant < to;
    }
  }

  /**
   * The fires that a backfill is to launch.
   *
   * @param from exclusive
   * @param to inclusive
   */
  public record Past(long from, long to) {}

  /**
   * A backfill as it is in the end.
   *
   * @param state RUNNING, COMPLETED or CANCELLED
   */
  public record BackfillRow(String id, String schedule, String state) {}

  /**
   * An event that announces partitions.
   *
   * @param sent when it may first have been received
   * @param accepted when its sender knew that it had been; {@link #NEVER} if he does not
   */
  public record Announcement(String id, String dataset, long weight, long sent, long accepted) {}

  /**
   * A request in a target queue.
   *
   * @param clock the latest that the launcher's own clock had shown
   * @param explained whether something befell the launcher then or later, so that nobody could know
   *     that this was sent
   * @param backfill that was seen to name the job; empty if none was
   */
  public record Arrival(
      long at,
      String jobId,
      int attempt,
      String schedule,
      String body,
      long clock,
      boolean explained,
      String backfill) {

    /** Of a job that no backfill has made. */
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

  /**
   * Why a job made a transition, as it is stored: a code, and what is particular about this one.
   */
  public record Why(String code, List<String> arguments) {
    /** The code of none. */
    public static final Why NOTHING = new Why("", List.of());
  }

  /**
   * A request of a job was not accepted, or a check of it failed so often that it was put off.
   *
   * @param at when that was first so
   */
  public record Setback(String jobId, long at) {}

  /**
   * A job that waits at a gate through which it could go, and no check of the gate is scheduled.
   *
   * @param began when its first transition was
   * @param at when that was first so
   */
  public record Forgotten(String gate, String schedule, String jobId, long began, long at) {}

  /**
   * A job's row.
   *
   * @param began when it was opened, or its first transition if that was earlier; of a backfill's
   *     the latter
   * @param first when its first transition was
   * @param changed when its last was
   * @param counts by leaf; empty if it has counted nothing
   * @param fire the fire that it has counted; {@link #NEVER} if none
   * @param events the ids of those it counted
   * @param why of its last transition
   * @param backfill that was seen to name it; empty if none was
   */
  public record JobRow(
      String jobId,
      String schedule,
      String state,
      boolean over,
      long began,
      long first,
      long changed,
      List<Long> counts,
      long fire,
      List<String> events,
      Why why,
      String backfill) {}

  /** What a schedule has counted for its next job. */
  public record OpenRow(
      String schedule, long opened, List<Long> counts, long fire, List<String> events) {}

  /** Milliseconds within which a launch is on time when nothing is wrong. */
  static final long ON_TIME = 2_000;

  /** Milliseconds before the end in which a job may have begun that is not over. */
  static final long SETTLING = 30_000;

  /** For so long after the last fault some messages are under way that were sent before. */
  private static final long LOOK_AHEAD = 870_000;

  /** What the delay of a message is wrong by if its sender stalled, or its clock was slow. */
  private static final long DELAYED_BY_SENDER = 60_000;

  /** What the attempts before it may take whose slot a limited one waits for. */
  private static final long QUEUE = 240_000;

  /**
   * As {@link #bound}, of a launch that may have to wait for others, and be struck by what goes
   * wrong when its turn comes.
   */
  long bound(long ready, Wish wish) {
    long waited = Math.max(bound(ready), bound(ready + wish.waits().longest()));
    if (wish.limit() == 0 || waited == NEVER) {
      return waited;
    }
    return Math.max(waited, bound(ready + QUEUE)) + QUEUE;
  }

  /** When at the latest something is launched or counted that could be from {@code ready} on. */
  long bound(long ready) {
    return openFrom == NEVER ? NEVER : boundOf(Math.max(ready, openFrom));
  }

  private long boundOf(long ready) {
    if (faultsFrom - ON_TIME > ready || ready > faultsTo + LOOK_AHEAD) {
      return ready + ON_TIME;
    }
    return Math.max(ready + DELAYED_BY_SENDER, faultsTo + repair);
  }

  Exclusions exclusions() {
    return Exclusions.of(calendar, removals);
  }

  /** By name, in order. */
  Map<String, List<Operation>> operationsBySchedule() {
    Map<String, List<Operation>> grouped = new TreeMap<>();
    for (Operation operation : operations) {
      grouped.computeIfAbsent(operation.schedule(), any -> new ArrayList<>()).add(operation);
    }
    return grouped;
  }
}
