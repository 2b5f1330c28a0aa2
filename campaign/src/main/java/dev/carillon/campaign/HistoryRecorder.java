package dev.carillon.campaign;

import dev.carillon.backfill.Backfill;
import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.FaultPlan;
import dev.carillon.campaign.engine.Outage;
import dev.carillon.campaign.engine.Simulator;
import dev.carillon.campaign.engine.SkewedClock;
import dev.carillon.campaign.engine.Task;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.CalendarVersion;
import dev.carillon.campaign.judge.History.LaunchFailure;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.Run;
import dev.carillon.campaign.judge.History.StoredBackfill;
import dev.carillon.campaign.judge.History.StoredCollectingJob;
import dev.carillon.campaign.judge.History.StoredJob;
import dev.carillon.campaign.judge.History.TimeRange;
import dev.carillon.campaign.judge.History.Violation;
import dev.carillon.campaign.judge.History.Why;
import dev.carillon.campaign.judge.LimitFacts;
import dev.carillon.campaign.judge.PoolFacts;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.campaign.system.AppUsers;
import dev.carillon.campaign.system.BackfillInvariants;
import dev.carillon.campaign.system.CallbackInvariants;
import dev.carillon.campaign.system.GateInvariants;
import dev.carillon.campaign.system.ProgramRuns;
import dev.carillon.campaign.system.PulledClaims;
import dev.carillon.campaign.system.Pullers;
import dev.carillon.campaign.system.SimJobs;
import dev.carillon.campaign.system.SimQueues;
import dev.carillon.campaign.system.SimSchedules;
import dev.carillon.campaign.system.SimTargets;
import dev.carillon.campaign.system.SimTargets.Delivery;
import dev.carillon.campaign.system.TrackedWorkers;
import dev.carillon.campaign.system.Users;
import dev.carillon.event.Event;
import dev.carillon.id.JobId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.Job;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.Transition;
import dev.carillon.job.TriggerState;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.trigger.LeafCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Records what happened in an episode as a {@link History}, for the judge. */
final class HistoryRecorder {

  /** An operation that began within this many milliseconds of the end may be incomplete. */
  private static final long SETTLING = 90_000;

  private final Scenario scenario;
  private final FaultPlan faults;
  private final Simulator simulator;
  private final Users users;
  private final AppUsers appUsers;
  private final TrackedWorkers trackedWorkers;
  private final SimTargets targets;
  private final ProgramRuns programRuns;
  private final SimQueues queues;
  private final SimJobs jobs;
  private final GateInvariants gateInvariants;
  private final BackfillInvariants backfillInvariants;
  private final CallbackInvariants callbackInvariants;
  private final PoolFacts pool;
  private final PulledClaims pulled;
  private final Pullers pullers;
  private final Map<JobId, Long> postponed;

  HistoryRecorder(
      Scenario scenario,
      FaultPlan faults,
      Simulator simulator,
      Users users,
      AppUsers appUsers,
      TrackedWorkers trackedWorkers,
      SimTargets targets,
      ProgramRuns programRuns,
      SimQueues queues,
      SimJobs jobs,
      GateInvariants gateInvariants,
      BackfillInvariants backfillInvariants,
      CallbackInvariants callbackInvariants,
      PoolFacts pool,
      PulledClaims pulled,
      Pullers pullers,
      Map<JobId, Long> postponed) {
    this.scenario = scenario;
    this.faults = faults;
    this.simulator = simulator;
    this.users = users;
    this.appUsers = appUsers;
    this.trackedWorkers = trackedWorkers;
    this.targets = targets;
    this.programRuns = programRuns;
    this.queues = queues;
    this.jobs = jobs;
    this.gateInvariants = gateInvariants;
    this.backfillInvariants = backfillInvariants;
    this.callbackInvariants = callbackInvariants;
    this.pool = pool;
    this.pulled = pulled;
    this.pullers = pullers;
    this.postponed = postponed;
  }

  History record(MemoryJobs stored) {
    List<Operation> operations = new ArrayList<>(users.operations());
    operations.sort(Comparator.comparingLong(Operation::called));
    long faultsTo =
        faults.isScripted() && faults.firstAt() != Long.MAX_VALUE
            ? faults.lastAt()
            : scenario.faultsTo();
    Outage outage = faults.outage();
    return new History(
        scenario.start(),
        faults.firstAt(),
        faultsTo,
        scenario.repair(),
        users.openFrom(),
        scenario.end(),
        operations,
        calendar(),
        users.calendarDeletions(),
        appUsers.attempts(),
        users.announcements(),
        users.malformed(),
        arrivals(),
        stored.all().stream().map(this::storedJob).toList(),
        open(),
        stored.backfills().stream().map(HistoryRecorder::backfill).toList(),
        queues.rejected(),
        violations(),
        List.copyOf(simulator.failures()),
        runs(),
        launchFailures(),
        gateInvariants.strandedJobs(),
        faults.hasWrongClocks() ? SkewedClock.MAX_SKEW : 0,
        indexLag(),
        outage == null ? null : new TimeRange(outage.from(), outage.to()),
        new LimitFacts(
            programRuns.runs(), programRuns.ends(), interrupted(stored), targets.repeats()),
        pulled.with(trackedWorkers.calls()),
        pool,
        callbackInvariants.arrived());
  }

  private List<Arrival> arrivals() {
    List<Arrival> all = new ArrayList<>(targets.deliveries().stream().map(this::arrival).toList());
    all.addAll(pulled.arrivals(pullers));
    all.sort(Comparator.comparingLong(Arrival::at));
    return all;
  }

  private long indexLag() {
    return faults.injected().containsKey(FaultKind.INDEX_STEPPED_BACK)
        ? SimSchedules.LONGEST_LAG
        : 0;
  }

  private static Set<String> interrupted(MemoryJobs stored) {
    return stored.all().stream()
        .filter(
            job ->
                job.transitions().stream()
                    .map(Transition::reason)
                    .anyMatch(it -> it != null && it.code() == ReasonCode.LAUNCH_INTERRUPTED))
        .map(job -> job.id().toString())
        .collect(Collectors.toSet());
  }

  private List<CalendarVersion> calendar() {
    List<CalendarVersion> calendarVersions = new ArrayList<>();
    if (!scenario.calendar().isEmpty()) {
      calendarVersions.add(new CalendarVersion(0, 0, scenario.initialExclusions()));
    }
    calendarVersions.addAll(users.calendarVersions());
    return calendarVersions;
  }

  /** The runs of limited programs. A run whose slot was lost with its gate counts as unknown. */
  private List<Run> runs() {
    return targets.runs().stream()
        .map(
            run -> {
              boolean holds = !gateInvariants.hasForgotten(JobId.parse(run.jobId()));
              return new Run(run.jobId(), run.from(), run.to(), run.known() && holds);
            })
        .toList();
  }

  private List<Violation> violations() {
    List<Violation> all = new ArrayList<>(gateInvariants.violations(scenario.end() - SETTLING));
    all.addAll(backfillInvariants.violations());
    all.addAll(callbackInvariants.violations(scenario.end() - 2 * SETTLING));
    return all;
  }

  private Arrival arrival(Delivery delivery) {
    Task sender = delivery.sender();
    boolean explained =
        delivery.answerLost()
            || sender.isKilled()
            || !sender.isFinished()
            || sender.failedCalls > delivery.failedCalls();
    LaunchRequest request = delivery.request();
    Map<String, String> attributes = request.attributes();
    String schedule = String.valueOf(attributes.get("carillon-schedule"));
    return new Arrival(
        delivery.at(),
        String.valueOf(attributes.get("carillon-job-id")),
        Integer.parseInt(String.valueOf(attributes.get("carillon-attempt"))),
        schedule.substring(schedule.indexOf('/') + 1),
        request.body(),
        delivery.clock(),
        explained,
        backfillInvariants.backfillOf(request.job()),
        delivery.sent(),
        request.groupId() == null ? "" : request.groupId());
  }

  private StoredJob storedJob(Job job) {
    TriggerState triggerState = job.triggerState();
    return new StoredJob(
        job.id().toString(),
        job.id().schedule().name(),
        job.state().name(),
        job.isEnded(),
        began(job),
        job.transitions().get(0).at().toEpochMilli(),
        job.transitions().get(job.transitions().size() - 1).at().toEpochMilli(),
        counts(triggerState),
        fire(triggerState),
        events(triggerState),
        why(job),
        backfillInvariants.backfillOf(job.id()));
  }

  private static Why why(Job job) {
    Reason reason = job.newestReason();
    return reason == null ? Why.NOTHING : new Why(reason.code().name(), reason.arguments());
  }

  private long began(Job job) {
    long first = job.transitions().get(0).at().toEpochMilli();
    return backfillInvariants.backfillOf(job.id()).isEmpty()
        ? Math.min(job.scheduledFor().toEpochMilli(), first)
        : first;
  }

  private List<LaunchFailure> launchFailures() {
    Map<JobId, Long> first = new TreeMap<>(Comparator.comparing(JobId::toString));
    first.putAll(targets.refusals());
    postponed.forEach((job, at) -> first.merge(job, at, Math::min));
    return first.entrySet().stream()
        .map(
            launchFailure ->
                new LaunchFailure(launchFailure.getKey().toString(), launchFailure.getValue()))
        .toList();
  }

  private static StoredBackfill backfill(Backfill backfill) {
    return new StoredBackfill(
        backfill.id().name(), backfill.id().schedule().name(), backfill.state().name());
  }

  private List<StoredCollectingJob> open() {
    List<StoredCollectingJob> found = new ArrayList<>();
    for (CollectingJob collectingJob : jobs.collectingJobs().values()) {
      OpenJob open = collectingJob.open();
      if (open != null) {
        found.add(
            new StoredCollectingJob(
                collectingJob.schedule().name(),
                open.openedAt().toEpochMilli(),
                counts(open.triggerState()),
                fire(open.triggerState()),
                events(open.triggerState())));
      }
    }
    return found;
  }

  private static List<Long> counts(@Nullable TriggerState triggerState) {
    return triggerState == null
        ? List.of()
        : triggerState.leaves().stream().map(LeafCount::actual).toList();
  }

  private static long fire(@Nullable TriggerState triggerState) {
    if (triggerState != null) {
      for (LeafCount leaf : triggerState.leaves()) {
        Instant fire = leaf.fire();
        if (fire != null) {
          return fire.toEpochMilli();
        }
      }
    }
    return History.NEVER;
  }

  private static List<String> events(@Nullable TriggerState triggerState) {
    return triggerState == null
        ? List.of()
        : triggerState.events().stream().map(Event::id).toList();
  }
}
