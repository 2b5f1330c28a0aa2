package dev.carillon.checker;

import dev.carillon.checker.Decisions.Decided;
import dev.carillon.decision.DecidedJob;
import dev.carillon.decision.GateChanges;
import dev.carillon.decision.JobDecision.KeepPlace;
import dev.carillon.decision.JobDecision.Suspend;
import dev.carillon.id.GateKey;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.job.Gates;
import dev.carillon.job.Gates.JobChange;
import dev.carillon.job.Gates.JobLost;
import dev.carillon.job.Gates.Outcome;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Job;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ListIterator;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides on jobs that concern gates, and stores them in groups, each with as many jobs as fit into
 * one transaction. The jobs of a group are sent before the next group is decided, so that a gate
 * counts a launch right before its request is sent.
 */
final class GatedJobs {

  /** The most jobs of one transaction. */
  static final int GROUP = 25;

  /**
   * A slot is taken only if at least this much time is left, because the request of its job has to
   * be sent as well.
   */
  static final Duration TIME_TO_SEND = Duration.ofSeconds(2);

  private final CheckServices services;
  private final GateTransactions gates;
  private final Decisions decisions;
  private final IndependentSteps steps;
  private final Runnable send;
  private final LeaseChecks leaseChecks;

  /** The schedules whose jobs the served gate does not let through now. */
  private final Set<ScheduleId> blocked;

  private final @Nullable Subject served;

  /**
   * @param served the gate or pool whose waiting jobs are let through; null for none
   * @param blocked the schedules whose jobs that gate does not let through now; further ones are
   *     added
   * @param send sends the leased jobs
   */
  GatedJobs(
      CheckServices services,
      GateTransactions gates,
      Decisions decisions,
      IndependentSteps steps,
      @Nullable Subject served,
      Set<ScheduleId> blocked,
      Runnable send) {
    this.services = services;
    this.gates = gates;
    this.decisions = decisions;
    this.steps = steps;
    this.served = served;
    this.blocked = blocked;
    this.send = send;
    this.leaseChecks = new LeaseChecks(services.shared().checks(), services.clock());
  }

  /** A job to decide on; {@code before} is null if it is not stored. */
  record Candidate(@Nullable Job before, Job job) {}

  /**
   * Decides on the jobs, in order.
   *
   * @return those for which no time was left
   */
  List<Candidate> run(List<Candidate> candidates, Deadline deadline) {
    List<Candidate> rest = new ArrayList<>(candidates);
    while (!rest.isEmpty() && !deadline.isWithin(TIME_TO_SEND)) {
      List<Candidate> group = new ArrayList<>(rest.subList(0, ofOneNamespace(rest)));
      rest.subList(0, runGroup(group, deadline)).clear();
      steps.run(send);
    }
    return rest;
  }

  /**
   * How many of the first jobs form a group: only jobs of one namespace, so that contention at a
   * gate does not repeat the work on jobs of other namespaces.
   */
  private static int ofOneNamespace(List<Candidate> rest) {
    String namespace = namespace(rest.get(0));
    int size = 1;
    while (size < Math.min(GROUP, rest.size()) && namespace(rest.get(size)).equals(namespace)) {
      size++;
    }
    return size;
  }

  private static String namespace(Candidate one) {
    return one.job().id().schedule().namespace();
  }

  /**
   * Stores a group. If that fails, one of its jobs may be the cause, so each is stored alone.
   *
   * @return the number of jobs that need nothing more
   */
  private int runGroup(List<Candidate> group, Deadline deadline) {
    List<Candidate> all = List.copyOf(group);
    try {
      return store(group);
    } catch (RuntimeException failure) {
      int done = 0;
      while (done < all.size() && !deadline.isWithin(TIME_TO_SEND)) {
        List<Candidate> alone = new ArrayList<>(List.of(all.get(done)));
        steps.run(() -> store(alone));
        done++;
      }
      return done;
    }
  }

  /**
   * Stores the decisions on the first jobs of a group, as many as one transaction takes.
   *
   * @return the number of jobs that need nothing more
   */
  private int store(List<Candidate> group) {
    int size = group.size();
    Group stored = services.shared().updates().run(group.get(0).job().id(), () -> attempt(group));
    blocked.addAll(stored.blocked);
    stored.others.forEach(decisions::apply);
    stored.step.jobs().forEach(change -> decisions.proceed(change.before(), change.after()));
    return stored.decided + size - group.size();
  }

  private Attempt<Group> attempt(List<Candidate> group) {
    Group decided = new Group(decisions.present());
    try {
      for (int i = 0; i < group.size() && decided.takes(group.get(i)); i++) {
        decided.decided++;
      }
      if (served instanceof GateKey) {
        leaseChecks.addUnindexed(decided.step.jobs().stream().flatMap(GatedJobs::letThrough));
      }
    } catch (RuntimeException failure) {
      gates.withdraw(decided.step);
      throw failure;
    }
    if (decided.step.jobs().isEmpty()) {
      return Attempt.done(decided);
    }
    Outcome outcome = gates.commit(decided.step);
    if (outcome instanceof JobLost lost) {
      replace(group, lost.present());
    }
    return Attempt.of(outcome instanceof Gates.Done, decided);
  }

  /** The job if it no longer waits at a gate and has not ended; otherwise no job. */
  private static Stream<Job> letThrough(JobChange change) {
    Job after = change.after();
    return after.waitsAt() == null && !after.isEnded() ? Stream.of(after) : Stream.empty();
  }

  /**
   * Handles a job whose stored state differs from the state that the group was decided on. If the
   * job was new in the group, it is decided again in its stored state; any other job leaves the
   * group.
   */
  private void replace(List<Candidate> group, Job present) {
    ListIterator<Candidate> all = group.listIterator();
    while (all.hasNext()) {
      Candidate one = all.next();
      if (one.job().id().equals(present.id())) {
        if (one.before() == null) {
          all.set(new Candidate(present, present));
          decisions.found(present);
        } else {
          all.remove();
          decisions.lose(one.before(), present);
        }
      }
    }
  }

  /** The jobs that are stored in one transaction. */
  private final class Group {
    final Instant now;
    final List<Decided> others = new ArrayList<>();
    final Set<ScheduleId> blocked = new HashSet<>(GatedJobs.this.blocked);
    Step step = Step.NOTHING;
    int decided;
    private boolean isFull;

    Group(Instant now) {
      this.now = now;
    }

    boolean takes(Candidate candidate) {
      Job job = candidate.job();
      if (blocked.contains(job.id().schedule())) {
        return true;
      }
      Decided one = decisions.decide(candidate.before(), job, served, now);
      Step own = step(one);
      if (own.jobs().isEmpty()) {
        others.add(one);
      } else if (!add(own, job)) {
        return false;
      }
      if (one.decision() instanceof KeepPlace) {
        blocked.add(job.id().schedule());
      }
      return true;
    }

    /**
     * Adds a step if the transaction has room. The size is limited as well, because jobs that carry
     * events can be large.
     */
    private boolean add(Step own, Job job) {
      boolean isLarge = job.triggerState() != null;
      Step both = step.and(own);
      if (isFull || (isLarge && !step.jobs().isEmpty()) || both.size() > Step.MOST_ITEMS) {
        return false;
      }
      gates.assume(own);
      step = both;
      isFull = isLarge;
      return true;
    }

    /**
     * The step with the changes of gates; the changes are empty if the decision changes no gate.
     */
    private Step step(Decided one) {
      if (one.after() == null || one.decision() instanceof Suspend) {
        return Step.NOTHING;
      }
      GateChanges changes = gates.changesFor(one.before(), now);
      Step all = DecidedJob.step(one.before(), one.after(), one.decision(), changes);
      return all.gates().isEmpty() ? Step.NOTHING : all;
    }
  }
}
