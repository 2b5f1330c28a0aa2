package dev.carillon.campaign;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.campaign.FaultyPorts.Around;
import dev.carillon.campaign.system.FunctionName;
import dev.carillon.campaign.system.Tampering;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.Transition;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Schedules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Checkers that end jobs without a launch although nothing prevented the launch. */
final class UncausedEndStates {

  private UncausedEndStates() {}

  /**
   * Stores some jobs in a final state instead of launching them; the checker then finds them ended.
   */
  private static Jobs ending(Jobs real, UnaryOperator<Job> end) {
    return Around.of(Jobs.class, real)
        .replace(
            "insert",
            arguments -> {
              List<Job> jobs = Around.list(arguments[0]);
              List<Job> stored = jobs.stream().map(end).toList();
              return present(jobs, stored, real.insert(stored));
            })
        .replace(
            "update",
            arguments -> {
              List<Update> updates = Around.list(arguments[0]);
              List<Job> jobs = updates.stream().map(Update::after).toList();
              List<Job> stored = jobs.stream().map(end).toList();
              List<Update> changed = new ArrayList<>();
              for (int i = 0; i < updates.size(); i++) {
                changed.add(new Update(updates.get(i).before(), stored.get(i)));
              }
              return present(jobs, stored, real.update(changed));
            })
        .port();
  }

  private static List<Optional<Job>> present(
      List<Job> jobs, List<Job> stored, List<Optional<Job>> others) {
    List<Optional<Job>> present = new ArrayList<>(others);
    for (int i = 0; i < jobs.size(); i++) {
      if (present.get(i).isEmpty() && !stored.get(i).equals(jobs.get(i))) {
        present.set(i, Optional.of(stored.get(i)));
      }
    }
    return present;
  }

  /** The job, ended instead of launched. */
  private static Job ended(Job launching, JobState end, Instant at, Reason reason) {
    List<Transition> transitions = new ArrayList<>(launching.transitions());
    transitions.set(transitions.size() - 1, new Transition(at, end, reason));
    return new Job(
        launching.id(),
        launching.version(),
        end,
        launching.origin(),
        launching.precedence(),
        launching.delivery(),
        null,
        launching.triggerState(),
        null,
        List.copyOf(transitions));
  }

  private static boolean isFirstLaunch(Job job) {
    return job.state() == JobState.PENDING_LAUNCH
        && job.refusals() == 0
        && job.transitions().stream().filter(it -> it.state() == job.state()).count() == 1;
  }

  private static Instant now(Job job) {
    return job.transitions().get(job.transitions().size() - 1).at();
  }

  /** Ends jobs with a discarding time-out as if the time-out had passed. */
  static final class AtTimeout implements Tampering {
    private final Map<Generation, Duration> timeouts = new HashMap<>();

    private record Generation(ScheduleId schedule, long number) {}

    @Override
    public Schedules schedules(FunctionName function, Schedules real) {
      return function != FunctionName.CHECKER
          ? real
          : Around.of(Schedules.class, real)
              .after("definitions", this::noted)
              .after("recentDefinitions", this::noted)
              .port();
    }

    private Map<ScheduleId, Definition> noted(Map<ScheduleId, Definition> read) {
      read.values().forEach(this::note);
      return read;
    }

    private void note(Definition definition) {
      JsonNode timeout = definition.document().path("timeout");
      if (timeout.path("action").asText().equals("discard")) {
        timeouts.put(
            new Generation(definition.id(), definition.generation()),
            Duration.parse(timeout.path("after").asText()));
      }
    }

    @Override
    public Jobs jobs(FunctionName function, Jobs real) {
      return function == FunctionName.CHECKER ? ending(real, this::timedOut) : real;
    }

    private Job timedOut(Job job) {
      Duration timeout = timeouts.get(new Generation(job.id().schedule(), job.id().generation()));
      if (timeout == null || !isFirstLaunch(job)) {
        return job;
      }
      Instant opened = job.transitions().get(0).at();
      Instant end =
          (opened.isBefore(job.scheduledFor()) ? opened : job.scheduledFor()).plus(timeout);
      return ended(
          job,
          JobState.TIMED_OUT,
          end.isBefore(now(job)) ? now(job) : end,
          Reason.of(ReasonCode.CONSTRAINTS_TIMED_OUT, timeout, "something"));
    }
  }

  /** Ends every fifth job. */
  static final class EveryFifth implements Tampering {
    private int launches;

    @Override
    public Jobs jobs(FunctionName function, Jobs real) {
      return function == FunctionName.CHECKER ? ending(real, this::skipped) : real;
    }

    private Job skipped(Job job) {
      return isFirstLaunch(job) && ++launches % 5 == 0
          ? ended(
              job, JobState.SKIPPED, now(job), Reason.of(ReasonCode.CONSTRAINTS_UNMET, "something"))
          : job;
    }
  }
}
