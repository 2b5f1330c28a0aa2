package dev.carillon.checker;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.Shared;
import dev.carillon.id.BackfillId;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.Subject;
import dev.carillon.id.SuspensionEnd;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetQueues;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.runtime.Hold;
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
 * Processes each subject that a check message names once it is due: holds what is less than a
 * second early, sends another message for what is earlier, and acknowledges a message only when
 * each of its jobs is launched, over, or named by another message that was accepted.
 */
public final class Checker {

  /** From this receive on a message is suspect: it is split, and a single job is set aside. */
  static final int SUSPECT_RECEIVES = 5;

  /** From this receive on the jobs of a message are processed one by one: one may be to blame. */
  static final int ALONE_RECEIVES = 3;

  private static final Duration LONGEST_HOLD = Duration.ofSeconds(1);
  private static final Logger LOG = LoggerFactory.getLogger(Checker.class);

  private final CheckProcessor processor;
  private final CheckQueue checks;
  private final InstantSource clock;
  private final Hold hold;

  /**
   * @param fanout for what concerns one schedule each
   */
  public Checker(
      Shared shared,
      Requests requests,
      TargetQueues targets,
      Fanout fanout,
      InstantSource clock,
      Hold hold) {
    LaunchSender sender = new LaunchSender(shared, requests, targets, clock);
    this.processor = new CheckProcessor(shared, sender, fanout, clock);
    this.checks = shared.checks();
    this.clock = clock;
    this.hold = hold;
  }

  /**
   * One message as it was received.
   *
   * @param receives how often, this time included
   */
  public record Received(String messageId, Check check, int receives) {}

  /** The ids of the messages that must be received again. */
  public Set<String> handle(List<Received> messages, Deadline deadline) {
    Batch batch = new Batch(deadline);
    for (Received message : messages) {
      if (message.receives() < SUSPECT_RECEIVES) {
        batch.add(message);
      } else {
        batch.attempt(Set.of(message.messageId()), () -> handleSuspect(message));
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
      hold.forThe(Duration.between(now, due));
    }
  }

  private void handleSuspect(Received message) {
    List<Wakeup> wakeups = message.check().wakeups();
    Wakeup first = wakeups.get(0);
    if (wakeups.size() > 1) {
      List<Check> singles =
          wakeups.stream().map(one -> new Check(one.at(), List.of(one.subject()))).toList();
      checks.send(singles, clock.instant());
    } else if (first.subject() instanceof JobId job) {
      LOG.error("the check of {} fails again and again; it is set aside", job);
      send(processor.setAside(job));
    } else if (first.subject() instanceof BackfillId backfill) {
      LOG.error("the check of {} fails again and again; its jobs are checked alone", backfill);
      send(processor.openJobs(backfill));
    } else if (first.subject() instanceof GateKey) {
      LOG.error("the check of {} fails again and again; the master repeats it", first);
    } else {
      LOG.error("the check of {} fails again and again", first);
      send(processor.processWhole(wakeups));
    }
  }

  /** What was processed, and may not be done yet. */
  private record Begun(List<Wakeup> wakeups, CheckProcessor.Processed processed) {}

  /** The subjects of some messages, by the instant at which they are due. */
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

    /** Processes all that are due, each once. */
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
      for (int start = 0; start < together.size(); start += Check.MOST_SUBJECTS) {
        int end = Math.min(start + Check.MOST_SUBJECTS, together.size());
        processTogether(together.subList(start, end));
      }
      single.forEach(this::processAlone);
      runDeferred();
    }

    /** Those are processed together, as one read finds what is needed of their schedules. */
    private static boolean isOfOneSchedule(Subject subject) {
      return subject instanceof JobId
          || subject instanceof CollectingJobId
          || subject instanceof SuspensionEnd;
    }

    private void processAlone(Wakeup wakeup) {
      if (isOfOneSchedule(wakeup.subject())) {
        processTogether(List.of(wakeup));
      } else if (wakeup.subject() instanceof BackfillId backfill) {
        inTime(List.of(wakeup), () -> send(processor.proceed(backfill, deadline)));
      } else {
        GateKey gate = (GateKey) wakeup.subject();
        inTime(List.of(wakeup), () -> note(List.of(wakeup), processor.serve(gate, deadline)));
      }
    }

    private void processTogether(List<Wakeup> wakeups) {
      inTime(wakeups, () -> note(wakeups, processor.process(wakeups)));
    }

    private void note(List<Wakeup> wakeups, CheckProcessor.Processed processed) {
      send(processed.followUps());
      begun.add(new Begun(wakeups, processed));
    }

    /** To be called when all that is due was launched. */
    private void runDeferred() {
      for (Begun one : begun) {
        if (one.processed().hasDeferred()) {
          inTime(one.wakeups(), one.processed().deferred());
        } else {
          attempt(messagesOf(one.wakeups()), one.processed().deferred());
        }
      }
      begun.clear();
    }

    /** Runs a step, or leaves its wake-ups to another message if the time is over. */
    private void inTime(List<Wakeup> wakeups, Runnable step) {
      attempt(
          messagesOf(wakeups),
          () -> {
            if (deadline.hasPassed()) {
              send(wakeups);
            } else {
              step.run();
            }
          });
    }

    /** Leaves all that is not due yet to other messages. */
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
        LOG.warn("some jobs could not be checked; their messages come again", unknown);
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
    List<Wakeup> all = new ArrayList<>();
    wakeups.forEach((subject, at) -> all.add(new Wakeup(subject, at)));
    send(all);
  }

  private void send(List<Wakeup> wakeups) {
    if (!wakeups.isEmpty()) {
      Instant now = clock.instant();
      checks.send(Check.of(wakeups, now), now);
    }
  }
}
