package dev.carillon.campaign;

import dev.carillon.campaign.FaultyPorts.Around;
import dev.carillon.campaign.system.FunctionName;
import dev.carillon.campaign.system.Tampering;
import dev.carillon.check.Check;
import dev.carillon.check.CheckJson;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.OverdueCheck;
import dev.carillon.checker.CheckMessages;
import dev.carillon.checker.CheckMessages.Message;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Remembered;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Gates;
import dev.carillon.job.Gates.Change;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Jobs;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.Schedules;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Deliberate faults by which one namespace harms another, which episodes of neighbours show. */
enum NeighbourMutation {
  ALL_COMPILED_FIRST(
      "ingest compiles the filters of all schedules of a key before it counts",
      CompilingFirst::new),
  NO_DEADLINE(
      "ingest counts an event for all schedules, however long it takes",
      () ->
          new Tampering() {
            @Override
            public Deadline deadline(FunctionName function, Deadline real) {
              return function == FunctionName.INGEST
                  ? new Deadline(real.at().plusSeconds(3_600), real.clock())
                  : real;
            }
          }),
  GATED_FIRST(
      "jobs under a limit are launched before plain ones, each in its own transaction",
      GatedFirst::new),
  RATE_COUNTED_AT_CHECK(
      "a rate counts a launch at the instant of its check, not when its request is sent",
      CountedAtCheck::new),
  BACKLOG_AMONG_DUE(
      "overdue jobs are sent to the queue of jobs that are due",
      () -> Tamperings.checks(Tamperings.EVERYWHERE, NeighbourMutation::neverOverdue)),
  SHORT_INVOCATIONS(
      "an invocation of ingest counts for a fifth of a second, and hands on the rest",
      () ->
          new Tampering() {
            @Override
            public Deadline deadline(FunctionName function, Deadline real) {
              return function == FunctionName.INGEST
                  ? new Deadline(real.clock().instant().plusMillis(200), real.clock())
                  : real;
            }
          }),
  TURN_NOT_SENT(
      "no message wakes a gate when the next launch of its rate can begin",
      () -> Tamperings.checks(Set.of(FunctionName.CHECKER), NeighbourMutation::withoutTurns)),
  OVERDUE_ONE_BY_ONE(
      "each overdue job has a message of its own",
      () -> Tamperings.checks(Tamperings.EVERYWHERE, NeighbourMutation::oneByOne));

  final String what;
  private final Supplier<Tampering> tampering;

  NeighbourMutation(String what, Supplier<Tampering> tampering) {
    this.what = what;
    this.tampering = tampering;
  }

  Tampering tampering() {
    return tampering.get();
  }

  /** A job is overdue only if it is long before the instant of sending. */
  private static CheckQueue neverOverdue(CheckQueue real) {
    return (checks, now) -> {
      for (Check check : checks) {
        real.send(List.of(check), check.due().isBefore(now) ? check.due() : now);
      }
    };
  }

  private static CheckQueue withoutTurns(CheckQueue real) {
    return (checks, now) ->
        real.send(checks.stream().filter(check -> !isOfTurn(check, now)).toList(), now);
  }

  private static boolean isOfTurn(Check check, Instant now) {
    return check.due().isAfter(now)
        && check.subjects().stream().anyMatch(GateKey.class::isInstance);
  }

  private static CheckQueue oneByOne(CheckQueue real) {
    return (checks, now) -> {
      for (Check check : checks) {
        if (check.due().isBefore(now.minus(OverdueCheck.MARGIN))) {
          check
              .subjects()
              .forEach(one -> real.send(List.of(new Check(check.due(), List.of(one))), now));
        } else {
          real.send(List.of(check), now);
        }
      }
    };
  }

  /** What ingest reads before it compiles is read for all schedules of the key first. */
  private static final class CompilingFirst implements Tampering {
    private Set<ScheduleId> found = new HashSet<>();

    @Override
    public Schedules schedules(FunctionName function, Schedules real) {
      if (function != FunctionName.INGEST) {
        return real;
      }
      Set<ScheduleId> ofInstance = new HashSet<>();
      found = ofInstance;
      return Around.of(Schedules.class, real)
          .<Page<ScheduleId>>after(
              "withEventKey",
              page -> {
                ofInstance.addAll(page.items());
                return page;
              })
          .port();
    }

    @Override
    public Jobs jobs(FunctionName function, Jobs real) {
      if (function != FunctionName.INGEST) {
        return real;
      }
      Set<ScheduleId> ofInstance = found;
      return Around.of(Jobs.class, real)
          .before(
              "collectingJob",
              arguments -> {
                List<ScheduleId> all = List.copyOf(ofInstance);
                ofInstance.clear();
                all.forEach(id -> real.collectingJob(id, (Instant) arguments[1]));
              })
          .port();
    }
  }

  /** Messages are handled one after the other, those of the loud namespace first. */
  private static final class GatedFirst implements Tampering {

    @Override
    public Set<String> check(CheckMessages messages, List<Message> batch, Deadline deadline) {
      Set<String> failed = new HashSet<>();
      batch.stream()
          .sorted(Comparator.comparing(GatedFirst::loudJobs).reversed())
          .forEach(one -> failed.addAll(messages.handle(List.of(one), deadline)));
      return failed;
    }

    private static long loudJobs(Message message) {
      return CheckJson.read(message.body()).known().subjects().stream()
          .filter(subject -> subject instanceof JobId)
          .filter(subject -> ((JobId) subject).schedule().namespace().equals("loud"))
          .count();
    }

    @Override
    public Gates gates(FunctionName function, Gates real) {
      return Around.of(Gates.class, real)
          .before(
              "commit",
              arguments -> {
                Step step = (Step) arguments[0];
                for (int job = 1; job < step.jobs().size(); job++) {
                  real.find(step.gates().stream().map(change -> change.before().key()).toList());
                }
              })
          .port();
    }
  }

  /** The checker never takes a launch for late, and the gate stores when it was let through. */
  private static final class CountedAtCheck implements Tampering {
    private static final Duration LONG = Duration.ofSeconds(8);

    private InstantSource clock = InstantSource.system();

    @Override
    public Duration sendingTime(Duration real) {
      return LONG;
    }

    @Override
    public InstantSource clock(FunctionName function, InstantSource real) {
      clock = real;
      return real;
    }

    @Override
    public Gates gates(FunctionName function, Gates real) {
      return Around.of(Gates.class, real)
          .replace(
              "commit",
              arguments -> {
                Step step = (Step) arguments[0];
                Instant later = clock.instant().plus(LONG.dividedBy(2));
                List<Change> gates = new ArrayList<>();
                for (Change change : step.gates()) {
                  gates.add(new Change(change.before(), atCheck(change.after(), later)));
                }
                return real.commit(new Step(step.jobs(), gates, step.joining(), step.leaving()));
              })
          .port();
    }

    private static Gate atCheck(Gate gate, Instant later) {
      return FaultyGates.remembering(
          gate,
          new Remembered(
              gate.launches().stream().map(at -> at.isAfter(later) ? at.minus(LONG) : at).toList(),
              gate.past().dropped(),
              gate.lastSuccess(),
              gate.past().ends(),
              gate.past().unsureUntil()));
    }
  }
}
