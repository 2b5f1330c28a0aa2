package dev.carillon.checker;

import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.Shared;
import dev.carillon.id.BackfillId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.Subject;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetQueues;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.runtime.Hold;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at each job that a check message names once it is due: holds what is less than a second
 * early, sends anew what is earlier, and acknowledges a message only when each of its jobs is
 * launched, over, or named by another message that was accepted.
 */
public final class Checker {

  /** From this receive on a message is suspect: it is split, and a single job is set aside. */
  static final int SUSPECT_RECEIVES = 5;

  /** From this receive on the jobs of a message are looked at one by one: one may be to blame. */
  static final int ALONE_RECEIVES = 3;

  private static final Duration LONGEST_HOLD = Duration.ofSeconds(1);
  private static final Logger LOG = LoggerFactory.getLogger(Checker.class);

  private final Launcher launcher;
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
    Sending sending = new Sending(shared, requests, targets, clock);
    this.launcher = new Launcher(shared, sending, fanout, clock);
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
        batch.sendRestAnew();
      } else {
        hold(now, due);
        batch.look(clock.instant());
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
    List<Subject> subjects = message.check().subjects();
    if (subjects.size() > 1) {
      List<Check> singles =
          subjects.stream()
              .flatMap(one -> Check.of(message.check().due(), List.of(one)).stream())
              .toList();
      checks.send(singles, clock.instant());
    } else if (subjects.get(0) instanceof JobId job) {
      LOG.error("the check of {} fails again and again; it is set aside", job);
      sendAnew(launcher.setAside(job));
    } else if (subjects.get(0) instanceof BackfillId backfill) {
      LOG.error("the look at {} fails again and again; its jobs are looked at alone", backfill);
      sendAnew(launcher.openJobs(backfill));
    } else {
      LOG.error("the look at {} fails again and again; the master repeats it", subjects);
    }
  }

  private static Instant due(Check check, Subject subject) {
    return subject instanceof JobId job
            && (job.isFire() || job.isTurn())
            && job.at().isAfter(check.due())
        ? job.at()
        : check.due();
  }

  /** What was looked at, and may not be done yet. */
  private record Begun(List<? extends Subject> subjects, Launcher.Seen seen) {}

  /** The jobs of some messages, by the instant at which they are due. */
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
      for (Subject job : message.check().subjects()) {
        if (messagesOf.computeIfAbsent(job, named -> new HashSet<>()).add(message.messageId())) {
          byDue.computeIfAbsent(due(message.check(), job), due -> new LinkedHashSet<>()).add(job);
        }
      }
    }

    void look(Instant now) {
      List<Subject> ready = new ArrayList<>();
      while (!byDue.isEmpty() && !byDue.firstKey().isAfter(now)) {
        ready.addAll(byDue.pollFirstEntry().getValue());
      }
      List<JobId> together = new ArrayList<>();
      List<Subject> single = new ArrayList<>();
      for (Subject subject : new LinkedHashSet<>(ready)) {
        if (subject instanceof JobId job && !alone.contains(job)) {
          together.add(job);
        } else {
          single.add(subject);
        }
      }
      for (int start = 0; start < together.size(); start += Check.MOST_JOBS) {
        look(together.subList(start, Math.min(start + Check.MOST_JOBS, together.size())));
      }
      single.forEach(this::lookAlone);
      seeToRest();
    }

    private void lookAlone(Subject subject) {
      if (subject instanceof JobId job) {
        look(List.of(job));
      } else {
        attempt(
            messagesOf(List.of(subject)),
            () -> {
              if (deadline.hasPassed()) {
                sendAnew(atOnce(List.of(subject)));
              } else if (subject instanceof BackfillId backfill) {
                sendAnew(launcher.lookAt(backfill, deadline));
              } else {
                note(List.of(subject), launcher.lookAt((GateKey) subject, deadline));
              }
            });
      }
    }

    private void look(List<JobId> chunk) {
      attempt(
          messagesOf(chunk),
          () -> {
            if (deadline.hasPassed()) {
              sendAnew(atOnce(chunk));
            } else {
              note(chunk, launcher.see(chunk));
            }
          });
    }

    private void note(List<? extends Subject> subjects, Launcher.Seen seen) {
      sendAnew(seen.again());
      begun.add(new Begun(subjects, seen));
    }

    /** To be called when all that is due was launched. */
    private void seeToRest() {
      for (Begun one : begun) {
        attempt(
            messagesOf(one.subjects()),
            () -> {
              if (one.seen().hasRest() && deadline.hasPassed()) {
                sendAnew(atOnce(one.subjects()));
              } else {
                one.seen().rest().run();
              }
            });
      }
      begun.clear();
    }

    private Map<Subject, Instant> atOnce(List<? extends Subject> chunk) {
      Instant now = clock.instant();
      return chunk.stream().collect(Collectors.toMap(subject -> subject, subject -> now));
    }

    void sendRestAnew() {
      Map<Subject, Instant> rest = new LinkedHashMap<>();
      byDue.forEach((due, jobs) -> jobs.forEach(job -> rest.put(job, due)));
      byDue.clear();
      attempt(messagesOf(rest.keySet()), () -> sendAnew(rest));
    }

    void attempt(Set<String> messages, Runnable step) {
      try {
        step.run();
      } catch (RuntimeException unknown) {
        LOG.warn("some jobs could not be checked; their messages come again", unknown);
        failed.addAll(messages);
      }
    }

    private Set<String> messagesOf(Iterable<? extends Subject> jobs) {
      Set<String> messages = new HashSet<>();
      jobs.forEach(job -> messages.addAll(messagesOf.getOrDefault(job, Set.of())));
      return messages;
    }
  }

  private void sendAnew(Map<Subject, Instant> later) {
    if (later.isEmpty()) {
      return;
    }
    Map<Long, List<Subject>> bySecond = new TreeMap<>();
    later.forEach(
        (job, due) ->
            bySecond.computeIfAbsent(due.getEpochSecond(), second -> new ArrayList<>()).add(job));
    List<Check> anew = new ArrayList<>();
    for (List<Subject> jobs : bySecond.values()) {
      Instant due = jobs.stream().map(later::get).max(Comparator.naturalOrder()).orElseThrow();
      anew.addAll(Check.of(due, jobs));
    }
    checks.send(anew, clock.instant());
  }
}
