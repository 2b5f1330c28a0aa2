package dev.carillon.campaign;

import dev.carillon.campaign.FaultyPorts.Around;
import dev.carillon.campaign.system.FunctionName;
import dev.carillon.campaign.system.Tampering;
import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.job.SkippedFires;
import dev.carillon.timer.CatchUp;
import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Faulty ports for the decision on missed fires. */
final class FaultyMissedFirePorts {

  private FaultyMissedFirePorts() {}

  /** Timers without the policy for missed fires. */
  static Timers withoutCatchUp(Timers real) {
    return Around.of(Timers.class, real)
        .<List<Timer>>after(
            "due",
            due ->
                due.stream()
                    .map(
                        it ->
                            new Timer(
                                it.id(),
                                it.dueAt(),
                                it.activation(),
                                it.leaf(),
                                it.generation(),
                                it.leafDocument(),
                                CatchUp.EVERYTHING,
                                null))
                    .toList())
        .port();
  }

  /** Does not store the jobs that count skipped fires. */
  static Jobs withoutSkipped(Jobs real) {
    return Around.of(Jobs.class, real)
        .replace("insert", arguments -> inserted(real, Around.list(arguments[0])))
        .port();
  }

  private static List<Optional<Job>> inserted(Jobs real, List<Job> jobs) {
    return jobs.stream().allMatch(FaultyMissedFirePorts::isSkipped)
        ? jobs.stream().map(job -> Optional.<Job>empty()).toList()
        : real.insert(jobs);
  }

  /** Hides the stored decision from a repeated one, which takes its own for stored. */
  static Jobs hidingSkipped(Jobs real) {
    return Around.of(Jobs.class, real)
        .<Map<JobId, Job>>after(
            "find",
            found ->
                found.values().stream()
                    .filter(job -> !isSkipped(job))
                    .collect(Collectors.toMap(Job::id, job -> job)))
        .<List<Optional<Job>>>after(
            "insert",
            present -> present.stream().map(it -> it.filter(job -> !isSkipped(job))).toList())
        .replace("skippedUpTo", arguments -> List.of())
        .port();
  }

  /** Finds a job that counts skipped fires only by its first fire. */
  static Jobs hidingSkippedUpTo(Jobs real) {
    return Around.of(Jobs.class, real).replace("skippedUpTo", arguments -> List.of()).port();
  }

  private static boolean isSkipped(Job job) {
    return SkippedFires.of(job).isPresent();
  }

  /** Launches the first of two missed fires and counts the latest. */
  static final class Swapping implements Tampering {
    private final Map<ScheduleId, Job> first = new HashMap<>();
    private Jobs jobs;

    @Override
    public Jobs jobs(FunctionName function, Jobs real) {
      if (function != FunctionName.MASTER) {
        return real;
      }
      jobs = real;
      return Around.of(Jobs.class, real)
          .replace(
              "insert",
              arguments -> {
                List<Job> jobs = Around.list(arguments[0]);
                Job job = jobs.get(0);
                if (!isSkipped(job) || !isOneForLatest(job.newestReason().arguments())) {
                  return real.insert(jobs);
                }
                first.put(job.id().schedule(), job);
                return List.of(Optional.<Job>empty());
              })
          .port();
    }

    private static boolean isOneForLatest(List<String> arguments) {
      return arguments.get(0).equals("1") && arguments.get(3).equals("latest");
    }

    @Override
    public CheckQueue checks(FunctionName function, CheckQueue real) {
      return function != FunctionName.MASTER
          ? real
          : (checks, now) -> real.send(checks.stream().map(this::swapped).toList(), now);
    }

    private Check swapped(Check check) {
      List<Subject> subjects = new ArrayList<>();
      for (Subject subject : check.subjects()) {
        JobId id = subject instanceof JobId job && job.isFire() ? job : null;
        Job skipped = id == null ? null : first.get(id.schedule());
        if (id != null && skipped != null && id.at().isAfter(skipped.id().at())) {
          first.remove(id.schedule());
          SkippedFires latest = new SkippedFires(id, id.at(), 1, 0);
          jobs.insert(
              List.of(
                  latest.row(
                      skipped.activation(),
                      skipped.program(),
                      skipped.transitions().get(0).at(),
                      "latest")));
          subjects.add(skipped.id());
        } else {
          subjects.add(subject);
        }
      }
      return new Check(check.due(), subjects);
    }
  }
}
