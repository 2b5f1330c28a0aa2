package dev.carillon.campaign;

import dev.carillon.calendar.Calendars;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.campaign.Doubles.Around;
import dev.carillon.campaign.system.Part;
import dev.carillon.campaign.system.Tampering;
import dev.carillon.check.CheckQueue;
import dev.carillon.constraint.Gauge;
import dev.carillon.gate.Gate;
import dev.carillon.id.CalendarId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.job.Gates;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Recalled;
import dev.carillon.job.Jobs.Update;
import dev.carillon.launch.TargetQueues;
import dev.carillon.launch.TargetQueues.Refused;
import dev.carillon.launch.TargetQueues.Sent;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedules;
import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Faults of the protocol, each put in on purpose. */
enum Mutation {
  UPDATE_WITHOUT_CONDITION(
      "a job is updated whatever is stored",
      () ->
          Broken.jobs(
              Broken.EVERYWHERE,
              real ->
                  Around.of(Jobs.class, real)
                      .replace(
                          "update", arguments -> unconditional(real, Around.list(arguments[0])))
                      .port())),
  INSERT_WITHOUT_CONDITION(
      "a plain job is claimed although it is there already",
      () ->
          Broken.jobs(
              Set.of(Part.CHECKER),
              real ->
                  Around.of(Jobs.class, real)
                      .replace("insert", arguments -> claimed(real, Around.list(arguments[0])))
                      .port())),
  SEND_BEFORE_CLAIM(
      "a plain job is sent before it is claimed",
      () ->
          new Tampering() {
            private final List<Job> unclaimed = new ArrayList<>();

            @Override
            public Jobs jobs(Part part, Jobs real) {
              return part != Part.CHECKER
                  ? real
                  : Around.of(Jobs.class, real)
                      .replace(
                          "insert",
                          arguments -> observed(real, Around.list(arguments[0]), unclaimed))
                      .before(
                          "update",
                          arguments -> {
                            List<Job> claims = List.copyOf(unclaimed);
                            unclaimed.clear();
                            real.insert(claims);
                          })
                      .port();
            }
          }),
  GENERATION_IGNORED(
      "a launch does not look at the generation",
      () ->
          new Tampering() {
            private final Map<String, Long> wanted = new HashMap<>();

            @Override
            public void beforeCheck(List<JobId> jobs) {
              jobs.forEach(job -> wanted.put(job.schedule().toString(), job.generation()));
            }

            @Override
            public Schedules schedules(Part part, Schedules real) {
              return part == Part.CHECKER ? Doubles.ofGeneration(real, wanted) : real;
            }
          }),
  ACTIVE_SINCE_IGNORED(
      "a launch does not look at since when its schedule is active",
      () -> Broken.schedules(Set.of(Part.CHECKER), Doubles::alwaysActive)),
  HEAD_READ_BEFORE_DUE(
      "a checker remembers heads instead of reading them when jobs are due",
      () ->
          new Tampering() {
            private final Map<Object, Head> remembered = new HashMap<>();

            @Override
            public Schedules schedules(Part part, Schedules real) {
              return part == Part.CHECKER ? Doubles.remembering(real, remembered) : real;
            }
          }),
  RECENT_HEAD_TRUSTED(
      "a launch takes a head that need not be the newest",
      () ->
          Broken.schedules(
              Set.of(Part.CHECKER), real -> Doubles.headsFrom(real, real::recentHeads))),
  HEAD_OF_A_SECOND_BEFORE(
      "a launch takes the head as it was up to a second before",
      () ->
          new Tampering() {
            private final Doubles.FormerHeads former = new Doubles.FormerHeads();

            @Override
            public InstantSource clock(Part part, InstantSource real) {
              return former.reading(real);
            }

            @Override
            public Schedules schedules(Part part, Schedules real) {
              return part == Part.CHECKER ? former.shown(real) : former.noting(real);
            }
          }),
  CHECKS_LATE(
      "checks come half a minute after they are due",
      () ->
          Broken.checks(
              Broken.EVERYWHERE, real -> (checks, now) -> real.send(checks, now.minusSeconds(30)))),
  STALE_HEAD_NOT_READ_AGAIN(
      "a tick takes a timer for dead whose head it has not seen yet",
      () ->
          Broken.schedules(
              Set.of(Part.MASTER),
              real ->
                  Around.of(Schedules.class, real)
                      .replace("heads", arguments -> real.recentHeads(Doubles.ids(arguments[0])))
                      .port())),
  DEDUPLICATION_CUT(
      "the ids of counted events are forgotten",
      () ->
          Broken.jobs(
              Broken.EVERYWHERE,
              real ->
                  Around.of(Jobs.class, real)
                      .<Optional<Recalled>>after(
                          "collectingJob",
                          found ->
                              found.map(
                                  it -> new Recalled(it.collectingJob(), Set.of(), it.window())))
                      .port())),
  VERSION_IGNORED(
      "a collecting job is stored over a version that was not read",
      () -> Broken.jobs(Broken.EVERYWHERE, Doubles::overwriting)),
  JOBS_AFTER_COLLECTING_JOB(
      "a collecting job and its jobs are two writes",
      () -> Broken.jobs(Broken.EVERYWHERE, Doubles::inTwoWrites)),
  ACKNOWLEDGED_EARLY(
      "messages are deleted before they are handled",
      () ->
          new Tampering() {
            @Override
            public boolean acknowledgesEarly() {
              return true;
            }
          }),
  FAILURES_ACKNOWLEDGED(
      "failed messages of a batch are deleted with the others",
      () ->
          new Tampering() {
            @Override
            public boolean acknowledgesFailures() {
              return true;
            }
          }),
  TIMER_DELETED_FIRST(
      "a timer is deleted before its successor is stored",
      () ->
          new Tampering() {
            @Override
            public Timers timers(Part part, Timers real) {
              List<Timer> successors = new ArrayList<>();
              return Around.of(Timers.class, real)
                  .replace("put", arguments -> successors.addAll(Around.list(arguments[0])))
                  .after(
                      "delete",
                      done -> {
                        List<Timer> all = List.copyOf(successors);
                        successors.clear();
                        real.put(all);
                        return done;
                      })
                  .port();
            }
          }),
  TIMER_BEFORE_MESSAGES(
      "a timer is moved although the check queue took no message",
      () -> Broken.checks(Set.of(Part.MASTER), Doubles::deaf)),
  OWN_WRITE_NOT_RECOGNISED(
      "a lost reply is taken for a lost race",
      () ->
          new Tampering() {
            @Override
            public boolean recognisesOwnWrites() {
              return false;
            }
          }),
  CLOCK_AHEAD(
      "jobs are held by a clock that is two seconds ahead",
      () -> Broken.clock(Set.of(Part.CHECKER), real -> () -> real.instant().plusSeconds(2))),
  LEASE_IGNORED(
      "a job is taken over from a launcher that is at work on it",
      () -> Broken.jobs(Set.of(Part.CHECKER), Doubles::withoutLeases)),
  REFUSAL_TAKEN_FOR_SENT(
      "a refused request counts as sent",
      () ->
          Broken.targets(
              Broken.EVERYWHERE,
              real ->
                  Around.of(TargetQueues.class, real)
                      .<List<TargetQueues.Outcome>>after(
                          "send",
                          outcomes ->
                              outcomes == null
                                  ? List.of()
                                  : outcomes.stream()
                                      .map(one -> one instanceof Refused ? new Sent() : one)
                                      .toList())
                      .port())),
  NOBODY_LOOKS_AFTER_JOBS(
      "jobs whose message was lost are not looked for",
      () ->
          Broken.jobs(
              Broken.EVERYWHERE,
              real ->
                  Around.of(Jobs.class, real)
                      .replace("needingAttention", arguments -> List.of())
                      .port())),
  REST_OF_FAN_OUT_FORGOTTEN(
      "an event that some schedules have counted is not sent anew for the others",
      () -> Broken.ingest(Set.of(Part.INGEST), real -> bodies -> {})),
  INDEX_NOT_AWAITED(
      "a change is answered before the index shows its event keys",
      () ->
          Broken.schedules(
              Broken.EVERYWHERE,
              real ->
                  Around.of(Schedules.class, real)
                      .replace("indexShows", arguments -> true)
                      .port())),
  SLOT_OBSERVED_THEN_USED(
      "a slot is taken although the gate was changed since it was read",
      () ->
          Broken.gates(
              Broken.EVERYWHERE,
              real ->
                  Around.of(Gates.class, real)
                      .replace(
                          "commit",
                          arguments -> {
                            Step step = (Step) arguments[0];
                            return real.commit(
                                step.joining().isEmpty()
                                    ? Doubles.onPresent(real, step, Doubles::versioned)
                                    : step);
                          })
                      .port())),
  WAITER_WITHOUT_CONDITION(
      "a job begins to wait at a gate that may have opened since it was read",
      () ->
          Broken.gates(
              Broken.EVERYWHERE,
              real ->
                  Around.of(Gates.class, real)
                      .replace(
                          "commit",
                          arguments -> {
                            Step step = (Step) arguments[0];
                            return real.commit(
                                step.joining().isEmpty()
                                    ? step
                                    : Doubles.onPresent(
                                        real, step, (present, after) -> joined(present, after)));
                          })
                      .port())),
  FREED_TWICE(
      "the end of a run frees another's slot as well",
      () ->
          Broken.gates(
              Broken.EVERYWHERE,
              real ->
                  Around.of(Gates.class, real)
                      .replace(
                          "update",
                          arguments -> {
                            Gate before = (Gate) arguments[0];
                            Gate after = (Gate) arguments[1];
                            boolean frees = after.slots().size() < before.slots().size();
                            boolean others = frees && !after.slots().isEmpty();
                            return real.update(
                                before, others ? after.freed(after.slots().get(0).job()) : after);
                          })
                      .port())),
  TIMEOUT_FORGOTTEN(
      "what collects is stored without when it has to be looked at",
      () ->
          new Tampering() {
            @Override
            public Jobs jobs(Part part, Jobs real) {
              return Doubles.savingOtherwise(real, Doubles::withoutLook, jobs -> jobs);
            }

            @Override
            public CheckQueue checks(Part part, CheckQueue real) {
              return part == Part.MASTER ? real : Doubles.withoutLooks(real);
            }
          }),
  MERGED_FIRE_FORGOTTEN(
      "a fire that was merged into a job that waits leaves no row",
      () ->
          Broken.jobs(
              Broken.EVERYWHERE,
              real ->
                  Doubles.savingOtherwise(
                      real,
                      collectingJob -> collectingJob,
                      jobs -> jobs.stream().filter(job -> !Doubles.isMerged(job)).toList()))),
  GROWS_WITHOUT_CONDITION(
      "what waits grows although a launcher has taken it meanwhile",
      () -> Broken.jobs(Broken.EVERYWHERE, Doubles::growing)),
  WAKE_UP_LOST(
      "a slot is freed, and nobody is to look at those who wait for it",
      () -> Broken.gates(Set.of(Part.INGEST), Doubles::neverWaking)),
  HELD_JOB_LAUNCHED(
      "a job that waits is launched although its schedule holds it back",
      () -> Broken.schedules(Set.of(Part.CHECKER), Doubles::neverHolding)),
  HELD_JOB_FORGOTTEN(
      "nobody remembers which jobs are held back",
      () ->
          Broken.jobs(
              Broken.EVERYWHERE,
              real -> Around.of(Jobs.class, real).replace("holdBack", arguments -> null).port())),
  PAUSES_FORGOTTEN(
      "a fire is launched that came while its schedule was on hold or drained",
      () -> Broken.schedules(Set.of(Part.CHECKER), Doubles::withoutPauses)),
  HELD_TIME_COUNTS(
      "a job times out as if its schedule had not been on hold",
      () -> Broken.schedules(Broken.EVERYWHERE, Doubles::withDrainsForHolds)),
  BACKFILL_NOT_TOLD(
      "a job of a backfill is over, and nobody has the backfill looked at",
      () -> Broken.checks(Set.of(Part.CHECKER, Part.INGEST), Doubles::withoutBackfills)),
  BACKFILL_NOT_FENCED(
      "a job of a backfill is launched although that was cancelled meanwhile",
      () -> Broken.backfills(Set.of(Part.CHECKER), Doubles::neverCancelling)),
  CALENDAR_REMEMBERED(
      "a checker remembers calendars instead of reading them when jobs are due",
      () ->
          new Tampering() {
            private final Map<CalendarId, StoredCalendar> remembered = new HashMap<>();

            @Override
            public Calendars calendars(Part part, Calendars real) {
              return part != Part.CHECKER
                  ? real
                  : Around.of(Calendars.class, real)
                      .<Map<CalendarId, StoredCalendar>>after(
                          "find",
                          found -> {
                            found.forEach(remembered::putIfAbsent);
                            return Map.copyOf(remembered);
                          })
                      .port();
            }
          }),
  FORMER_CALENDAR_FORGOTTEN(
      "nobody knows what a calendar excluded before its last change",
      () ->
          Broken.calendars(
              Broken.EVERYWHERE,
              real ->
                  Around.of(Calendars.class, real)
                      .<Map<CalendarId, StoredCalendar>>after("find", Doubles::withoutFormer)
                      .port())),
  CALENDAR_DELETED_IN_USE(
      "a calendar is deleted although schedules exclude it",
      () -> Broken.schedules(Set.of(Part.API), AppDoubles::withoutCalendarUsers)),
  DROPPED_SCHEDULE_STAYS(
      "a schedule that a deployment drops from its app is not deleted",
      () -> Broken.schedules(Set.of(Part.API), AppDoubles::keepingMembers)),
  APP_WITHOUT_LEASE(
      "two deployments change an app at the same time",
      () -> Broken.apps(Broken.EVERYWHERE, AppDoubles::withoutLeases)),
  MEMBER_NOT_STORED(
      "a deployment is acknowledged although a schedule of it could not be stored",
      () -> Broken.schedules(Set.of(Part.API), AppDoubles::forgivingMembers)),
  END_OF_SUSPENSION_IGNORED(
      "a suspension does not end by itself",
      () -> Broken.schedules(Set.of(Part.CHECKER), Doubles::withoutEnds)),
  CHANGE_NOT_LOOKED_AT(
      "nobody looks at what is collected when a change has settled",
      () -> Broken.checks(Set.of(Part.API), Doubles::withoutLooks)),
  GAUGE_OPENS_UNSEEN(
      "a gauge opens, and nobody is to look at those who wait for it",
      () -> Broken.gates(Set.of(Part.API), Doubles::neverWaking)),
  EXPIRY_IGNORED(
      "a gauge that has expired is taken for what it showed",
      () ->
          Broken.gates(
              Set.of(Part.CHECKER),
              real ->
                  Around.of(Gates.class, real)
                      .<Map<GateKey, Gate>>after("find", Mutation::withoutExpiry)
                      .port())),
  CATCH_UP_IGNORED(
      "all missed fires are made up for, whatever the schedule says",
      () -> Broken.timers(Set.of(Part.MASTER), MissedFiresDoubles::forgettingCatchUp)),
  FIRST_FOR_LATEST(
      "of two missed fires the first is made up for instead of the latest",
      MissedFiresDoubles.Swapping::new),
  SKIPPED_NOT_COUNTED(
      "missed fires are skipped, and no row says so",
      () -> Broken.jobs(Set.of(Part.MASTER), MissedFiresDoubles::withoutSkipped)),
  DECIDED_ANEW(
      "a tick that repeats the decision on missed fires does not find the first one",
      () -> Broken.jobs(Set.of(Part.MASTER), MissedFiresDoubles::forgettingSkipped)),
  NOBODY_ANSWERS(
      "no schedule can be stored once there is one",
      () -> Broken.schedules(Set.of(Part.API), Doubles::refusingChanges)),
  OWN_FAULT_SURVIVED(
      "a function fails by a fault of its own now and then, and goes on",
      () ->
          new Tampering() {
            private int calls;

            @Override
            public Jobs jobs(Part part, Jobs real) {
              return part != Part.CHECKER
                  ? real
                  : Around.of(Jobs.class, real)
                      .before(
                          "insert",
                          arguments -> {
                            if (++calls % 5 == 0) {
                              throw new NoSuchElementException("on purpose");
                            }
                          })
                      .port();
            }
          }),
  UNWANTED_JOB_WANTED(
      "a job is wanted although its schedule was suspended since, which cancels it",
      () -> Broken.schedules(Set.of(Part.CHECKER, Part.INGEST), Doubles::cancellingNothing)),
  WANTED_JOB_UNWANTED(
      "a job that a suspension has kept is not wanted any more when that is over",
      () -> Broken.schedules(Set.of(Part.CHECKER, Part.INGEST), Doubles::cancellingWhatWasKept)),
  TIMED_OUT_WITHOUT_CAUSE(
      "a job waits until its time-out and is over, although nothing holds it back",
      UncausedEnds.AtTimeout::new),
  SKIPPED_WITHOUT_CAUSE(
      "a job is skipped now and then, although no constraint says so",
      UncausedEnds.NowAndThen::new),
  COUNTED_AND_LAUNCHED(
      "a missed fire whose message was under way is launched although it is counted as skipped",
      () -> Broken.jobs(Set.of(Part.CHECKER), MissedFiresDoubles::findingNoneSkipped));

  final String what;
  private final Supplier<Tampering> tampering;

  Mutation(String what, Supplier<Tampering> tampering) {
    this.what = what;
    this.tampering = tampering;
  }

  /** A fresh one for each episode. */
  Tampering tampering() {
    return tampering.get();
  }

  private static Map<GateKey, Gate> withoutExpiry(Map<GateKey, Gate> found) {
    Map<GateKey, Gate> lasting = new HashMap<>();
    found.forEach(
        (key, gate) -> {
          Gauge gauge = gate.gauge();
          Instant now = gauge == null ? Instant.EPOCH : gauge.reportedAt();
          lasting.put(
              key,
              gauge == null
                  ? gate
                  : gate.reported(new Gauge(gauge.value(), null, now, gauge.reportedBy()), now));
        });
    return lasting;
  }

  private static Gate joined(Gate present, Gate read) {
    Instant wake = read.wakeAt();
    return present.joined(wake == null ? Instant.MAX : wake, Instant.EPOCH);
  }

  private static List<Optional<Job>> unconditional(Jobs real, List<Update> updates) {
    for (Update update : updates) {
      Job stored = real.find(List.of(update.before().id())).get(update.before().id());
      real.update(List.of(new Update(stored, update.after())));
    }
    return nothing(updates);
  }

  private static List<Optional<Job>> claimed(Jobs real, List<Job> jobs) {
    real.insert(jobs);
    return nothing(jobs);
  }

  private static List<Optional<Job>> observed(Jobs real, List<Job> jobs, List<Job> unclaimed) {
    Map<JobId, Job> stored = real.find(jobs.stream().map(Job::id).toList());
    jobs.stream().filter(job -> !stored.containsKey(job.id())).forEach(unclaimed::add);
    return jobs.stream().map(job -> Optional.ofNullable(stored.get(job.id()))).toList();
  }

  private static List<Optional<Job>> nothing(List<?> items) {
    return items.stream().map(item -> Optional.<Job>empty()).toList();
  }
}
