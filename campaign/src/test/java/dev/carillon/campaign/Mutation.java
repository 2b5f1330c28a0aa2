package dev.carillon.campaign;

import dev.carillon.calendar.Calendars;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.campaign.FaultyPorts.Around;
import dev.carillon.campaign.system.FunctionName;
import dev.carillon.campaign.system.Tampering;
import dev.carillon.check.CheckQueue;
import dev.carillon.constraint.Gauge;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Slot;
import dev.carillon.id.CalendarId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.RunId;
import dev.carillon.job.Gates;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.StoredCollectingJob;
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
import java.util.regex.Pattern;

/** Deliberate faults of the protocol, which the campaign must find. */
enum Mutation {
  UPDATE_WITHOUT_CONDITION(
      "a job is updated without a condition on what is stored",
      () ->
          Tamperings.jobs(
              Tamperings.EVERYWHERE,
              real ->
                  Around.of(Jobs.class, real)
                      .replace(
                          "update", arguments -> unconditional(real, Around.list(arguments[0])))
                      .port())),
  INSERT_WITHOUT_CONDITION(
      "a plain job is leased although it is stored already",
      () ->
          Tamperings.jobs(
              Set.of(FunctionName.CHECKER),
              real ->
                  Around.of(Jobs.class, real)
                      .replace("insert", arguments -> claimed(real, Around.list(arguments[0])))
                      .port())),
  SEND_BEFORE_LEASE(
      "a plain job is sent before it is leased",
      () ->
          new Tampering() {
            private final List<Job> unclaimed = new ArrayList<>();

            @Override
            public Jobs jobs(FunctionName function, Jobs real) {
              return function != FunctionName.CHECKER
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
      "a launch ignores the generation",
      () ->
          new Tampering() {
            private final Map<String, Long> generations = new HashMap<>();

            @Override
            public void beforeCheck(List<JobId> jobs) {
              jobs.forEach(job -> generations.put(job.schedule().toString(), job.generation()));
            }

            @Override
            public Schedules schedules(FunctionName function, Schedules real) {
              return function == FunctionName.CHECKER
                  ? FaultyPorts.ofGeneration(real, generations)
                  : real;
            }
          }),
  ACTIVE_SINCE_IGNORED(
      "a launch ignores since when its schedule is active",
      () -> Tamperings.schedules(Set.of(FunctionName.CHECKER), FaultyPorts::alwaysActive)),
  HEAD_READ_BEFORE_DUE(
      "a checker caches heads instead of reading them when jobs are due",
      () ->
          new Tampering() {
            private final Map<Object, Head> cached = new HashMap<>();

            @Override
            public Schedules schedules(FunctionName function, Schedules real) {
              return function == FunctionName.CHECKER ? FaultyPorts.caching(real, cached) : real;
            }
          }),
  RECENT_HEAD_TRUSTED(
      "a launch uses an eventually consistent read of the head",
      () ->
          Tamperings.schedules(
              Set.of(FunctionName.CHECKER),
              real -> FaultyPorts.headsFrom(real, real::recentHeads))),
  HEAD_OF_A_SECOND_BEFORE(
      "a launch uses a head that is up to a second old",
      () ->
          new Tampering() {
            private final FaultyPorts.FormerHeads former = new FaultyPorts.FormerHeads();

            @Override
            public InstantSource clock(FunctionName function, InstantSource real) {
              return former.reading(real);
            }

            @Override
            public Schedules schedules(FunctionName function, Schedules real) {
              return function == FunctionName.CHECKER ? former.shown(real) : former.recording(real);
            }
          }),
  CHECKS_LATE(
      "check messages arrive half a minute late",
      () ->
          Tamperings.checks(
              Tamperings.EVERYWHERE,
              real -> (checks, now) -> real.send(checks, now.minusSeconds(30)))),
  STALE_HEAD_NOT_READ_AGAIN(
      "a tick deletes a timer because of an eventually consistent read of its head",
      () ->
          Tamperings.schedules(
              Set.of(FunctionName.MASTER),
              real ->
                  Around.of(Schedules.class, real)
                      .replace(
                          "heads", arguments -> real.recentHeads(FaultyPorts.ids(arguments[0])))
                      .port())),
  DEDUPLICATION_CUT(
      "the ids of counted events are not stored",
      () ->
          Tamperings.jobs(
              Tamperings.EVERYWHERE,
              real ->
                  Around.of(Jobs.class, real)
                      .<Optional<StoredCollectingJob>>after(
                          "collectingJob",
                          found ->
                              found.map(
                                  it ->
                                      new StoredCollectingJob(
                                          it.collectingJob(), Set.of(), it.window())))
                      .port())),
  SPENT_FIRES(
      "a fire that came while a job had an earlier one opens the next job",
      () -> Tamperings.jobs(Tamperings.EVERYWHERE, FaultyTriggers::withSpentFires)),
  VERSION_IGNORED(
      "a collecting job is stored over a version that was not read",
      () -> Tamperings.jobs(Tamperings.EVERYWHERE, FaultyPorts::overwriting)),
  JOBS_AFTER_COLLECTING_JOB(
      "a collecting job and its jobs are stored in two writes",
      () -> Tamperings.jobs(Tamperings.EVERYWHERE, FaultyPorts::inTwoWrites)),
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
            public Timers timers(FunctionName function, Timers real) {
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
      "a timer is advanced although the check queue accepted no message",
      () -> Tamperings.checks(Set.of(FunctionName.MASTER), FaultyPorts::acceptingNothing)),
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
      "the checker waits by a clock that is two seconds fast",
      () ->
          Tamperings.clock(
              Set.of(FunctionName.CHECKER), real -> () -> real.instant().plusSeconds(2))),
  LEASE_IGNORED(
      "a checker leases a job that has a live lease",
      () -> Tamperings.jobs(Set.of(FunctionName.CHECKER), FaultyPorts::withoutLeases)),
  REFUSAL_TAKEN_FOR_SENT(
      "a refused request counts as sent",
      () ->
          Tamperings.targets(
              Tamperings.EVERYWHERE,
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
  LOST_MESSAGES_NOT_REPAIRED(
      "jobs with a lost message are not repaired",
      () ->
          Tamperings.jobs(
              Tamperings.EVERYWHERE,
              real ->
                  Around.of(Jobs.class, real)
                      .replace("needingAttention", arguments -> List.of())
                      .port())),
  FAN_OUT_NOT_CONTINUED(
      "an event that some schedules have counted is not sent again for the others",
      () -> Tamperings.ingest(Set.of(FunctionName.INGEST), real -> (bodies, delay) -> {})),
  INDEX_NOT_AWAITED(
      "a change is answered before the index shows its event keys",
      () ->
          Tamperings.schedules(
              Tamperings.EVERYWHERE,
              real ->
                  Around.of(Schedules.class, real)
                      .replace("indexShows", arguments -> true)
                      .port())),
  SLOT_OBSERVED_THEN_USED(
      "a slot is taken although the gate was changed since it was read",
      () ->
          Tamperings.gates(
              Tamperings.EVERYWHERE,
              real ->
                  Around.of(Gates.class, real)
                      .replace(
                          "commit",
                          arguments -> {
                            Step step = (Step) arguments[0];
                            return real.commit(
                                step.joining().isEmpty()
                                    ? FaultyPorts.onPresent(real, step, FaultyPorts::withVersionOf)
                                    : step);
                          })
                      .port())),
  WAITER_WITHOUT_CONDITION(
      "a job begins to wait at a gate that may have opened since it was read",
      () ->
          Tamperings.gates(
              Tamperings.EVERYWHERE,
              real ->
                  Around.of(Gates.class, real)
                      .replace(
                          "commit",
                          arguments -> {
                            Step step = (Step) arguments[0];
                            return real.commit(
                                step.joining().isEmpty()
                                    ? step
                                    : FaultyPorts.onPresent(
                                        real, step, (present, after) -> joined(present, after)));
                          })
                      .port())),
  FREED_TWICE(
      "the end of a run frees another's slot as well",
      () ->
          Tamperings.gates(
              Tamperings.EVERYWHERE,
              real ->
                  Around.of(Gates.class, real)
                      .replace(
                          "update",
                          arguments -> {
                            Gate before = (Gate) arguments[0];
                            Gate after = (Gate) arguments[1];
                            boolean frees = after.slots().size() < before.slots().size();
                            List<Slot> others = after.slots().inline();
                            return real.update(
                                before,
                                frees && !others.isEmpty()
                                    ? after.freed(others.get(0).job())
                                    : after);
                          })
                      .port())),
  SLOT_ITEM_KEPT(
      "the item of a slot is kept when its gate no longer counts it",
      () -> Tamperings.slotItems(FaultyGates::keepingSlotItems)),
  SLOT_ITEM_NOT_READ(
      "a slot that has an item of its own is not read when its run ends",
      () -> Tamperings.slotItems(FaultyGates::withoutHolders)),
  TIMEOUT_NOT_PLANNED(
      "a collecting job is stored without its wake-up",
      () ->
          new Tampering() {
            @Override
            public Jobs jobs(FunctionName function, Jobs real) {
              return FaultyPorts.savingChanged(
                  real, (before, after) -> FaultyPorts.withoutWakeup(after), jobs -> jobs);
            }

            @Override
            public CheckQueue checks(FunctionName function, CheckQueue real) {
              return function == FunctionName.MASTER
                  ? real
                  : FaultyPorts.withoutCollectingChecks(real);
            }
          }),
  MERGED_FIRE_NOT_RECORDED(
      "a fire that was merged into a waiting job is not recorded",
      () ->
          Tamperings.jobs(
              Tamperings.EVERYWHERE,
              real ->
                  FaultyPorts.savingChanged(
                      real,
                      (before, after) -> after,
                      jobs -> jobs.stream().filter(job -> !FaultyPorts.isMerged(job)).toList()))),
  MERGED_WITHOUT_CONDITION(
      "a fire is merged into a job that has been leased meanwhile",
      () -> Tamperings.jobs(Tamperings.EVERYWHERE, FaultyPorts::mergingUnconditionally)),
  WAKE_UP_LOST(
      "a slot is freed without a check for the waiting jobs",
      () -> Tamperings.gates(Set.of(FunctionName.INGEST), FaultyPorts::withoutWakeups)),
  HELD_JOB_LAUNCHED(
      "a waiting job is launched although its schedule holds it back",
      () -> Tamperings.schedules(Set.of(FunctionName.CHECKER), FaultyPorts::neverHolding)),
  HELD_JOB_NOT_RECORDED(
      "held-back jobs are not recorded",
      () ->
          Tamperings.jobs(
              Tamperings.EVERYWHERE,
              real ->
                  Around.of(Jobs.class, real)
                      .replace("recordSuspended", arguments -> null)
                      .port())),
  SUSPENSIONS_IGNORED(
      "a fire from a hold or drain is launched",
      () -> Tamperings.schedules(Set.of(FunctionName.CHECKER), FaultyPorts::withoutSuspensions)),
  HELD_TIME_COUNTS(
      "a job times out as if its schedule had not been held",
      () -> Tamperings.schedules(Tamperings.EVERYWHERE, FaultyPorts::withDrainsForHolds)),
  BACKFILL_NOT_CHECKED(
      "a job of a backfill ends without a check of the backfill",
      () ->
          Tamperings.checks(
              Set.of(FunctionName.CHECKER, FunctionName.INGEST), FaultyPorts::withoutBackfills)),
  BACKFILL_NOT_FENCED(
      "a job of a cancelled backfill is launched",
      () -> Tamperings.backfills(Set.of(FunctionName.CHECKER), FaultyPorts::neverCancelling)),
  CALENDAR_CACHED(
      "a checker caches calendars instead of reading them when jobs are due",
      () ->
          new Tampering() {
            private final Map<CalendarId, StoredCalendar> cached = new HashMap<>();

            @Override
            public Calendars calendars(FunctionName function, Calendars real) {
              return function != FunctionName.CHECKER
                  ? real
                  : Around.of(Calendars.class, real)
                      .<Map<CalendarId, StoredCalendar>>after(
                          "find",
                          found -> {
                            found.forEach(cached::putIfAbsent);
                            return Map.copyOf(cached);
                          })
                      .port();
            }
          }),
  FORMER_CALENDAR_NOT_KEPT(
      "a calendar does not keep its former version",
      () -> Tamperings.calendars(Tamperings.EVERYWHERE, FaultyCalendars::withoutFormer)),
  CALENDAR_DELETED_IN_USE(
      "a calendar is deleted although schedules exclude it",
      () -> Tamperings.schedules(Set.of(FunctionName.API), FaultyAppPorts::withoutCalendarUsers)),
  CALENDAR_OF_LAST_TICK(
      "a checker uses a calendar as it was at the last tick", FaultyCalendars.OfLastTick::new),
  WINDOWS_NOT_EXCLUDED(
      "a calendar excludes its ranges, but not its weekly windows",
      () -> Tamperings.calendars(Set.of(FunctionName.CHECKER), FaultyCalendars::withoutWindows)),
  DROPPED_SCHEDULE_STAYS(
      "a schedule that a deployment drops from its app is not deleted",
      () -> Tamperings.schedules(Set.of(FunctionName.API), FaultyAppPorts::keepingDroppedMembers)),
  APP_WITHOUT_LEASE(
      "two deployments change an app at the same time",
      () -> Tamperings.apps(Tamperings.EVERYWHERE, FaultyAppPorts::withoutLeases)),
  MEMBER_NOT_STORED(
      "a deployment is acknowledged although a schedule of it could not be stored",
      () -> Tamperings.schedules(Set.of(FunctionName.API), FaultyAppPorts::hidingMemberFailures)),
  END_OF_SUSPENSION_IGNORED(
      "a suspension does not end at its until",
      () -> Tamperings.schedules(Set.of(FunctionName.CHECKER), FaultyPorts::withoutEnds)),
  CHANGE_NOT_CHECKED(
      "a collecting job is not checked after a change has settled",
      () -> Tamperings.checks(Set.of(FunctionName.API), FaultyPorts::withoutCollectingChecks)),
  GAUGE_OPENS_UNCHECKED(
      "a gauge opens without a check for the waiting jobs",
      () -> Tamperings.gates(Set.of(FunctionName.API), FaultyPorts::withoutWakeups)),
  EXPIRY_IGNORED(
      "the expiry of a reported value is ignored",
      () ->
          Tamperings.gates(
              Set.of(FunctionName.CHECKER),
              real ->
                  Around.of(Gates.class, real)
                      .<Map<GateKey, Gate>>after("find", Mutation::withoutExpiry)
                      .port())),
  CATCH_UP_IGNORED(
      "all missed fires are launched, whatever the schedule says",
      () -> Tamperings.timers(Set.of(FunctionName.MASTER), FaultyMissedFirePorts::withoutCatchUp)),
  FIRST_FOR_LATEST(
      "of two missed fires the first is launched instead of the latest",
      FaultyMissedFirePorts.Swapping::new),
  SKIPPED_NOT_COUNTED(
      "skipped missed fires are not recorded",
      () -> Tamperings.jobs(Set.of(FunctionName.MASTER), FaultyMissedFirePorts::withoutSkipped)),
  DECIDED_AGAIN(
      "a tick that repeats the decision on missed fires does not find the first one",
      () -> Tamperings.jobs(Set.of(FunctionName.MASTER), FaultyMissedFirePorts::hidingSkipped)),
  CHANGES_REFUSED(
      "a stored schedule cannot be changed",
      () -> Tamperings.schedules(Set.of(FunctionName.API), FaultyPorts::refusingChanges)),
  FUNCTION_BUG(
      "a function has a bug that throws now and then, and continues",
      () ->
          new Tampering() {
            private int calls;

            @Override
            public Jobs jobs(FunctionName function, Jobs real) {
              return function != FunctionName.CHECKER
                  ? real
                  : Around.of(Jobs.class, real)
                      .before(
                          "insert",
                          arguments -> {
                            if (++calls % 5 == 0) {
                              throw new NoSuchElementException("deliberate fault");
                            }
                          })
                      .port();
            }
          }),
  FILTER_IGNORED(
      "a trigger counts events that its filter does not match",
      () -> FaultyTriggers.read(trigger -> FaultyTriggers.without("filter", trigger))),
  SIZE_COUNTS_EVENTS(
      "an event of a size counts as one byte",
      () ->
          FaultyTriggers.received(
              body -> body.replaceAll("\"bytes\"\\s*:\\s*\\d+", "\"bytes\": 1"))),
  STATUS_MISREAD(
      "a program that has started counts as one that has succeeded",
      () -> FaultyTriggers.received(body -> body.replace("\"STARTED\"", "\"SUCCEEDED\""))),
  ALTERNATIVE_REQUIRED(
      "a nested or is satisfied only when all its triggers are",
      () -> FaultyTriggers.read(FaultyTriggers::requiringAll)),
  QUIET_AT_FIRST_EVENT(
      "quiet is satisfied by the first event", () -> FaultyTriggers.read(FaultyTriggers::notQuiet)),
  QUIET_FROM_FIRST_EVENT(
      "quiet ignores the events after the first",
      () -> FaultyTriggers.read(FaultyTriggers::quietFromFirst)),
  ELAPSED_FROM_ACTIVATION(
      "elapsed always counts from the activation",
      () -> Tamperings.jobs(Tamperings.EVERYWHERE, FaultyTriggers::withoutClocks)),
  REPEATED_TIME_FIRES_TWICE(
      "a time that occurs twice always fires twice",
      () ->
          FaultyTriggers.requested(trigger -> FaultyTriggers.choosing("overlap", "both", trigger))),
  MISSING_TIME_DROPPED(
      "a time that does not exist never fires",
      () -> FaultyTriggers.requested(trigger -> FaultyTriggers.choosing("gap", "skip", trigger))),
  FLEXIBLE_IGNORED(
      "flexible moves no fire",
      () -> FaultyTriggers.requested(trigger -> FaultyTriggers.without("flexible", trigger))),
  FAN_OUT_CUT(
      "a search of the schedules of an event ends with its first page",
      () -> Tamperings.schedules(Set.of(FunctionName.INGEST), FaultyTriggers::firstPages)),
  CANCELLED_JOB_LAUNCHED(
      "a job is launched although a later suspension cancelled it",
      () ->
          Tamperings.schedules(
              Set.of(FunctionName.CHECKER, FunctionName.INGEST), FaultyPorts::cancellingNothing)),
  KEPT_JOB_CANCELLED(
      "a job that a suspension kept is cancelled when the suspension ends",
      () ->
          Tamperings.schedules(
              Set.of(FunctionName.CHECKER, FunctionName.INGEST),
              FaultyPorts::cancellingWhatWasKept)),
  TIMED_OUT_WITHOUT_CAUSE(
      "a job ends at its time-out although nothing holds it back",
      UncausedEndStates.AtTimeout::new),
  SKIPPED_WITHOUT_CAUSE(
      "a job is skipped now and then without a constraint", UncausedEndStates.EveryFifth::new),
  RATE_NOT_COUNTED(
      "a gate does not remember launches",
      () -> Tamperings.gates(Tamperings.EVERYWHERE, FaultyGates::withoutLaunches)),
  LATE_LAUNCH_NOT_COUNTED_AGAIN(
      "a rate counts a launch before it is sent, and not once more when the sending is late",
      () -> Tamperings.gates(Set.of(FunctionName.CHECKER), FaultyGates::countingOnce)),
  UNREADABLE_FAILS_ALL(
      "a schedule that cannot be read fails the read of all schedules of a batch",
      () -> Tamperings.schedules(Tamperings.EVERYWHERE, UnreadablePorts::failingTogether)),
  UNREADABLE_IS_ABSENT(
      "a check takes a schedule that cannot be read for a deleted one",
      () -> Tamperings.schedules(Set.of(FunctionName.CHECKER), UnreadablePorts::absent)),
  UNREADABLE_COUNTS_NOTHING(
      "an event is acknowledged although a schedule of it cannot be read",
      () -> Tamperings.schedules(Set.of(FunctionName.INGEST), UnreadablePorts::absent)),
  UNREADABLE_JOB_IS_ABSENT(
      "a check of a job that cannot be read is acknowledged",
      () -> Tamperings.jobs(Set.of(FunctionName.CHECKER), UnreadablePorts::absentJobs)),
  UNREADABLE_CALENDAR_IS_ABSENT(
      "a check takes a calendar that cannot be read for a deleted one",
      () -> Tamperings.calendars(Set.of(FunctionName.CHECKER), FaultyCalendars::absent)),
  UNREADABLE_STAYS(
      "a PUT or DELETE does not replace a schedule that cannot be read",
      () -> Tamperings.schedules(Set.of(FunctionName.API), UnreadablePorts::staying)),
  UNREADABLE_POOL_STAYS(
      "a PUT of a pool does not replace what the pool knows of its choices if that cannot be read",
      () -> Tamperings.pools(Set.of(FunctionName.API), UnreadablePorts::stayingPools)),
  UNREADABLE_GATE_STAYS(
      "a PUT of a schedule does not replace its gate if that cannot be read",
      () -> Tamperings.gates(Set.of(FunctionName.API), UnreadablePorts::stayingGates)),
  UNREADABLE_COLLECTING_JOB_STAYS(
      "a change of a schedule does not replace its collecting job if that cannot be read",
      () -> Tamperings.jobs(Tamperings.EVERYWHERE, UnreadablePorts::stayingCollectingJobs)),
  UNREADABLE_CALENDAR_STAYS(
      "a PUT of a calendar does not replace one that cannot be read",
      () -> Tamperings.calendars(Set.of(FunctionName.API), FaultyCalendars::staying)),
  UNREADABLE_APP_STAYS(
      "a deployment does not replace its app if that cannot be read",
      () -> Tamperings.apps(Set.of(FunctionName.API), UnreadablePorts::stayingApps)),
  UNREADABLE_STATUS_STAYS(
      "a tick does not replace what it cannot read of its progress",
      UnreadablePorts.StayingStatus::new),
  UNMATCHED_AT_ONCE(
      "an event that finds no schedule is not searched for once more",
      () -> Tamperings.ingest(Set.of(FunctionName.INGEST), FaultyPorts::sendingNothingLater)),
  COUNTED_AND_LAUNCHED(
      "a missed fire with a message in flight is launched although it is counted as skipped",
      () ->
          Tamperings.jobs(Set.of(FunctionName.CHECKER), FaultyMissedFirePorts::hidingSkippedUpTo)),
  WORKERS_CONFUSED(
      "a worker gets the claim that another one has",
      () -> FaultyRuns.received(Pattern.compile("\"worker-\\d+\""), "\"worker\"")),
  CLAIM_TAKEN_OVER(
      "a claim is accepted although another worker has the attempt",
      () -> new FaultyRuns.ClaimingAnyway(FaultyRuns::isHeld)),
  CLAIMED_AFTER_END(
      "a job is claimed although it has ended",
      () -> new FaultyRuns.ClaimingAnyway(FaultyRuns::isOver)),
  STALE_HEARTBEAT_ACCEPTED(
      "a heartbeat with the token of an earlier claim is accepted",
      () -> new FaultyRuns.StaleTokens("progress")),
  STALE_SUCCESS_ACCEPTED(
      "a success with the token of an earlier claim is accepted",
      () -> new FaultyRuns.StaleTokens("output")),
  STALE_FAILURE_ACCEPTED(
      "a failure with the token of an earlier claim is accepted",
      () -> new FaultyRuns.StaleTokens("error")),
  CLAIM_TIMEOUT_NOT_SENT(
      "the time-outs of claims are not sent",
      () ->
          Tamperings.checks(
              Tamperings.EVERYWHERE, real -> FaultyRuns.withoutRuns(real, RunId::isClaimed))),
  ENQUEUE_TIMEOUT_NOT_SENT(
      "the time-out of a request that no worker claims is not sent",
      () ->
          Tamperings.checks(
              Set.of(FunctionName.CHECKER),
              real -> FaultyRuns.withoutRuns(real, run -> !run.isClaimed()))),
  TIMEOUT_FROM_FIRST_REPORT(
      "a heartbeat does not renew a claim",
      () -> FaultyRuns.storingEverywhere(FaultyRuns::withoutExtension)),
  RUN_TIMEOUT_IGNORED(
      "a run may take an hour, whatever its document says",
      () ->
          FaultyRuns.received(
              Pattern.compile("\"runTimeout\": \"[^\"]+\""), "\"runTimeout\": \"PT1H\"")),
  ATTEMPT_NOT_COUNTED(
      "a retry has the number of the attempt before",
      () -> FaultyRuns.storingEverywhere(FaultyRuns::withoutCount)),
  ONE_ATTEMPT_MORE("a job has one attempt too many", FaultyRuns::withOneAttemptMore),
  BACKOFF_TOO_LONG(
      "a retry is delayed for longer than its document says",
      () ->
          FaultyRuns.received(
              Pattern.compile("\"(backoff|maxBackoff)\": \"PT[0-9MS.]+\""), "\"$1\": \"PT5M\"")),
  CONCLUDED_BEFORE_ANNOUNCED(
      "the end of a run counts as announced before its event is sent",
      () -> FaultyRuns.storingEverywhere(FaultyRuns::concludedAtOnce)),
  REPEATED_END_REFUSED(
      "the last report of a run is refused when its worker repeats it",
      () -> FaultyRuns.storingEverywhere(FaultyRuns::withoutFinalReport)),
  REPORT_OVERWRITTEN(
      "a time-out overwrites a report that came meanwhile",
      () -> Tamperings.jobs(Set.of(FunctionName.CHECKER), FaultyRuns::overwritingReports)),
  SLOTS_KEPT_AFTER_ATTEMPT(
      "an attempt keeps its slots when it has ended",
      () -> Tamperings.gates(Tamperings.EVERYWHERE, FaultyRuns::keepingSlots)),
  SLOTS_FREED_BY_CLAIM("a claim frees the slots of its job", FaultyRuns::freeingAtClaim),
  CANCELLATION_FORGOTTEN(
      "a worker does not learn that its job is cancelled",
      () -> FaultyRuns.storingEverywhere(FaultyRuns::withoutCancellation)),
  CLAIM_NEEDS_ENQUEUED(
      "a request cannot be claimed before its launch is stored",
      () -> Tamperings.jobs(Set.of(FunctionName.API), FaultyRuns::hidingLaunches)),
  START_NOT_ANNOUNCED(
      "the start of a run is not announced",
      () -> Tamperings.ingest(Set.of(FunctionName.API), FaultyRuns::withoutStarts)),
  END_ANNOUNCED_AS_ANOTHER(
      "a repeated announcement of an end is another event", FaultyRuns::withOtherIds),
  OPERATIONS_FORGOTTEN(
      "a retry does not know which operations are done",
      () -> FaultyRuns.storingEverywhere(FaultyOperations::forgotten)),
  RUNNING_OPERATION_KEPT(
      "an operation that a failed attempt was running does not wait again",
      () -> FaultyRuns.storingEverywhere(FaultyOperations::kept)),
  OVERTAKEN_OPERATION_DROPPED(
      "an operation that a late heartbeat reports as done is dropped",
      () -> FaultyRuns.storingEverywhere(FaultyOperations::withoutOvertaken)),
  STALE_MESSAGE_ACCEPTED(
      "a report of the queue with the token of an earlier claim is accepted",
      () -> new FaultyRuns.StaleTokens("report", Set.of(FunctionName.REPORT))),
  QUEUED_SUCCESS_REFUSED(
      "a success in the report queue is refused", FaultyOperations::refusingSuccesses),
  WINDOW_IGNORED("a window is always open", FaultyConstraints::windowsAlwaysOpen),
  SKIP_WAITS(
      "a constraint that says skip makes its job wait",
      FaultyConstraints::waitingInsteadOfSkipping),
  WAIT_SKIPS(
      "a sinceLastRun that says nothing ends its job", FaultyConstraints::skippingInsteadOfWaiting),
  FAILED_END_COUNTS(
      "sinceLastRun counts from the end of a run that failed",
      FaultyConstraints.FailedEndsCount::new),
  SUCCESS_FORGOTTEN(
      "a gate does not remember when a run succeeded",
      () -> Tamperings.gates(Tamperings.EVERYWHERE, FaultyConstraints::withoutSuccesses)),
  EVERY_END_IS_SUCCESS(
      "a run whose failure is reported counts as SUCCEEDED", FaultyConstraints::successesOnly),
  UNNAMED_END_IGNORED("an end that names no run ends none", FaultyConstraints::withoutUnnamedEnds),
  DEDUPLICATED_BY_JOB(
      "all attempts of a job have the same deduplication id", FaultyTargets::deduplicatingJobs),
  NEVER_DEDUPLICATED(
      "each sending of a request has another deduplication id",
      FaultyTargets::deduplicatingNothing),
  GROUPED_BY_JOB(
      "the message group of a request is its job",
      () -> Tamperings.targets(Tamperings.EVERYWHERE, FaultyTargets::groupingByJob)),
  CALLBACK_STORED_FIRST(
      "a callback counts as sent before it is sent", FaultyCallbacks.StoredFirst::new),
  CALLBACK_BEFORE_THE_END(
      "a callback is sent before the end of its job is stored",
      () -> Tamperings.targets(Set.of(FunctionName.CHECKER), FaultyCallbacks::callingEarly)),
  FORMER_DEFINITION_NOT_KEPT(
      "a changed definition is not kept for the callbacks of its jobs",
      () -> Tamperings.schedules(Tamperings.EVERYWHERE, FaultyCallbacks::forgettingFormer)),
  REFUSED_CALLBACK_GIVEN_UP(
      "a refused callback is not sent again",
      () -> FaultyRuns.storingEverywhere(FaultyCallbacks::givenUp)),
  CALLBACK_RENUMBERED(
      "a refused callback is sent again as that of another attempt",
      () -> FaultyRuns.storingEverywhere(FaultyCallbacks::renumbered)),
  NOT_IN_FLIGHT(
      "a moved job does not count for its customer's limit",
      () ->
          Tamperings.pools(
              Tamperings.EVERYWHERE, real -> FaultyPools.withoutPut(real, FaultyPools::isFlight))),
  LANDED_AT_CLAIM(
      "a claim frees the limits of customers",
      () -> Tamperings.pools(Tamperings.EVERYWHERE, FaultyPools::landingAtClaims)),
  IN_FLIGHT_FOR_EVER(
      "an attempt that has ended counts for its customer's limit",
      () ->
          Tamperings.pools(
              Tamperings.EVERYWHERE,
              real -> FaultyPools.withoutRemoval(real, FaultyPools::isFlight))),
  CHOICE_WITHOUT_CONDITION(
      "a pool's choice is stored although another function has chosen",
      () -> Tamperings.pools(Tamperings.EVERYWHERE, FaultyPools::unconditional)),
  CHOICE_FORGOTTEN(
      "a pool forgets which jobs it has chosen before they are moved",
      () -> Tamperings.pools(Tamperings.EVERYWHERE, FaultyPools::forgettingTurns)),
  CLAIMS_NOT_COUNTED(
      "neither claims nor messages of a pool's queue are counted", FaultyPools.NothingCounted::new),
  CLAIMS_COUNTED_TWICE(
      "each claim counts twice",
      () -> Tamperings.pools(Tamperings.EVERYWHERE, FaultyPools::countingTwice)),
  ENTERS_ONCE(
      "a job whose entry into its pool failed does not enter again", FaultyPools.EnteringOnce::new),
  SAME_CUSTOMER_AGAIN(
      "the last customer of a choice is the first of the next one",
      () -> Tamperings.pools(Tamperings.EVERYWHERE, FaultyPools::repeatingTurns)),
  ORDER_CHANGE_LOSES_JOBS(
      "a changed order of a pool loses the jobs that wait", FaultyPools.LosingRows::new),
  PAUSE_IGNORED(
      "a paused pool moves its jobs",
      () ->
          Tamperings.pools(
              Tamperings.EVERYWHERE, real -> FaultyPools.defining(real, FaultyPools::neverPaused))),
  CHOICE_NOT_PLANNED(
      "nothing has a pool choose when a job enters or leaves",
      () -> Tamperings.pools(Tamperings.EVERYWHERE, FaultyPools::withoutPlans)),
  UNKNOWN_CHECK_ACKNOWLEDGED(
      "a check that only a newer version knows is acknowledged",
      FaultyVersions.UnknownAcknowledged::new),
  UNKNOWN_MEMBER_REFUSED(
      "a message to ingest with a member of a newer version is refused",
      FaultyVersions.UnknownMemberRefused::new),
  SLOTS_OF_NEWER_VERSION_LOST(
      "slots that a newer version has stored elsewhere count as none",
      FaultyVersions.SlotsNotFound::new),
  PULL_FORGOTTEN(
      "a repeated pull chooses again",
      () -> Tamperings.pools(FaultyPulls.API, FaultyPulls::withoutRecords)),
  PULL_BEYOND_LIMIT(
      "a pull does not count what a customer has in flight",
      () -> Tamperings.pools(FaultyPulls.API, FaultyPulls::withoutFlights)),
  PULL_NOT_IN_FLIGHT(
      "a pulled job does not count for its customer's limit",
      () ->
          Tamperings.pools(
              FaultyPulls.API, real -> FaultyPools.withoutPut(real, FaultyPools::isFlight))),
  WEIGHTS_IGNORED(
      "a pool ignores its weights",
      () ->
          Tamperings.pools(
              Tamperings.EVERYWHERE,
              real -> FaultyPools.defining(real, FaultyPulls::withoutWeights))),
  PRIORITY_IGNORED(
      "a pool ignores the priority of its jobs",
      () -> Tamperings.pools(Tamperings.EVERYWHERE, FaultyPulls::equallyUrgent)),
  PULL_NOT_STORED(
      "the claim of a pull is not stored",
      () -> Tamperings.jobs(FaultyPulls.API, FaultyPulls::withoutClaims)),
  DEAD_PULLER_KEEPS_JOBS(
      "the jobs of a dead puller do not come back",
      () -> Tamperings.jobs(FaultyPulls.API, FaultyPulls::withLongClaims)),
  PULLED_BY_TWO(
      "a pull claims a job that another one has claimed",
      () -> Tamperings.jobs(FaultyPulls.API, FaultyPulls::claimingAnyway)),
  PAUSE_PULLED(
      "a paused pool is pulled from",
      () ->
          Tamperings.pools(
              FaultyPulls.API, real -> FaultyPools.defining(real, FaultyPools::neverPaused))),
  PULL_OF_ONE_MORE("a pull gets one job more than it asks for", FaultyPulls::givingOneMore),
  PULL_WITHOUT_WAITING(
      "a pull does not wait for its first job",
      () -> FaultyRuns.received(Pattern.compile("\"waitSeconds\": \\d+"), "\"waitSeconds\": 0")),
  PULL_WITHOUT_TURN(
      "a pull repeats the turns of the choice before",
      () -> Tamperings.pools(FaultyPulls.API, FaultyPools::repeatingTurns));

  final String what;
  private final Supplier<Tampering> tampering;

  Mutation(String what, Supplier<Tampering> tampering) {
    this.what = what;
    this.tampering = tampering;
  }

  /** A new instance for each episode. */
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
