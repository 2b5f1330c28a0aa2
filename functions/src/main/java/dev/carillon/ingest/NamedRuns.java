package dev.carillon.ingest;

import dev.carillon.check.Shared;
import dev.carillon.decision.RunEnding;
import dev.carillon.event.Event;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GateTicket;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.job.Gates;
import dev.carillon.job.Gates.Change;
import dev.carillon.job.Gates.Done;
import dev.carillon.job.Gates.JobLost;
import dev.carillon.job.Gates.Outcome;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.OptimisticUpdate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the jobs that events name as their runs. The jobs of a group are read and stored together,
 * and then their slots are freed in one write for each gate. The writes of a gate happen one after
 * another, so one write for each job would limit how many runs can end in a second.
 */
final class NamedRuns {

  private static final Logger LOG = LoggerFactory.getLogger(NamedRuns.class);

  private final Jobs jobs;
  private final Gates gates;
  private final FreedSlots slots;
  private final OptimisticUpdate updates;
  private final InstantSource clock;

  NamedRuns(Shared shared, FreedSlots slots, InstantSource clock) {
    this.jobs = shared.jobs();
    this.gates = shared.gates();
    this.slots = slots;
    this.updates = shared.updates();
    this.clock = clock;
  }

  /**
   * A job after a report of its end.
   *
   * @param isEndedNow whether this report has ended it
   */
  private record Reported(Job job, boolean isEndedNow) {

    boolean mustFree() {
      boolean freesByEvent = job.run() == null && job.ticket() != null;
      return freesByEvent && (isEndedNow || (job.isEnded() && job.isSlotted()));
    }
  }

  /**
   * Ends the runs of a group of reports.
   *
   * @return the events that must be received again; repeating these events ends no run twice
   * @throws RuntimeException if all events of the group must be received again
   */
  Set<Event> end(List<RunEnd> group) {
    Group ends = new Group();
    ends.read(group);
    ends.store();
    ends.free();
    ends.announce();
    return ends.failed;
  }

  /** The reports of one group, by the job that they name. */
  private final class Group {
    final Set<Event> failed = new HashSet<>();
    private final Map<JobId, List<RunEnd>> named = new LinkedHashMap<>();
    private final List<Reported> reported = new ArrayList<>();
    private Map<JobId, Job> found = Map.of();

    /**
     * Reads the jobs. If a report names no job of its program, it can still report a success, which
     * is recorded.
     */
    void read(List<RunEnd> group) {
      for (RunEnd end : group) {
        end.job()
            .ifPresentOrElse(
                id -> named.computeIfAbsent(id, any -> new ArrayList<>()).add(end),
                () -> noteSuccess(end));
      }
      found = find();
      for (Map.Entry<JobId, List<RunEnd>> run : named.entrySet()) {
        Job job = found.get(run.getKey());
        List<RunEnd> ofOthers =
            run.getValue().stream()
                .filter(end -> job == null || !job.program().equals(end.program().name()))
                .toList();
        ofOthers.forEach(this::noteSuccess);
        run.getValue().removeAll(ofOthers);
      }
      named.values().removeIf(List::isEmpty);
    }

    private Map<JobId, Job> find() {
      try {
        return named.isEmpty() ? Map.of() : jobs.find(named.keySet());
      } catch (UnreadableJobs damaged) {
        fail(damaged.ids(), damaged);
        return named.isEmpty() ? Map.of() : jobs.find(named.keySet());
      }
    }

    /** The report that counts for a job: the first of several reports about its run. */
    private RunEnd first(JobId id) {
      return Objects.requireNonNull(named.get(id)).get(0);
    }

    private void noteSuccess(Job ended) {
      noteSuccess(first(ended.id()));
    }

    private void noteSuccess(RunEnd end) {
      try {
        slots.noteSuccess(end, null);
      } catch (RuntimeException unavailable) {
        fail(end, unavailable);
      }
    }

    private void fail(Collection<JobId> ids, RuntimeException why) {
      for (JobId id : ids) {
        List<RunEnd> ends = named.remove(id);
        if (ends != null) {
          ends.forEach(end -> fail(end, why));
        }
      }
    }

    private void fail(RunEnd end, RuntimeException why) {
      String event = end.event().id();
      LOG.warn(
          "could not end the run that event {} reports on; SQS delivers the event again",
          event,
          why);
      failed.add(end.event());
    }

    /**
     * Stores the ends of the jobs. A waiting job is stored alone, because it also gives up its
     * place at a gate.
     */
    void store() {
      List<Update> open = new ArrayList<>();
      for (JobId id : List.copyOf(named.keySet())) {
        Job job = Objects.requireNonNull(found.get(id));
        if (!RunEnding.endsByEvent(job, true)) {
          reported.add(new Reported(job, false));
        } else if (job.waitsAt() == null) {
          open.add(new Update(job, first(id).ending(job, clock.instant(), null)));
        } else {
          storeAlone(job);
        }
      }
      List<Optional<Job>> others = update(open);
      for (int i = 0; i < open.size(); i++) {
        Job ended = open.get(i).after();
        if (named.containsKey(ended.id())) {
          others
              .get(i)
              .ifPresentOrElse(this::storeAlone, () -> reported.add(new Reported(ended, true)));
        }
      }
    }

    private List<Optional<Job>> update(List<Update> ends) {
      try {
        return ends.isEmpty() ? List.of() : jobs.update(ends);
      } catch (UnreadableJobs damaged) {
        fail(damaged.ids(), damaged);
        return damaged.outcomes();
      }
    }

    private void storeAlone(Job read) {
      RunEnd end = first(read.id());
      try {
        reported.add(
            updates.runFrom(read.id(), new Reported(read, false), one -> endNow(one.job(), end)));
      } catch (RuntimeException unavailable) {
        fail(List.of(read.id()), unavailable);
      }
    }

    void free() {
      Map<GateKey, List<Job>> held = new TreeMap<>(GateKey.ORDER);
      for (Reported one : reported) {
        GateTicket ticket = one.job().ticket();
        if (ticket != null && one.mustFree()) {
          ticket
              .gates()
              .forEach(gate -> held.computeIfAbsent(gate, any -> new ArrayList<>()).add(one.job()));
        }
      }
      reported.stream()
          .map(Reported::job)
          .filter(NamedRuns::wasNotCounted)
          .forEach(this::noteSuccess);
      held.forEach(
          (gate, ended) -> {
            try {
              slots.free(gate, ended);
            } catch (RuntimeException unavailable) {
              fail(ended.stream().map(Job::id).toList(), unavailable);
            }
          });
    }

    void announce() {
      List<Job> ended = reported.stream().map(Reported::job).filter(Job::isEnded).toList();
      try {
        slots.announce(ended);
      } catch (RuntimeException unavailable) {
        fail(ended.stream().map(Job::id).toList(), unavailable);
      }
    }
  }

  /**
   * Whether a job has succeeded that no gate had counted. Such a job waited when its end was
   * reported.
   */
  private static boolean wasNotCounted(Job job) {
    return job.state() == JobState.SUCCEEDED && job.run() == null && job.ticket() == null;
  }

  private Attempt<Reported> endNow(Job job, RunEnd end) {
    if (!RunEnding.endsByEvent(job, true)) {
      return Attempt.done(new Reported(job, false));
    }
    Job ended = end.ending(job, clock.instant(), null);
    return store(job, ended)
        .map(other -> Attempt.lostRaceTo(new Reported(other, false)))
        .orElseGet(() -> Attempt.done(new Reported(ended, true)));
  }

  /**
   * Stores the end of a job. A waiting job gives up its place at the gate.
   *
   * @return the job that another writer stored first; empty if the end was stored
   */
  private Optional<Job> store(Job before, Job ended) {
    GateKey queue = before.waitsAt();
    if (queue == null) {
      return jobs.update(List.of(new Update(before, ended))).get(0);
    }
    return updates.run(
        queue,
        () -> {
          Gate gate = slots.gate(queue);
          Outcome outcome =
              gates.commit(
                  Step.of(
                      before,
                      ended,
                      List.of(new Change(gate, gate.left())),
                      List.of(),
                      List.of(before.placeAt(queue))));
          if (outcome instanceof JobLost lost) {
            return Attempt.done(Optional.of(lost.present()));
          }
          return Attempt.of(outcome instanceof Done, Optional.empty());
        });
  }
}
