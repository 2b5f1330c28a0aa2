package dev.carillon.campaign.system;

import dev.carillon.app.App;
import dev.carillon.backfill.Backfill;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.campaign.engine.LogCapture;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.gate.Gate;
import dev.carillon.id.AppId;
import dev.carillon.id.BackfillId;
import dev.carillon.id.CalendarId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.master.ShardPlan;
import dev.carillon.master.StatusStore.Status;
import dev.carillon.memory.MemoryCalendars;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;
import dev.carillon.memory.MemorySchedules;
import dev.carillon.memory.MemoryTimers;
import dev.carillon.pool.PoolActivity;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.StoredPool;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.timer.Timer;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The objects that the stores in memory contain. */
public record MemoryContents(
    MemorySchedules schedules,
    MemoryJobs jobs,
    MemoryCalendars calendars,
    MemoryGates gates,
    MemoryTimers timers,
    SimApps apps,
    SimStatus status)
    implements DamagedItem.Contents {

  private static final PoolId POOL = new PoolId("default", Scenario.POOL);
  private static final CalendarId CALENDAR = new CalendarId("default", Scenario.CALENDAR);

  @Override
  public @Nullable Head head(ScheduleId id) {
    return schedules.heads(List.of(id)).get(id);
  }

  @Override
  public @Nullable Definition definition(ScheduleId id) {
    return schedules.definitions(List.of(id)).get(id);
  }

  @Override
  public List<Job> jobs(ScheduleId id) {
    List<Job> all = jobs.all().stream().filter(job -> job.id().schedule().equals(id)).toList();
    List<Job> unfinished = all.stream().filter(job -> !job.isEnded()).toList();
    return unfinished.isEmpty() ? all : unfinished;
  }

  @Override
  public @Nullable Job job(JobId id) {
    return jobs.find(List.of(id)).get(id);
  }

  @Override
  public @Nullable CollectingJob collectingJob(ScheduleId id) {
    return jobs.collectingJobs().stream()
        .filter(collecting -> collecting.schedule().equals(id))
        .findFirst()
        .orElse(null);
  }

  @Override
  public List<Backfill> backfills(ScheduleId id) {
    return jobs.backfills().stream()
        .filter(it -> it.id().schedule().equals(id) && it.state() == Backfill.State.RUNNING)
        .toList();
  }

  @Override
  public @Nullable Backfill backfill(BackfillId id) {
    return jobs.backfills(List.of(id)).get(id);
  }

  @Override
  public List<Timer> timers(ScheduleId id) {
    return timers.all().stream().filter(timer -> timer.id().equals(id)).toList();
  }

  @Override
  public @Nullable StoredCalendar calendar() {
    return calendars.find(List.of(CALENDAR)).get(CALENDAR);
  }

  @Override
  public List<Gate> allGates() {
    return gates.all().stream().sorted(Comparator.comparing(it -> it.key().toString())).toList();
  }

  @Override
  public @Nullable StoredPool pool() {
    return gates.pools().find(List.of(POOL)).get(POOL);
  }

  @Override
  public @Nullable PoolState poolState() {
    return gates.pools().state(POOL).orElse(null);
  }

  @Override
  public @Nullable PoolActivity poolActivity() {
    PoolActivity stored = gates.pools().activity(POOL);
    return stored.equals(PoolActivity.none(POOL)) ? null : stored;
  }

  @Override
  public @Nullable ShardPlan shards() {
    return status.storedShards();
  }

  @Override
  public @Nullable App app(AppId id) {
    return apps.stored(id);
  }

  @Override
  public @Nullable Status masterStatus() {
    return status.stored();
  }

  @Override
  public void demand(GateKey key, long change) {
    Gate gate = gates.find(List.of(key)).getOrDefault(key, Gate.unused(key));
    gates.update(gate, gate.demanding(Map.of(LogCapture.UNKNOWN_LIMIT, change)));
  }

  @Override
  public @Nullable Gate gate(GateKey key) {
    return gates.find(List.of(key)).get(key);
  }
}
