package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.StoredJob;
import dev.carillon.campaign.judge.Judge.Found;
import dev.carillon.campaign.judge.Limits.RateLimit;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Judges manual launches, and the final states of stored jobs. */
final class ManualLaunchJudge {

  /**
   * How many milliseconds a job that was held back may need after the hold ends, for repairs and to
   * wait for a slot.
   */
  private static final long HELD_LATELY = 420_000;

  private final History history;
  private final Schedule schedule;
  private final List<Damage> damages;
  private final Found found;

  ManualLaunchJudge(History history, Schedule schedule, List<Damage> damages, Found found) {
    this.history = history;
    this.schedule = schedule;
    this.damages = damages;
    this.found = found;
  }

  void judge() {
    schedule.operations().stream()
        .filter(operation -> operation.kind() == Kind.LAUNCH)
        .forEach(this::judgeLaunch);
    Set<Integer> asked =
        schedule.operations().stream().map(Operation::number).collect(Collectors.toSet());
    for (Launch launch : schedule.launches()) {
      if (launch.isManual() && !asked.contains(launch.number())) {
        find(
            Finding.Kind.UNASKED,
            launch.arrival().jobId(),
            "a manual launch that no user requested");
      }
    }
    Set<String> arrived = new TreeSet<>();
    schedule.launches().forEach(launch -> arrived.add(launch.arrival().jobId()));
    for (StoredJob stored : history.jobs()) {
      if (stored.schedule().equals(schedule.name())) {
        judgeStored(stored, arrived);
      }
    }
  }

  private void judgeLaunch(Operation call) {
    List<Launch> launches =
        schedule.launches().stream().filter(launch -> launch.number() == call.number()).toList();
    Set<String> jobs = new TreeSet<>();
    launches.forEach(launch -> jobs.add(launch.arrival().jobId()));
    if (jobs.size() > 1) {
      find(Finding.Kind.DOUBLED, jobs.toString(), "several jobs for one manual launch");
    }
    if (!call.done() && !call.isUnknown() && !jobs.isEmpty()) {
      find(Finding.Kind.UNASKED, jobs.toString(), "a manual launch that was refused");
    }
    if (call.done()) {
      judgeDone(call, launches, jobs);
    }
    for (Launch launch : launches) {
      judgeInFlight(call, launch);
    }
  }

  private void judgeDone(Operation call, List<Launch> launches, Set<String> jobs) {
    long bound =
        schedule.spans().stream()
            .mapToLong(span -> history.bound(call.returned(), span.spec()))
            .max()
            .orElse(history.bound(call.returned()));
    if (!jobs.isEmpty() && !jobs.contains(call.answer())) {
      find(Finding.Kind.UNASKED, jobs.toString(), "the api answered with job " + call.answer());
    }
    boolean mayBeCancelled =
        schedule.deletesItself()
            || schedule.cancelling().stream()
                .anyMatch(o -> o.returned() >= call.called() && o.called() <= bound);
    boolean mayBeHeld = schedule.mayHold(call.called(), bound);
    boolean hasTimedOut =
        history.jobs().stream()
            .anyMatch(
                stored ->
                    stored.jobId().equals(call.answer())
                        && (stored.state().equals("TIMED_OUT")
                            || stored.why().code().equals(UnmetCauses.UNMET)));
    boolean mayBeMissing = hasTimedOut || mayBeCancelled || mayBeHeld;
    if (mayBeMissing || bound > history.end()) {
      return;
    }
    found.required++;
    if (jobs.isEmpty()) {
      find(Finding.Kind.LOST, String.valueOf(call.answer()), "manual launch, never sent");
    } else if (launches.stream().noneMatch(launch -> launch.arrival().at() <= bound)) {
      find(Finding.Kind.LATE, String.valueOf(call.answer()), "manual launch, sent late");
    }
  }

  private void judgeInFlight(Operation call, Launch launch) {
    boolean late =
        schedule.cancelling().stream()
            .anyMatch(
                o ->
                    o.called() >= call.returned()
                        && o.returned() != History.NEVER
                        && launch.arrival().at() > o.returned() + Judge.IN_FLIGHT);
    if (late) {
      find(
          Finding.Kind.AFTER_DELETE,
          launch.arrival().jobId(),
          "manual launch from before the change");
    }
  }

  private void judgeStored(StoredJob stored, Set<String> arrived) {
    boolean mayBeHeld = schedule.mayHold(history.end() - HELD_LATELY, history.end());
    // TrackedEndJudge judges the jobs that were sent to a worker.
    boolean wasTracked = history.isTracked(schedule.name()) && arrived.contains(stored.jobId());
    boolean mayQueue =
        schedule.documents().stream()
            .map(Span::spec)
            .anyMatch(
                it -> (it.tracking() != null && it.queues()) || history.waitsForKeptSlots(it));
    if (wasTracked) {
      return;
    }
    ProgramFacts program = program();
    boolean mayRun = program != null && !program.ends().isEmpty();
    long settled = history.end() - (mayRun ? History.QUEUE : History.SETTLING);
    boolean isLate = stored.changed() < settled && !isBehindOthers(stored, program);
    if (!stored.ended() && !mayBeHeld && !mayQueue && isLate) {
      find(Finding.Kind.STUCK, stored.jobId(), "is still " + stored.state());
    }
    switch (stored.state()) {
      case "LAUNCHED", "SUCCEEDED" -> {
        if (!arrived.contains(stored.jobId())) {
          find(
              Finding.Kind.LOST,
              stored.jobId(),
              "is " + stored.state() + ", but its request has not arrived");
        }
        if (stored.state().equals("SUCCEEDED") && mayRun && !isReported(program, stored)) {
          find(Finding.Kind.UNASKED, stored.jobId(), "SUCCEEDED, but no worker reported that");
        }
      }
      case "CANCELLED" -> {
        if (!isCancelled(stored) && !isReported(program, stored)) {
          find(
              Finding.Kind.LOST, stored.jobId(), "was cancelled, but no user changed the schedule");
        }
      }
      case "FAILED" -> {
        if (!isReported(program, stored)) {
          find(Finding.Kind.LOST, stored.jobId(), "FAILED without a reason");
        }
      }
      default -> {
        // FireJudge and WaitJudge judge SKIPPED jobs, WaitJudge judges TIMED_OUT jobs.
      }
    }
  }

  /** The program whose workers report how runs end; null if the schedule has no such program. */
  private @Nullable ProgramFacts program() {
    return schedule.documents().stream()
        .map(span -> span.spec().limits())
        .filter(it -> it.ends() != Limits.Ends.NONE)
        .findFirst()
        .map(it -> ProgramFacts.of(history, it.program()))
        .orElse(null);
  }

  /** Whether other jobs of the program have used its rate since the job began to wait. */
  private boolean isBehindOthers(StoredJob stored, @Nullable ProgramFacts program) {
    return program != null
        && schedule.documents().stream()
            .flatMap(span -> span.spec().limits().all().stream())
            .anyMatch(
                it -> it instanceof RateLimit rate && program.isInUse(rate, stored.changed()));
  }

  private static boolean isReported(@Nullable ProgramFacts program, StoredJob stored) {
    return program != null && program.saysOf(stored.jobId(), stored.state());
  }

  /**
   * Whether a change of its schedule or backfill, or lost information, may have cancelled a job.
   */
  boolean isCancelled(StoredJob stored) {
    String backfill = stored.backfill();
    long began = backfill.isEmpty() ? stored.began() : schedule.askedAt(backfill);
    return schedule.deletesItself()
        || damages.stream().anyMatch(it -> it.mayCancel(stored))
        || (!backfill.isEmpty() && !schedule.cancellations(backfill).isEmpty())
        || schedule.cancelling().stream()
            .anyMatch(
                o ->
                    o.called() <= stored.changed() + Judge.IN_FLIGHT + Judge.SKEW
                        && o.returned() >= began - Judge.IN_FLIGHT - 2 * Judge.SKEW);
  }

  private void find(Finding.Kind kind, String jobId, String what) {
    found.findings.add(new Finding(kind, schedule.name(), jobId, what));
  }
}
