package dev.carillon.campaign;

import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfills;
import dev.carillon.campaign.engine.Unavailable;
import dev.carillon.check.Check;
import dev.carillon.check.CheckQueue;
import dev.carillon.event.IngestQueue;
import dev.carillon.gate.Gate;
import dev.carillon.id.BackfillId;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Gates;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.StoredCollectingJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.Wait;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Life;
import dev.carillon.schedule.Period;
import dev.carillon.schedule.Periods;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.Schedules.Launching;
import dev.carillon.schedule.SuspendMode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Faulty stores and queues. */
final class FaultyPorts {

  private static final Duration LONG_ACTIVE = Duration.ofMinutes(10);

  private FaultyPorts() {}

  /** A port with some methods replaced. */
  static final class Around<P> {
    private final Class<P> port;
    private final P real;
    private final Map<String, Function<Object[], Object>> replaced = new HashMap<>();
    private final Map<String, UnaryOperator<Object>> after = new HashMap<>();

    private Around(Class<P> port, P real) {
      this.port = port;
      this.real = real;
    }

    static <P> Around<P> of(Class<P> port, P real) {
      return new Around<>(port, real);
    }

    Around<P> replace(String method, Function<Object[], Object> instead) {
      replaced.put(method, instead);
      return this;
    }

    Around<P> before(String method, Consumer<Object[]> first) {
      replaced.put(
          method,
          arguments -> {
            first.accept(arguments);
            return called(method(method), arguments);
          });
      return this;
    }

    @SuppressWarnings("unchecked")
    <T> Around<P> after(String method, UnaryOperator<T> then) {
      after.put(method, (UnaryOperator<Object>) (UnaryOperator<?>) then);
      return this;
    }

    @SuppressWarnings("unchecked")
    static <T> List<T> list(Object argument) {
      return (List<T>) argument;
    }

    P port() {
      return port.cast(
          Proxy.newProxyInstance(
              port.getClassLoader(),
              new Class<?>[] {port},
              (proxy, method, arguments) -> {
                Function<Object[], Object> instead = replaced.get(method.getName());
                Object answer =
                    instead == null ? called(method, arguments) : instead.apply(arguments);
                UnaryOperator<Object> then = after.get(method.getName());
                Object changed = then == null ? answer : then.apply(answer);
                return method.getReturnType() == void.class ? null : changed;
              }));
    }

    private Method method(String name) {
      return List.of(port.getMethods()).stream()
          .filter(method -> method.getName().equals(name))
          .findFirst()
          .orElseThrow();
    }

    private Object called(Method method, Object[] arguments) {
      try {
        return method.invoke(real, arguments);
      } catch (InvocationTargetException thrown) {
        if (thrown.getCause() instanceof Error error) {
          throw error;
        }
        throw (RuntimeException) thrown.getCause();
      } catch (IllegalAccessException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  private static Head with(
      Head head, long generation, long minLive, Periods periods, @Nullable Instant until) {
    Life life = head.life();
    return new Head(
        head.id(),
        head.version(),
        new Life(
            generation, life.state(), life.activation(), minLive, life.heldSince(), periods, until),
        head.suspendedBy(),
        head.program(),
        head.app(),
        head.limits());
  }

  @SuppressWarnings("unchecked")
  static Collection<ScheduleId> ids(Object argument) {
    return (Collection<ScheduleId>) argument;
  }

  private static Schedules withHeads(Schedules real, UnaryOperator<Head> change) {
    return headsFrom(
        real,
        ids ->
            real.heads(ids).values().stream()
                .map(change)
                .collect(Collectors.toMap(Head::id, head -> head)));
  }

  /** Reads heads, also for a launch, from another source. */
  static Schedules headsFrom(
      Schedules real, Function<Collection<ScheduleId>, Map<ScheduleId, Head>> heads) {
    return Around.of(Schedules.class, real)
        .replace("heads", arguments -> heads.apply(ids(arguments[0])))
        .replace(
            "forLaunch",
            arguments -> {
              Launching read = real.forLaunch(ids(arguments[0]));
              return new Launching(
                  heads.apply(ids(arguments[0])), read.limited(), read.definitions());
            })
        .port();
  }

  /** Refuses changes of stored schedules. */
  static Schedules refusingChanges(Schedules real) {
    return Around.of(Schedules.class, real)
        .before(
            "save",
            arguments -> {
              if (((Change) arguments[0]).before() != null) {
                throw new Unavailable("schedules.save", true);
              }
            })
        .port();
  }

  /** Remembers heads from before their last change, and the instant of the change. */
  static final class FormerHeads {
    private static final long SHOWN_FOR = 1_000;

    private final Map<ScheduleId, Head> before = new HashMap<>();
    private final Map<ScheduleId, Instant> changedAt = new HashMap<>();
    private InstantSource clock = () -> Instant.EPOCH;

    InstantSource reading(InstantSource real) {
      clock = real;
      return real;
    }

    /** A store whose changes are recorded. */
    Schedules recording(Schedules real) {
      return Around.of(Schedules.class, real)
          .replace(
              "save",
              arguments -> {
                Change change = (Change) arguments[0];
                boolean saved = real.save(change);
                if (saved && change.before() != null) {
                  before.put(change.after().id(), change.before());
                  changedAt.put(change.after().id(), clock.instant());
                }
                return saved;
              })
          .port();
    }

    /** A store that returns the former heads for a while. */
    Schedules shown(Schedules real) {
      return headsFrom(
          real,
          ids -> {
            Map<ScheduleId, Head> heads = new HashMap<>(real.heads(ids));
            heads.replaceAll((id, head) -> isRecent(id) ? before.getOrDefault(id, head) : head);
            return heads;
          });
    }

    private boolean isRecent(ScheduleId id) {
      Instant at = changedAt.getOrDefault(id, Instant.MIN);
      return clock.instant().isBefore(at.plusMillis(SHOWN_FOR));
    }
  }

  /** Does not store a new wake-up of a gate. */
  static Gates withoutWakeups(Gates real) {
    return Around.of(Gates.class, real)
        .replace(
            "update",
            arguments -> {
              Gate before = (Gate) arguments[0];
              Gate after = (Gate) arguments[1];
              return real.update(before, after.waking(before.wakeup()));
            })
        .port();
  }

  /** Applies a step to the gates as stored now, whatever was read. */
  static Gates.Step onPresent(Gates real, Gates.Step step, BinaryOperator<Gate> change) {
    List<Gates.Change> changes =
        step.gates().stream()
            .map(
                read -> {
                  Gate present = real.find(List.of(read.before().key())).get(read.before().key());
                  return new Gates.Change(present, change.apply(present, read.after()));
                })
            .toList();
    return new Gates.Step(step.jobs(), changes, step.joining(), step.leaving());
  }

  /** The first gate's version with the second gate's content. */
  static Gate withVersionOf(Gate present, Gate content) {
    return new Gate(
        present.key(),
        present.version(),
        content.slots(),
        content.past(),
        content.waiters(),
        content.wakeup(),
        content.gauge(),
        present.demands());
  }

  static Schedules alwaysActive(Schedules real) {
    return withHeads(
        real,
        head ->
            withPeriods(
                head,
                (index, period) ->
                    index == 0
                        ? new Period(period.mode(), period.from().minus(LONG_ACTIVE))
                        : period));
  }

  /** Replaces holds by drains in the current state of heads. */
  static Schedules neverHolding(Schedules real) {
    return withHeads(
        real,
        head ->
            !head.holdsJobs()
                ? head
                : withPeriods(
                    head,
                    (index, period) ->
                        isCurrent(head, index)
                            ? new Period(SuspendMode.DRAIN, period.from())
                            : period));
  }

  static Schedules withoutEnds(Schedules real) {
    return withHeads(
        real,
        head ->
            head.suspension() == null
                ? head
                : with(
                    head,
                    head.generation(),
                    head.life().minLiveActivation(),
                    head.life().periods(),
                    null));
  }

  static Schedules withoutSuspensions(Schedules real) {
    return withHeads(
        real,
        head ->
            withPeriods(
                head,
                (index, period) ->
                    isCurrent(head, index) ? period : new Period(null, period.from())));
  }

  /** Replaces past holds by drains. Once ended, they differ only in that a hold stops time-outs. */
  static Schedules withDrainsForHolds(Schedules real) {
    return withHeads(
        real,
        head ->
            withPeriods(
                head,
                (index, period) ->
                    period.mode() == SuspendMode.HOLD && !isCurrent(head, index)
                        ? new Period(SuspendMode.DRAIN, period.from())
                        : period));
  }

  private static boolean isCurrent(Head head, int period) {
    return period == head.life().periods().all().size() - 1;
  }

  /** Heads that cancel no job of an earlier life. */
  static Schedules cancellingNothing(Schedules real) {
    return withHeads(real, head -> cancelling(head, 0));
  }

  /** Heads by which a resumption begins another life. */
  static Schedules cancellingWhatWasKept(Schedules real) {
    return withHeads(
        real, head -> hadSuspension(head) ? cancelling(head, head.activation()) : head);
  }

  private static boolean hadSuspension(Head head) {
    List<Period> all = head.life().periods().all();
    return all.subList(0, all.size() - 1).stream().anyMatch(period -> period.mode() != null);
  }

  private static Head cancelling(Head head, long below) {
    Life life = head.life();
    return with(head, life.generation(), below, life.periods(), life.until());
  }

  /** Replaces each period by a function of its index and itself. */
  private static Head withPeriods(Head head, BiFunction<Integer, Period, Period> change) {
    Life life = head.life();
    List<Period> all = life.periods().all();
    Periods changed =
        new Periods(
            IntStream.range(0, all.size())
                .mapToObj(index -> change.apply(index, all.get(index)))
                .toList());
    return with(head, life.generation(), life.minLiveActivation(), changed, life.until());
  }

  static Schedules ofGeneration(Schedules real, Map<String, Long> generations) {
    Schedules heads =
        withHeads(
            real,
            head ->
                with(
                    head,
                    generations.getOrDefault(head.id().toString(), head.generation()),
                    head.life().minLiveActivation(),
                    head.life().periods(),
                    head.life().until()));
    return Around.of(Schedules.class, heads)
        .<Map<ScheduleId, Definition>>after(
            "definitions",
            found ->
                found.values().stream()
                    .map(it -> ofGeneration(it, generations))
                    .collect(Collectors.toMap(Definition::id, it -> it)))
        .port();
  }

  private static Definition ofGeneration(Definition definition, Map<String, Long> generations) {
    return new Definition(
        definition.id(),
        generations.getOrDefault(definition.id().toString(), definition.generation()),
        definition.document(),
        definition.generationSince(),
        definition.createdAt(),
        definition.createdBy(),
        definition.updatedAt());
  }

  static Schedules caching(Schedules real, Map<Object, Head> cached) {
    return headsFrom(
        real,
        ids -> {
          if (!cached.keySet().containsAll(ids)) {
            cached.putAll(real.heads(ids));
          }
          return ids.stream()
              .distinct()
              .filter(cached::containsKey)
              .collect(Collectors.toMap(id -> id, cached::get));
        });
  }

  static Jobs withoutLeases(Jobs real) {
    return Around.of(Jobs.class, real)
        .<List<Optional<Job>>>after(
            "insert", present -> present.stream().map(it -> it.map(FaultyPorts::expired)).toList())
        .<Map<JobId, Job>>after(
            "find",
            found ->
                found.values().stream()
                    .map(FaultyPorts::expired)
                    .collect(Collectors.toMap(Job::id, job -> job)))
        .port();
  }

  private static Job expired(Job job) {
    Wait wait =
        job.waitsFor() instanceof Wait.Lease lease
            ? new Wait.Lease(Instant.EPOCH, lease.attentionAt())
            : job.waitsFor();
    return new Job(
        job.id(),
        job.version(),
        job.state(),
        job.origin(),
        job.precedence(),
        job.delivery(),
        wait,
        job.triggerState(),
        job.ticket(),
        job.transitions());
  }

  static Jobs overwriting(Jobs real) {
    return Around.of(Jobs.class, real)
        .replace(
            "save",
            arguments -> {
              CollectingJob after = (CollectingJob) arguments[1];
              Instant now = (Instant) arguments[4];
              CollectingJob stored =
                  real.collectingJob(after.schedule(), now)
                      .map(StoredCollectingJob::collectingJob)
                      .orElse(null);
              return save(real, stored, arguments);
            })
        .port();
  }

  @SuppressWarnings("unchecked")
  private static boolean save(Jobs real, CollectingJob before, Object[] arguments) {
    List<Job> unknown =
        Around.<Job>list(arguments[3]).stream()
            .filter(job -> real.find(List.of(job.id())).isEmpty())
            .toList();
    return real.save(
        before,
        (CollectingJob) arguments[1],
        (Set<Long>) arguments[2],
        unknown,
        (Instant) arguments[4]);
  }

  @SuppressWarnings("unchecked")
  static Jobs inTwoWrites(Jobs real) {
    return Around.of(Jobs.class, real)
        .replace(
            "save",
            arguments -> {
              boolean saved =
                  real.save(
                      (CollectingJob) arguments[0],
                      (CollectingJob) arguments[1],
                      (Set<Long>) arguments[2],
                      List.of(),
                      (Instant) arguments[4]);
              List<Job> jobs = Around.list(arguments[3]);
              if (saved && !jobs.isEmpty()) {
                real.insert(jobs);
              }
              return saved;
            })
        .port();
  }

  /**
   * Saves another collecting job with other jobs.
   *
   * @param collectingJob makes it from the one before, which is null if there is none, and the one
   *     after
   */
  @SuppressWarnings("unchecked")
  static Jobs savingChanged(
      Jobs real, BinaryOperator<CollectingJob> collectingJob, UnaryOperator<List<Job>> jobs) {
    return Around.of(Jobs.class, real)
        .replace(
            "save",
            arguments ->
                real.save(
                    (CollectingJob) arguments[0],
                    collectingJob.apply((CollectingJob) arguments[0], (CollectingJob) arguments[1]),
                    (Set<Long>) arguments[2],
                    jobs.apply(Around.list(arguments[3])),
                    (Instant) arguments[4]))
        .port();
  }

  static CollectingJob withoutWakeup(CollectingJob it) {
    return new CollectingJob(
        it.schedule(),
        it.version(),
        it.generation(),
        it.activation(),
        it.nextSequence(),
        it.advancedTo(),
        it.open(),
        it.clocks(),
        null,
        it.latest());
  }

  static CheckQueue withoutCollectingChecks(CheckQueue real) {
    return (checks, now) ->
        real.send(
            checks.stream()
                .map(check -> without(CollectingJobId.class, check))
                .filter(check -> !check.subjects().isEmpty())
                .toList(),
            now);
  }

  private static Check without(Class<? extends Subject> kind, Check check) {
    return new Check(
        check.due(), check.subjects().stream().filter(one -> !kind.isInstance(one)).toList());
  }

  static CheckQueue withoutBackfills(CheckQueue real) {
    return (checks, now) ->
        real.send(
            checks.stream()
                .map(check -> without(BackfillId.class, check))
                .filter(it -> !it.subjects().isEmpty())
                .toList(),
            now);
  }

  /** Returns backfills as they were before they were cancelled. */
  static Backfills neverCancelling(Backfills real) {
    return Around.of(Backfills.class, real)
        .<Map<BackfillId, Backfill>>after(
            "backfills",
            found ->
                found.values().stream()
                    .collect(Collectors.toMap(Backfill::id, FaultyPorts::running)))
        .port();
  }

  private static Backfill running(Backfill it) {
    return it.state() != Backfill.State.CANCELLED
        ? it
        : new Backfill(
            it.id(),
            it.order(),
            Backfill.State.RUNNING,
            null,
            it.version(),
            it.next(),
            it.taken(),
            it.open(),
            it.ended(),
            it.attentionAt(),
            it.endedAt());
  }

  static boolean isMerged(Job job) {
    Reason reason = job.newestReason();
    return reason != null && reason.code() == ReasonCode.MERGED_INTO_WAITING;
  }

  /** Stores merged jobs without a condition. */
  static Jobs mergingUnconditionally(Jobs real) {
    return savingChanged(
        real,
        (before, after) -> after,
        jobs -> {
          for (Job job : jobs) {
            Job stored = real.find(List.of(job.id())).get(job.id());
            if (!job.isNew() && stored != null) {
              real.update(List.of(new Jobs.Update(stored, job)));
            }
          }
          return jobs.stream().filter(Job::isNew).toList();
        });
  }

  static CheckQueue acceptingNothing(CheckQueue real) {
    return (checks, now) -> {
      try {
        real.send(checks, now);
      } catch (Unavailable ignored) {
        // Swallowed: the caller believes that the messages were accepted.
      }
    };
  }

  /** Messages that are to be received later are not sent. */
  static IngestQueue sendingNothingLater(IngestQueue real) {
    return (bodies, delay) -> {
      if (delay.isZero()) {
        real.send(bodies, delay);
      }
    };
  }
}
