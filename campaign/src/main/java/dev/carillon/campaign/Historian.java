package dev.carillon.campaign;

import dev.carillon.backfill.Backfill;
import dev.carillon.campaign.engine.FaultPlan;
import dev.carillon.campaign.engine.Outage;
import dev.carillon.campaign.engine.SkewedClock;
import dev.carillon.campaign.engine.Steps;
import dev.carillon.campaign.engine.Task;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.BackfillRow;
import dev.carillon.campaign.judge.History.JobRow;
import dev.carillon.campaign.judge.History.OpenRow;
import dev.carillon.campaign.judge.History.Opening;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.Setback;
import dev.carillon.campaign.judge.History.Stretch;
import dev.carillon.campaign.judge.History.Violation;
import dev.carillon.campaign.judge.History.Why;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.campaign.system.BackfillWatch;
import dev.carillon.campaign.system.Deployers;
import dev.carillon.campaign.system.GateWatch;
import dev.carillon.campaign.system.SimJobs;
import dev.carillon.campaign.system.SimQueues;
import dev.carillon.campaign.system.SimTargets;
import dev.carillon.campaign.system.SimTargets.Delivery;
import dev.carillon.campaign.system.Users;
import dev.carillon.event.Event;
import dev.carillon.id.JobId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.Job;
import dev.carillon.job.Reason;
import dev.carillon.job.TriggerState;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.trigger.LeafCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes down what happened, in words that the judge understands. */
final class Historian {

  /** Milliseconds before the end in which something may have begun that is not complete. */
  private static final long SETTLING = 90_000;

  private final Scenario scenario;
  private final FaultPlan faults;
  private final Steps steps;
  private final Users users;
  private final Deployers deployers;
  private final SimTargets targets;
  private final SimQueues queues;
  private final SimJobs jobs;
  private final GateWatch watch;
  private final BackfillWatch backfillWatch;
  private final Map<JobId, Long> putOff;

  Historian(
      Scenario scenario,
      FaultPlan faults,
      Steps steps,
      Users users,
      Deployers deployers,
      SimTargets targets,
      SimQueues queues,
      SimJobs jobs,
      GateWatch watch,
      BackfillWatch backfillWatch,
      Map<JobId, Long> putOff) {
    this.scenario = scenario;
    this.faults = faults;
    this.steps = steps;
    this.users = users;
    this.deployers = deployers;
    this.targets = targets;
    this.queues = queues;
    this.jobs = jobs;
    this.watch = watch;
    this.backfillWatch = backfillWatch;
    this.putOff = putOff;
  }

  History tell(MemoryJobs rows) {
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
        users.removals(),
        deployers.tries(),
        users.announcements(),
        users.malformed(),
        targets.deliveries().stream().map(this::arrival).toList(),
        rows.all().stream().map(this::row).toList(),
        open(),
        rows.backfills().stream().map(Historian::backfill).toList(),
        queues.rejected(),
        violations(),
        List.copyOf(steps.failures()),
        targets.runs(),
        setbacks(),
        watch.forgotten(),
        faults.hasWrongClocks() ? SkewedClock.MOST_SKEW : 0,
        outage == null ? null : new Stretch(outage.from(), outage.to()));
  }

  private List<Opening> calendar() {
    List<Opening> openings = new ArrayList<>();
    if (!scenario.calendar().isEmpty()) {
      openings.add(new Opening(0, 0, scenario.firstStretches()));
    }
    openings.addAll(users.openings());
    return openings;
  }

  private List<Violation> violations() {
    List<Violation> all = new ArrayList<>(watch.violations(scenario.end() - SETTLING));
    all.addAll(backfillWatch.violations());
    return all;
  }

  private Arrival arrival(Delivery delivery) {
    Task sender = delivery.sender();
    boolean explained =
        delivery.answerLost()
            || sender.isKilled()
            || !sender.isFinished()
            || sender.disturbances > delivery.disturbances();
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
        backfillWatch.backfillOf(request.job()));
  }

  private JobRow row(Job job) {
    TriggerState triggerState = job.triggerState();
    return new JobRow(
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
        backfillWatch.backfillOf(job.id()));
  }

  private static Why why(Job job) {
    Reason reason = job.newestReason();
    return reason == null ? Why.NOTHING : new Why(reason.code().name(), reason.arguments());
  }

  private long began(Job job) {
    long first = job.transitions().get(0).at().toEpochMilli();
    return backfillWatch.backfillOf(job.id()).isEmpty()
        ? Math.min(job.scheduledFor().toEpochMilli(), first)
        : first;
  }

  private List<Setback> setbacks() {
    Map<JobId, Long> first = new TreeMap<>(Comparator.comparing(JobId::toString));
    first.putAll(targets.refusals());
    putOff.forEach((job, at) -> first.merge(job, at, Math::min));
    return first.entrySet().stream()
        .map(setback -> new Setback(setback.getKey().toString(), setback.getValue()))
        .toList();
  }

  private static BackfillRow backfill(Backfill backfill) {
    return new BackfillRow(
        backfill.id().name(), backfill.id().schedule().name(), backfill.state().name());
  }

  private List<OpenRow> open() {
    List<OpenRow> rows = new ArrayList<>();
    for (CollectingJob collectingJob : jobs.collectingJobs().values()) {
      OpenJob open = collectingJob.open();
      if (open != null) {
        rows.add(
            new OpenRow(
                collectingJob.schedule().name(),
                open.openedAt().toEpochMilli(),
                counts(open.triggerState()),
                fire(open.triggerState()),
                events(open.triggerState())));
      }
    }
    return rows;
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
