package dev.carillon.checker;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.Shared;
import dev.carillon.id.BackfillId;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.RunId;
import dev.carillon.id.Subject;
import dev.carillon.id.SuspensionEnd;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetQueues;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.runtime.Sleeper;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes each subject of a check message once it is due. A check that is less than a second
 * early is held until it is due; an earlier check is sent again as another message. A message is
 * acknowledged only when each of its jobs is launched, has ended, or is named by another message
 * that was accepted.
 */
public final class Checker {

  /**
   * From this receive on, a message is suspect: a message with several subjects is split, and a
   * message with a single job has its job set aside.
   */
  static final int SUSPECT_RECEIVES = 5;

  /**
   * From this receive on, the subjects of a message are processed one by one, because one of them
   * can be the cause of the failures.
   */
  static final int ALONE_RECEIVES = 3;

  /**
   * The time within which, as a rule, the request of a job that a gate has let through is in the
   * target queue. Gates count the launch at the end of this time.
   */
  public static final Duration SENDING_TIME = Duration.ofMillis(100);

  private static final Duration LONGEST_HOLD = Duration.ofSeconds(1);
  private static final Logger LOG = LoggerFactory.getLogger(Checker.class);

  private final CheckProcessor processor;
  private final CheckQueue checks;
  private final InstantSource clock;
  private final Sleeper sleeper;

  /**
   * @param fanout runs steps that concern one schedule each
   * @param sendingTime {@link #SENDING_TIME}; zero where sending takes no time
   */
  public Checker(
      Shared shared,
      Requests requests,
      TargetQueues targets,
      Fanout fanout,
      InstantSource clock,
      Sleeper sleeper,
      Duration sendingTime) {
    LaunchSender sender = new LaunchSender(shared, requests, targets, clock, sendingTime);
    EndSender ends = new EndSender(shared, requests, targets, clock);
    this.processor = new CheckProcessor(shared, sender, requests, ends, fanout, clock);
    this.checks = shared.checks();
    this.clock = clock;
    this.sleeper = sleeper;
  }

  /**
   * One message as it was received.
   *
   * @param receives how often it was received, this time included
   */
  public record Received(String messageId, Check check, int receives) {}

  /** Processes the messages and returns the ids of those that must be received again. */
  public Set<String> handle(List<Received> messages, Deadline deadline) {
    Batch batch = new Batch(deadline);
    for (Received message : messages) {
      if (message.receives() < SUSPECT_RECEIVES) {
        batch.add(message);
      } else {
        batch.attempt(Set.of(message.messageId()), () -> handleSuspect(message, deadline));
      }
    }
    while (!batch.byDue.isEmpty()) {
      Instant now = clock.instant();
      Instant due = batch.byDue.firstKey();
      if (deadline.hasPassed() || Duration.between(now, due).compareTo(LONGEST_HOLD) >= 0) {
        batch.postpone();
      } else {
        hold(now, due);
        batch.process(clock.instant());
      }
    }
    return batch.failed;
  }

  private void hold(Instant now, Instant due) {
    if (now.isBefore(due)) {
      sleeper.sleep(Duration.between(now, due));
    }
  }

  private void handleSuspect(Received message, Deadline deadline) {
    List<Wakeup> wakeups = message.check().wakeups();
    Wakeup first = wakeups.get(0);
    if (wakeups.size() > 1) {
      List<Check> singles =
          wakeups.stream().map(one -> new Check(one.at(), List.of(one.subject()))).toList();
      checks.send(singles, clock.instant());
    } else if (first.subject() instanceof JobId job) {
      LOG.error("the check of {} keeps failing; the job is set aside", job);
      send(processor.setAside(job, deadline));
    } else if (first.subject() instanceof BackfillId backfill) {
      LOG.error("the check of {} keeps failing; its jobs are checked one by one", backfill);
      send(processor.openJobs(backfill));
    } else if (first.subject() instanceof GateKey || first.subject() instanceof PoolId) {
      LOG.error("the check of {} keeps failing; the master will repeat it", first);
    } else {
      LOG.error("the check of {} keeps failing; it is repeated alone", first);
      send(processor.processWhole(wakeups, deadline));
    }
  }

  /** Wake-ups that were processed, and their deferred work. */
  private record Begun(List<Wakeup> wakeups, CheckProcessor.Processed processed) {}

  /** The subjects of a batch of messages, by the instant at which they are due. */
  private final class Batch {
    final TreeMap<Instant, Set<Subject>> byDue = new TreeMap<>();
    final Map<Subject, Set<String>> messagesOf = new LinkedHashMap<>();
    final Set<Subject> alone = new HashSet<>();
    final Set<String> failed = new HashSet<>();
    private final List<Begun> begun = new ArrayList<>();
    private final Deadline deadline;

    Batch(Deadline deadline) {
      this.deadline = deadline;
    }

    void add(Received message) {
      if (message.receives() >= ALONE_RECEIVES) {
        alone.addAll(message.check().subjects());
      }
      for (Wakeup wakeup : message.check().wakeups()) {
        Subject subject = wakeup.subject();
        if (messagesOf
            .computeIfAbsent(subject, named -> new HashSet<>())
            .add(message.messageId())) {
          byDue.computeIfAbsent(wakeup.at(), due -> new LinkedHashSet<>()).add(subject);
        }
      }
    }

    /** Processes all due subjects, each once. */
    void process(Instant now) {
      Map<Subject, Instant> ready = new LinkedHashMap<>();
      while (!byDue.isEmpty() && !byDue.firstKey().isAfter(now)) {
        Map.Entry<Instant, Set<Subject>> due = byDue.pollFirstEntry();
        due.getValue().forEach(subject -> ready.put(subject, due.getKey()));
      }
      List<Wakeup> together = new ArrayList<>();
      List<Wakeup> single = new ArrayList<>();
      ready.forEach(
          (subject, due) ->
              (isOfOneSchedule(subject) && !alone.contains(subject) ? together : single)
                  .add(new Wakeup(subject, due)));
      FairOrder.passes(together).forEach(this::processTogether);
      single.stream().filter(one -> isOfOneSchedule(one.subject())).forEach(this::processAlone);
      launchGated();
      single.stream().filter(one -> !isOfOneSchedule(one.subject())).forEach(this::processAlone);
      runDeferred();
    }

    /**
     * Whether the subject belongs to one schedule. Such subjects are processed together, because
     * one read finds everything about their schedules.
     */
    private static boolean isOfOneSchedule(Subject subject) {
      return subject instanceof JobId
          || subject instanceof RunId
          || subject instanceof CollectingJobId
          || subject instanceof SuspensionEnd;
    }

    private void processAlone(Wakeup wakeup) {
      if (isOfOneSchedule(wakeup.subject())) {
        processTogether(List.of(wakeup));
      } else if (wakeup.subject() instanceof BackfillId backfill) {
        runInTime(List.of(wakeup), () -> send(processor.proceed(backfill, deadline)));
      } else if (wakeup.subject() instanceof PoolId pool) {
        runInTime(List.of(wakeup), () -> send(processor.choose(pool, deadline)));
      } else {
        runInTime(List.of(wakeup), () -> begin(List.of(wakeup), processor.serve(wakeup, deadline)));
      }
    }

    private void processTogether(List<Wakeup> wakeups) {
      runInTime(wakeups, () -> begin(wakeups, processor.process(wakeups, Wakeup.lastOf(wakeups))));
    }

    private void begin(List<Wakeup> wakeups, CheckProcessor.Processed processed) {
      send(processed.followUps());
      begun.add(new Begun(wakeups, processed));
    }

    /**
     * This must run after all due jobs without a gate are launched, because jobs at gates take
     * longer.
     */
    private void launchGated() {
      // A check that is handed on is repeated as a whole, with its deferred work.
      begun.removeIf(
          one ->
              one.processed().hasGated()
                  && !runInTime(
                      one.wakeups(), () -> send(one.processed().gated().apply(deadline))));
    }

    /** This must run after all due jobs are launched. */
    private void runDeferred() {
      for (Begun one : begun) {
        if (one.processed().hasDeferred()) {
          runInTime(one.wakeups(), one.processed().deferred());
        } else {
          attempt(messagesOf(one.wakeups()), one.processed().deferred());
        }
      }
      begun.clear();
    }

    /**
     * Runs a step, or sends its wake-ups in another message if the deadline has passed.
     *
     * @return false if the deadline has passed
     */
    private boolean runInTime(List<Wakeup> wakeups, Runnable step) {
      boolean isInTime = !deadline.hasPassed();
      attempt(messagesOf(wakeups), isInTime ? step : () -> send(wakeups));
      return isInTime;
    }

    /** Sends the wake-ups that are not due yet. Further messages carry them. */
    void postpone() {
      List<Wakeup> rest = new ArrayList<>();
      byDue.forEach(
          (due, subjects) -> subjects.forEach(subject -> rest.add(new Wakeup(subject, due))));
      byDue.clear();
      attempt(messagesOf(rest), () -> send(rest));
    }

    void attempt(Set<String> messages, Runnable step) {
      try {
        step.run();
      } catch (RuntimeException unknown) {
        LOG.warn("could not process {} checks; SQS delivers them again", messages.size(), unknown);
        failed.addAll(messages);
      }
    }

    private Set<String> messagesOf(List<Wakeup> wakeups) {
      Set<String> messages = new HashSet<>();
      wakeups.forEach(one -> messages.addAll(messagesOf.getOrDefault(one.subject(), Set.of())));
      return messages;
    }
  }

  private void send(Map<Subject, Instant> wakeups) {
    send(wakeups.entrySet().stream().map(it -> new Wakeup(it.getKey(), it.getValue())).toList());
  }

  private void send(List<Wakeup> wakeups) {
    if (!wakeups.isEmpty()) {
      Instant now = clock.instant();
      checks.send(Check.of(wakeups, now), now);
    }
  }
}
