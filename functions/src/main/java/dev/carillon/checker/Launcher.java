package dev.carillon.checker;

import dev.carillon.ingest.Collector;
import dev.carillon.job.Job;
import dev.carillon.job.JobId;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Update;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.ScheduleId;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.Schedules;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Takes due jobs to PENDING_LAUNCH, each by one conditional write, and has them sent.
 *
 * <p>The heads are read after the jobs are due and right before that write, so nothing is launched
 * for a schedule that had been changed, suspended or deleted before it was due.
 */
public final class Launcher {

  /**
   * How long a launcher holds a job: longer than a function lives, by what clocks may differ, so
   * that whoever finds it expired may take the job over.
   */
  public static final Duration LEASE = Duration.ofSeconds(15);

  /**
   * So long after its schedule was changed nobody launches a fire any more of what was before: what
   * a call of the API may take, and a launcher that had read the head, and what clocks may differ.
   */
  static final Duration CHANGE_SETTLES = Duration.ofSeconds(45);

  private static final Duration UNREADABLE_DEFINITION_PAUSE = Duration.ofMinutes(1);

  private final Schedules schedules;
  private final CompiledSchedules definitions;
  private final Jobs jobs;
  private final Sending sending;
  private final Collector collector;
  private final Completion completion;
  private final InstantSource clock;

  public Launcher(
      Schedules schedules,
      CompiledSchedules definitions,
      Jobs jobs,
      Sending sending,
      Collector collector,
      InstantSource clock) {
    this.schedules = schedules;
    this.definitions = definitions;
    this.jobs = jobs;
    this.sending = sending;
    this.collector = collector;
    this.completion = new Completion(schedules, jobs);
    this.clock = clock;
  }

  /**
   * Does for each job what can be done now.
   *
   * @return the jobs that somebody has to look at again for this look to count as done, and when
   * @throws RuntimeException if anything is unknown; the whole look may be repeated
   */
  public Map<JobId, Instant> look(List<JobId> ids) {
    Look look = new Look(ids);
    look.sortOut();
    look.insertFires();
    look.updateRows();
    look.collect();
    look.again.putAll(sending.send(look.launches));
    completion.completeExhausted(look.compiled, look.heads, look.fires, look.now);
    return look.again;
  }

  /**
   * Gives a job whose checks fail again and again a row that says so, and time; but not while
   * another launcher holds it.
   *
   * @return as {@link #look}
   */
  Map<JobId, Instant> setAside(JobId id) {
    String reason = "checking it failed " + Checker.SUSPECT_RECEIVES + " times";
    Instant now = clock.instant();
    Look look = new Look(List.of(id));
    Job job = jobs.find(List.of(id)).get(id);
    if (job == null && !look.isWantedPlainFire(id)) {
      return look(List.of(id));
    }
    if (job != null && (job.isEnded() || job.isBeingLaunched(now))) {
      look.leaveToOther(job);
      return look.again;
    }
    Job aside = (job == null ? look.launchingFire(id) : job).refused(now, reason);
    Optional<Job> other =
        job == null
            ? jobs.insert(List.of(aside)).get(0)
            : jobs.update(List.of(new Update(job, aside))).get(0);
    other.ifPresent(look::leaveToOther);
    if (other.isEmpty() && aside.notBefore() != null) {
      look.again.put(id, aside.notBefore());
    }
    return look.again;
  }

  /** A job that this launcher holds, with what it launches. */
  record Launch(Compiled compiled, Job job) {}

  /** One look at some jobs. */
  private final class Look {
    final Instant now = clock.instant();
    final Instant leaseEnd = now.plus(LEASE);
    final Collection<JobId> ids;
    final Map<ScheduleId, Head> heads;
    final Map<ScheduleId, Compiled> compiled;
    final List<JobId> fires = new ArrayList<>();
    final List<JobId> withRow = new ArrayList<>();
    final List<Job> rows = new ArrayList<>();
    final Map<ScheduleId, JobId> latestCollected = new LinkedHashMap<>();
    final List<Launch> launches = new ArrayList<>();
    final Map<JobId, Instant> again = new HashMap<>();

    Look(Collection<JobId> ids) {
      this.ids = ids;
      Set<ScheduleId> concerned = ids.stream().map(JobId::schedule).collect(Collectors.toSet());
      this.heads = schedules.heads(concerned);
      this.compiled = definitions.of(heads.values());
    }

    boolean isWantedPlainFire(JobId id) {
      Head head = heads.get(id.schedule());
      Compiled known = compiled.get(id.schedule());
      return id.isFire()
          && head != null
          && known != null
          && head.wantsFire(id.generation(), id.at())
          && known.schedule().trigger().isPlainTime()
          && !known.isExcluded(id.at());
    }

    void sortOut() {
      for (JobId id : ids) {
        Head head = heads.get(id.schedule());
        boolean wantedFire =
            id.isFire() && head != null && head.wantsFire(id.generation(), id.at());
        Compiled known = compiled.get(id.schedule());
        if (id.isLook()) {
          latestCollected.merge(id.schedule(), id, Look::later);
        } else if (!wantedFire) {
          withRow.add(id);
        } else if (known == null) {
          again.put(id, now.plus(UNREADABLE_DEFINITION_PAUSE));
        } else if (known.schedule().trigger().isPlainTime()) {
          fires.add(id);
        } else {
          latestCollected.merge(id.schedule(), id, Look::later);
        }
      }
    }

    void insertFires() {
      List<Job> inserts =
          fires.stream().filter(id -> !isExcluded(id)).map(this::launchingFire).toList();
      List<Optional<Job>> present = jobs.insert(inserts);
      for (int i = 0; i < inserts.size(); i++) {
        Job inserted = inserts.get(i);
        present
            .get(i)
            .ifPresentOrElse(
                rows::add, () -> launches.add(new Launch(compiledOf(inserted), inserted)));
      }
    }

    /** By the calendars as they are after it is due, so it was not for whoever looks first. */
    private boolean isExcluded(JobId id) {
      Compiled known = compiled.get(id.schedule());
      return known != null && known.isExcluded(id.at());
    }

    private Job launchingFire(JobId id) {
      Head head = heads.get(id.schedule());
      Compiled known = compiled.get(id.schedule());
      if (head == null || known == null) {
        throw new IllegalStateException("sorted out wrongly: " + id);
      }
      return Job.launchingFire(id, head.activation(), known.schedule().program(), now, leaseEnd);
    }

    void updateRows() {
      Map<JobId, Job> found = jobs.find(withRow);
      rows.addAll(found.values());
      withRow.stream().filter(id -> !found.containsKey(id)).forEach(this::awaitStragglers);
      List<Update> updates = new ArrayList<>();
      for (Job row : rows) {
        decide(row).ifPresent(after -> updates.add(new Update(row, after)));
      }
      List<Optional<Job>> others = jobs.update(updates);
      for (int i = 0; i < updates.size(); i++) {
        Job after = updates.get(i).after();
        others.get(i).ifPresentOrElse(this::leaveToOther, () -> proceed(after));
      }
    }

    /** Who had read the head before it was changed may yet insert the fire's job, and die then. */
    private void awaitStragglers(JobId id) {
      Head head = heads.get(id.schedule());
      if (id.isFire() && head != null && head.changedAt().plus(CHANGE_SETTLES).isAfter(now)) {
        again.put(id, head.changedAt().plus(CHANGE_SETTLES));
      }
    }

    /** A clock that is ahead of this one may have found the trigger satisfied too early for it. */
    private Optional<Job> decide(Job row) {
      if (row.state() != JobState.PENDING_CONSTRAINT && row.state() != JobState.PENDING_LAUNCH) {
        return Optional.empty();
      }
      if (row.isBeingLaunched(now)) {
        leaveToOther(row);
        return Optional.empty();
      }
      Head head = heads.get(row.id().schedule());
      if (head == null || !head.wantsJob(row.id().generation(), row.activation())) {
        return Optional.of(row.ended(JobState.CANCELLED, now, whyCancelled(row, head)));
      }
      if (row.scheduledFor().isAfter(now)) {
        again.put(row.id(), row.scheduledFor());
        return Optional.empty();
      }
      if (row.notBefore() != null && row.notBefore().isAfter(now)) {
        return Optional.empty();
      }
      if (!compiled.containsKey(row.id().schedule())) {
        again.put(row.id(), now.plus(UNREADABLE_DEFINITION_PAUSE));
        return Optional.empty();
      }
      return Optional.of(row.launching(now, leaseEnd));
    }

    private void leaveToOther(Job row) {
      if (row.isBeingLaunched(now) && row.launchingUntil() != null) {
        again.put(row.id(), row.launchingUntil());
      }
    }

    private void proceed(Job after) {
      if (after.state() == JobState.PENDING_LAUNCH) {
        launches.add(new Launch(compiledOf(after), after));
      }
    }

    private Compiled compiledOf(Job job) {
      Compiled known = compiled.get(job.id().schedule());
      if (known == null) {
        throw new IllegalStateException("no definition for " + job.id());
      }
      return known;
    }

    void collect() {
      latestCollected.forEach(
          (id, fire) -> {
            Head head = heads.get(id);
            Compiled known = compiled.get(id);
            if (head == null) {
              return;
            }
            boolean collects =
                head.state() == ScheduleState.ACTIVE
                    && known != null
                    && !known.schedule().trigger().isPlainTime();
            if (collects && known != null) {
              collector.advance(known, head, fire.at());
            } else {
              collector.discard(head);
            }
          });
    }

    private static JobId later(JobId one, JobId other) {
      return one.at().isAfter(other.at()) ? one : other;
    }
  }

  private static String whyCancelled(Job row, @org.jspecify.annotations.Nullable Head head) {
    String cause =
        head == null || head.isDeleted()
            ? "the schedule was deleted"
            : head.generation() != row.id().generation()
                ? "the schedule was changed"
                : "the schedule was suspended";
    return row.state() == JobState.PENDING_LAUNCH
        ? cause + " after its launch was interrupted; the request may have been sent"
        : cause;
  }
}
