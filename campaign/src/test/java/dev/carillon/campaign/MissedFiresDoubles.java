package dev.carillon.campaign;

import dev.carillon.campaign.Doubles.Around;
import dev.carillon.campaign.system.Part;
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

/** Ports by which what is decided on missed fires goes wrong. */
final class MissedFiresDoubles {

  private MissedFiresDoubles() {}

  /** The timers forget what their schedule says of missed fires. */
  static Timers forgettingCatchUp(Timers real) {
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

  /** What counts skipped fires is not stored. */
  static Jobs withoutSkipped(Jobs real) {
    return Around.of(Jobs.class, real)
        .replace("insert", arguments -> inserted(real, Around.list(arguments[0])))
        .port();
  }

  private static List<Optional<Job>> inserted(Jobs real, List<Job> jobs) {
    return jobs.stream().allMatch(MissedFiresDoubles::isSkipped)
        ? jobs.stream().map(job -> Optional.<Job>empty()).toList()
        : real.insert(jobs);
  }

  /** Who repeats a decision does not find the first one, and takes its own for stored. */
  static Jobs forgettingSkipped(Jobs real) {
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

  /** Nobody finds what counts a fire but by its first one. */
  static Jobs findingNoneSkipped(Jobs real) {
    return Around.of(Jobs.class, real).replace("skippedUpTo", arguments -> List.of()).port();
  }

  private static boolean isSkipped(Job job) {
    return SkippedFires.of(job).isPresent();
  }

  /** Of two missed fires the first is launched and the latest is counted. */
  static final class Swapping implements Tampering {
    private final Map<ScheduleId, Job> first = new HashMap<>();
    private Jobs rows;

    @Override
    public Jobs jobs(Part part, Jobs real) {
      if (part != Part.MASTER) {
        return real;
      }
      rows = real;
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
    public CheckQueue checks(Part part, CheckQueue real) {
      return part != Part.MASTER
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
          rows.insert(
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
