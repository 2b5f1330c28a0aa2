package dev.carillon.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.gate.Passage;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One occurrence of a schedule: the unit of state, history and idempotency. Immutable; the methods
 * answer with the job's next version, to be stored on condition of this one.
 *
 * @param activation the schedule's activation that it was opened under
 * @param version counts the stored changes, from 1
 * @param attempt which launch request is meant, from 1; a resend is the same attempt
 * @param program the bare name of what it launches
 * @param scheduledFor the instant that it stands for
 * @param triggeredAt when its trigger was satisfied
 * @param launchedAt when its request was accepted by the target queue
 * @param launchingUntil while PENDING_LAUNCH: until then nobody but the launcher that wrote it acts
 * @param notBefore the earliest instant of the next try; null for at once
 * @param attentionAt when somebody should look at it if nothing else happened; null for plain
 *     fires, whose check message is durable, and for ended jobs
 * @param refusals how often in a row its request was refused
 * @param occasion null for plain fires: it follows from the schedule and scheduledFor, until others
 *     are merged into it
 * @param launchNow what the caller of launch-now gave; null for other jobs
 * @param passage what it has to do with gates; null for nothing
 */
public record Job(
    JobId id,
    long activation,
    JobState state,
    long version,
    int attempt,
    String program,
    @Nullable String customer,
    int priority,
    Instant scheduledFor,
    Instant triggeredAt,
    @Nullable Instant launchedAt,
    @Nullable Instant launchingUntil,
    @Nullable Instant notBefore,
    @Nullable Instant attentionAt,
    int refusals,
    @Nullable Occasion occasion,
    @Nullable ObjectNode launchNow,
    @Nullable Passage passage,
    List<Transition> transitions) {

  /** The priority of a job whose schedule names none; 0 is the most urgent, 9 the least. */
  public static final int DEFAULT_PRIORITY = 5;

  /** The largest number that a priority can have. */
  public static final int LEAST_URGENT = 9;

  /** The transitions kept from the beginning of a long history. */
  public static final int MOST_FIRST_TRANSITIONS = 10;

  /** The transitions kept from the end of a long history. */
  public static final int MOST_LAST_TRANSITIONS = 20;

  /** The longest pause between two tries to send a refused request. */
  public static final Duration LONGEST_REFUSAL_BACKOFF = Duration.ofMinutes(5);

  /** How long after its time a job is looked at again in case the message for it was lost. */
  public static final Duration ATTENTION_SLACK = Duration.ofSeconds(20);

  /** When a job needs a look that nothing but the end of a suspension brings on. */
  public static final Instant NEVER = Instant.parse("9999-12-31T23:59:59Z");

  /** What a caller of launch-now says to have a job launched whatever the constraints say. */
  public static final String IGNORE_CONSTRAINTS = "ignoreConstraints";

  /** A plain fire that is due; it is stored as what becomes of it first. */
  public static Job dueFire(JobId id, long activation, String program) {
    return new Draft(id, activation, program, JobState.PENDING_CONSTRAINT).job();
  }

  /** A plain fire that others of its schedule may be added to, or dropped for, while it waits. */
  public static Job waitingFire(JobId id, long activation, String program, Instant now) {
    return dueFire(id, activation, program).next(JobState.PENDING_CONSTRAINT, now, null);
  }

  /** A plain fire that its launcher holds until {@code leaseEnd}. */
  public static Job launchingFire(
      JobId id, long activation, String program, Instant now, Instant leaseEnd) {
    return dueFire(id, activation, program).launching(now, leaseEnd);
  }

  /**
   * A job whose trigger was satisfied by {@code occasion}, ready to be checked.
   *
   * @param reason why it goes on although its trigger was not; null if it was
   */
  public static Job triggered(
      JobId id,
      long activation,
      String program,
      Instant scheduledFor,
      Instant openedAt,
      Instant now,
      Occasion occasion,
      @Nullable Reason reason) {
    Draft draft = new Draft(id, activation, program, JobState.PENDING_CONSTRAINT);
    draft.version = 1;
    draft.scheduledFor = scheduledFor;
    draft.triggeredAt = now;
    draft.attentionAt = now.plus(ATTENTION_SLACK);
    draft.occasion = occasion;
    draft.transitions =
        List.of(
            new Transition(openedAt, JobState.PENDING_TRIGGER, null),
            new Transition(now, JobState.PENDING_CONSTRAINT, reason));
    return draft.job();
  }

  /** A job that a caller asked for. */
  public static Job launchedNow(
      JobId id, long activation, String program, Instant now, ObjectNode launchNow) {
    Draft draft = new Draft(id, activation, program, JobState.PENDING_CONSTRAINT);
    draft.version = 1;
    draft.scheduledFor = now;
    draft.triggeredAt = now;
    draft.attentionAt = now.plus(ATTENTION_SLACK);
    draft.launchNow = launchNow;
    draft.transitions =
        List.of(
            new Transition(
                now, JobState.PENDING_CONSTRAINT, Reason.of(ReasonCode.LAUNCHED_BY_HAND)));
    return draft.job();
  }

  /** A job that is over before it began, kept for its reason. */
  public static Job stillborn(
      JobId id,
      long activation,
      String program,
      JobState end,
      @Nullable Occasion occasion,
      Instant now,
      Reason reason) {
    Draft draft = new Draft(id, activation, program, end);
    draft.version = 1;
    draft.occasion = occasion;
    draft.transitions = List.of(new Transition(now, end, reason));
    return draft.job();
  }

  /** Whether it was stored for the first time so. */
  public boolean isNew() {
    return version == 1;
  }

  public boolean isEnded() {
    return state.isEnd();
  }

  /** Whether it waits because its request was not accepted the last time. */
  public boolean isRefused() {
    return state == JobState.PENDING_CONSTRAINT && refusals > 0;
  }

  /** Whether something but its launcher has to come first: a try, a constraint, a resumption. */
  public boolean isWaiting() {
    return isRefused() || isHeldBack() || isSuspended();
  }

  /** Whether its request may have been sent although it waits: a refusal may be a lost answer. */
  public boolean mayHaveBeenSent() {
    return transitions.stream().anyMatch(one -> one.state() == JobState.PENDING_LAUNCH);
  }

  /** Whether its constraints did not hold when it was looked at last. */
  public boolean isHeldBack() {
    return state == JobState.PENDING_CONSTRAINT
        && refusals == 0
        && (notBefore != null || waitsAt() != null);
  }

  /** Whether it waits for the end of its schedule's suspension. */
  public boolean isSuspended() {
    return state == JobState.PENDING_CONSTRAINT && NEVER.equals(attentionAt);
  }

  /** The gate at which it waits; null if it does not. */
  public @Nullable GateKey waitsAt() {
    return passage == null || isEnded() ? null : passage.waitsAt();
  }

  /** Its place at a gate, by its priority and age. */
  public Waiter placeAt(GateKey gate) {
    return new Waiter(gate, priority, triggeredAt(), id);
  }

  /** Whether it holds a slot at some gate until its end; also when that has just come. */
  public boolean isSlotted() {
    return passage != null && passage.slotted();
  }

  /** Whether gates have to be told when it is over. */
  public boolean hasStakeInGates() {
    return !isEnded() && passage != null && (!passage.gates().isEmpty() || waitsAt() != null);
  }

  /** Whether a caller wants it launched whatever its schedule's constraints say. */
  public boolean ignoresConstraints() {
    return launchNow != null && launchNow.path(IGNORE_CONSTRAINTS).asBoolean();
  }

  /** Why it made its newest transition; null for nothing. */
  public @Nullable Reason newestReason() {
    return transitions.isEmpty() ? null : transitions.get(transitions.size() - 1).reason();
  }

  /** The same as users read it. */
  public @Nullable String lastReason() {
    Reason newest = newestReason();
    return newest == null ? null : newest.text();
  }

  /** When it ended; null while it has not. */
  public @Nullable Instant endedAt() {
    return isEnded() ? transitions.get(transitions.size() - 1).at() : null;
  }

  /** Whether another launcher may still be at work on it. */
  public boolean isBeingLaunched(Instant now) {
    return state == JobState.PENDING_LAUNCH
        && launchingUntil != null
        && launchingUntil.isAfter(now);
  }

  /** Held by one launcher: until {@code leaseEnd} nobody else acts on it. */
  public Job launching(Instant now, Instant leaseEnd) {
    return launching(
        now,
        leaseEnd,
        state == JobState.PENDING_LAUNCH ? Reason.of(ReasonCode.LAUNCH_INTERRUPTED) : null);
  }

  /** The same, with the reason for it. */
  public Job launching(Instant now, Instant leaseEnd, @Nullable Reason reason) {
    Instant attention = attentionAt == null ? null : leaseEnd;
    return next(JobState.PENDING_LAUNCH, now, reason)
        .with(launchedAt, leaseEnd, null, attention, refusals);
  }

  /**
   * Its constraints do not hold before {@code opening}. The reason is noted when it is another than
   * before.
   *
   * @param attention when somebody looks at it if no message comes before
   */
  public Job waitingUntil(Instant opening, Instant attention, Instant now, Reason reason) {
    Job waiting = next(JobState.PENDING_CONSTRAINT, now, reason);
    boolean isKnown =
        state == JobState.PENDING_CONSTRAINT && Objects.equals(newestReason(), reason);
    return (isKnown ? waiting.withTransitions(transitions) : waiting)
        .with(null, null, opening, attention, 0)
        .withPassage(null);
  }

  /**
   * It waits at a gate until that lets it through.
   *
   * @param attention when somebody looks at it in any case
   */
  public Job waitingAt(GateKey gate, Instant attention, Instant now, Reason reason) {
    return next(JobState.PENDING_CONSTRAINT, now, reason)
        .with(null, null, null, attention, 0)
        .withPassage(Passage.waitingAt(gate));
  }

  /** Its schedule's suspension holds it back. */
  public Job suspended(Instant now, Reason reason) {
    return next(JobState.PENDING_CONSTRAINT, now, reason)
        .with(null, null, null, NEVER, 0)
        .withPassage(null);
  }

  /** The same at another time. */
  public Job waitingOn(Instant attention) {
    return next(state, attention, null)
        .withTransitions(transitions)
        .with(launchedAt, null, null, attention, refusals);
  }

  /**
   * About to be launched, so that it waits no more.
   *
   * @param through null if no gate has counted it
   */
  public Job through(@Nullable Passage through) {
    return withPassage(through);
  }

  /**
   * Its request was accepted; it holds its slots until its end is reported.
   *
   * @param timeout when that counts as failed
   */
  public Job enqueued(Instant now, @Nullable Reason note, Instant timeout) {
    return next(JobState.ENQUEUED, now, note).with(now, null, null, timeout, 0);
  }

  /**
   * Its end was reported.
   *
   * @param event the hash of the event, if that did not name the job
   */
  public Job reported(JobState end, Instant now, Reason reason, @Nullable Long event) {
    Instant launched = launchedAt == null ? now : launchedAt;
    Job ended = next(end, now, reason).with(launched, null, null, null, 0);
    return passage == null || event == null ? ended : ended.withPassage(passage.endedBy(event));
  }

  /** Its request was accepted; without tracking that is its end. */
  public Job sent(Instant now, @Nullable Reason note) {
    return next(JobState.SUCCEEDED, now, note).with(now, null, null, null, 0);
  }

  /** Its request was not accepted: back to wait, longer each time, at most five minutes. */
  public Job refused(Instant now, Reason reason) {
    return refused(now, reason, now.plus(refusalBackoff()));
  }

  /**
   * The same, but for no longer than it waits at all.
   *
   * @param patience its schedule's
   */
  public Job refused(Instant now, Reason reason, Patience patience) {
    Instant again = now.plus(refusalBackoff());
    return refused(now, reason, patience.soonest(again, id, now));
  }

  private Job refused(Instant now, Reason reason, Instant again) {
    return next(JobState.PENDING_CONSTRAINT, now, reason)
        .with(null, null, again, again.plus(ATTENTION_SLACK), refusals + 1)
        .withPassage(null);
  }

  /** It is over without a (further) launch. */
  public Job ended(JobState end, Instant now, Reason reason) {
    return next(end, now, reason).with(launchedAt, null, null, null, refusals);
  }

  /** It has taken up what came while it waits. */
  public Job grown(Occasion grown) {
    return with(grown, version + 1);
  }

  /** The same, before it was ever stored. */
  public Job withOccasion(Occasion grown) {
    return with(grown, version);
  }

  private Job with(Occasion grown, long newVersion) {
    Draft draft = new Draft(this);
    draft.version = newVersion;
    draft.occasion = grown;
    return draft.job();
  }

  public Job withCustomerAndPriority(@Nullable String newCustomer, int newPriority) {
    Draft draft = new Draft(this);
    draft.customer = newCustomer;
    draft.priority = newPriority;
    return draft.job();
  }

  private Duration refusalBackoff() {
    Duration doubled = Duration.ofSeconds(1L << Math.min(refusals, 9));
    return doubled.compareTo(LONGEST_REFUSAL_BACKOFF) < 0 ? doubled : LONGEST_REFUSAL_BACKOFF;
  }

  private Job next(JobState newState, Instant now, @Nullable Reason reason) {
    Draft draft = new Draft(this);
    draft.state = newState;
    draft.version++;
    draft.transitions = append(transitions, new Transition(now, newState, reason));
    return draft.job();
  }

  private Job withPassage(@Nullable Passage newPassage) {
    Draft draft = new Draft(this);
    draft.passage = newPassage;
    return draft.job();
  }

  private Job withTransitions(List<Transition> newTransitions) {
    Draft draft = new Draft(this);
    draft.transitions = newTransitions;
    return draft.job();
  }

  private Job with(
      @Nullable Instant newLaunchedAt,
      @Nullable Instant newLaunchingUntil,
      @Nullable Instant newNotBefore,
      @Nullable Instant newAttentionAt,
      int newRefusals) {
    Draft draft = new Draft(this);
    draft.launchedAt = newLaunchedAt;
    draft.launchingUntil = newLaunchingUntil;
    draft.notBefore = newNotBefore;
    draft.attentionAt = newAttentionAt;
    draft.refusals = newRefusals;
    return draft.job();
  }

  private static List<Transition> append(List<Transition> transitions, Transition transition) {
    List<Transition> appended = new ArrayList<>(transitions);
    appended.add(transition);
    if (appended.size() > MOST_FIRST_TRANSITIONS + MOST_LAST_TRANSITIONS) {
      appended.remove(MOST_FIRST_TRANSITIONS);
    }
    return List.copyOf(appended);
  }

  /** A job in the making. */
  private static final class Draft {
    private final JobId id;
    private final long activation;
    private JobState state;
    private long version;
    private final int attempt;
    private final String program;
    private @Nullable String customer;
    private int priority;
    private Instant scheduledFor;
    private Instant triggeredAt;
    private @Nullable Instant launchedAt;
    private @Nullable Instant launchingUntil;
    private @Nullable Instant notBefore;
    private @Nullable Instant attentionAt;
    private int refusals;
    private @Nullable Occasion occasion;
    private @Nullable ObjectNode launchNow;
    private @Nullable Passage passage;
    private List<Transition> transitions;

    /** That of a fire of which nothing is stored. */
    private Draft(JobId id, long activation, String program, JobState state) {
      this.id = id;
      this.activation = activation;
      this.state = state;
      this.attempt = 1;
      this.program = program;
      this.priority = DEFAULT_PRIORITY;
      this.scheduledFor = id.at();
      this.triggeredAt = id.at();
      this.transitions = List.of();
    }

    private Draft(Job job) {
      this.id = job.id;
      this.activation = job.activation;
      this.state = job.state;
      this.version = job.version;
      this.attempt = job.attempt;
      this.program = job.program;
      this.customer = job.customer;
      this.priority = job.priority;
      this.scheduledFor = job.scheduledFor;
      this.triggeredAt = job.triggeredAt;
      this.launchedAt = job.launchedAt;
      this.launchingUntil = job.launchingUntil;
      this.notBefore = job.notBefore;
      this.attentionAt = job.attentionAt;
      this.refusals = job.refusals;
      this.occasion = job.occasion;
      this.launchNow = job.launchNow;
      this.passage = job.passage;
      this.transitions = job.transitions;
    }

    private Job job() {
      return new Job(
          id,
          activation,
          state,
          version,
          attempt,
          program,
          customer,
          priority,
          scheduledFor,
          triggeredAt,
          launchedAt,
          launchingUntil,
          notBefore,
          attentionAt,
          refusals,
          occasion,
          launchNow,
          passage,
          transitions);
    }
  }
}
