package dev.carillon.api;

import static dev.carillon.api.Docs.DAILY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.check.Check;
import dev.carillon.collect.Collector;
import dev.carillon.document.Json;
import dev.carillon.event.Event;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.UnreadableSchedules;
import dev.carillon.system.World;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes with lost races, a lagging index, and failing stores and queues. */
class ChangesTest {

  private static final ScheduleId A = new ScheduleId("default", "a");

  private final World world = new World(Caller.NOW);
  private final Caller other = new Caller(world, UnaryOperator.identity());

  /** A caller whose store answers calls of one method with these answers first, in order. */
  private Caller callerWhere(String method, Deque<Supplier<Object>> answers) {
    return new Caller(
        world,
        real ->
            instead(
                real,
                (called, arguments) ->
                    called.getName().equals(method) && !answers.isEmpty()
                        ? answers.poll().get()
                        : called.invoke(real, arguments)));
  }

  /** An action on the call of a method. */
  private interface Call {
    Object of(Method method, Object[] arguments) throws ReflectiveOperationException;
  }

  private static Schedules instead(Schedules real, Call call) {
    return (Schedules)
        Proxy.newProxyInstance(
            Schedules.class.getClassLoader(),
            new Class<?>[] {Schedules.class},
            (proxy, method, arguments) -> {
              try {
                return call.of(method, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  private static Deque<Supplier<Object>> answers(int times, Supplier<Object> answer) {
    Deque<Supplier<Object>> answers = new ArrayDeque<>();
    for (int i = 0; i < times; i++) {
      answers.add(answer);
    }
    return answers;
  }

  @Test
  void aLostRaceIsRepeatedOnTheNewState() {
    Caller caller =
        callerWhere(
            "save",
            answers(
                1,
                () -> {
                  other.put("a", Docs.of(Docs.MINUTELY));
                  return false;
                }));
    assertThat(caller.put("a", Docs.of(DAILY)).is(200).json().path("generation").asLong())
        .isEqualTo(2);
  }

  @Test
  void aLostRaceUnderIfMatchIsReported() {
    String etag = other.put("a", Docs.of(DAILY)).etag();
    Caller caller =
        callerWhere(
            "save",
            answers(
                1,
                () -> {
                  other.act("a", "resume", "{}");
                  return false;
                }));
    caller.put("a", Docs.of(Docs.MINUTELY), Map.of("If-Match", etag)).is(412);
  }

  @Test
  void ofTwoConditionalCreationsOneSucceeds() {
    Caller caller =
        callerWhere(
            "save",
            answers(
                1,
                () -> {
                  other.put("a", Docs.of(DAILY));
                  return false;
                }));
    caller.put("a", Docs.of(Docs.MINUTELY), Map.of("If-None-Match", "*")).is(412);
  }

  /** Another caller repaired the head between two reads. */
  @Test
  void aDeletedScheduleThatIsReadableAgainIsStoredAgain() {
    other.put("a", Docs.of(DAILY)).is(201);
    other.delete("a").is(204);
    Supplier<Object> damage =
        () -> {
          throw new UnreadableSchedules(Set.of(A), new IllegalStateException("damaged"));
        };
    assertThat(
            callerWhere("heads", answers(1, damage))
                .put("a", Docs.of(DAILY))
                .is(201)
                .json()
                .path("generation")
                .asLong())
        .isEqualTo(2);
    other.delete("a").is(204);
    callerWhere("heads", answers(1, damage)).delete("a").is(404);
  }

  /** Another caller has replaced the unreadable schedule between two reads. */
  @Test
  void aScheduleThatIsReadableAgainIsChangedAsAnyOther() {
    other.put("a", Docs.active(DAILY)).is(201);
    Deque<Supplier<Object>> damage =
        answers(
            1,
            () -> {
              throw new UnreadableSchedules(Set.of(A), new IllegalStateException("damaged"));
            });
    Caller.Reply same = callerWhere("find", damage).put("a", Docs.of(DAILY)).is(200);
    assertThat(same.json().path("state").asText()).isEqualTo("ACTIVE");
    assertThat(same.json().path("generation").asLong()).isEqualTo(1);
  }

  /** Another caller replaces the unreadable schedule right before it is overwritten. */
  @Test
  void aScheduleThatIsReplacedBeforeItIsOverwrittenIsChangedAsAnyOther() {
    other.put("a", Docs.of(DAILY)).is(201);
    Deque<Supplier<Object>> damage = new ArrayDeque<>();
    for (Runnable meanwhile :
        List.<Runnable>of(() -> {}, () -> other.put("a", Docs.active(Docs.MINUTELY)).is(200))) {
      damage.add(
          () -> {
            meanwhile.run();
            throw new UnreadableSchedules(Set.of(A), new IllegalStateException("damaged"));
          });
    }
    Caller.Reply after = callerWhere("find", damage).put("a", Docs.of(DAILY)).is(200);
    assertThat(after.json().path("state").asText()).isEqualTo("ACTIVE");
    assertThat(after.json().path("generation").asLong()).isEqualTo(3);
  }

  @Test
  void aRequestThatLosesEveryRaceIsAConflict() {
    Caller caller = callerWhere("save", answers(1_000, () -> false));
    caller.put("a", Docs.of(DAILY)).is(409);
  }

  /** A long history could take all the time of the function. */
  @Test
  void theFirstFiresAreHandedOverBeforeTheHistoryIsSearched() {
    String window = "{\"type\": \"timeWindow\", \"from\": \"20:00\", \"to\": \"21:00\"}";
    other.put("a", Docs.of(DAILY, ", \"constraints\": [%s]".formatted(window))).is(201);
    List<List<Instant>> handedOver = new ArrayList<>();
    other.onHistory =
        () -> handedOver.add(world.checkQueue.all().stream().map(Check::due).sorted().toList());

    other.put("a", Docs.active(Docs.MINUTELY)).is(200);

    assertThat(handedOver).isNotEmpty();
    assertThat(handedOver.get(0)).startsWith(Instant.parse("2026-03-10T12:01:00Z"));
  }

  /**
   * A writer that read the head before a change can be slow, and its write still counts for the old
   * definition.
   */
  @ParameterizedTest
  @ValueSource(strings = {"times", "other data", "suspended", "deleted"})
  void eventsCountedForTheOldDefinitionAreDroppedOnceTheChangeHasSettled(String change) {
    other.put("a", Docs.active(Docs.partition("d", 2))).is(201);
    Head former = world.schedules.find(A).orElseThrow().head();
    Compiled compiled =
        new CompiledSchedules(world.schedules, world.calendars, new ScheduleParser(ZoneOffset.UTC))
            .of(List.of(former))
            .get(A);
    switch (change) {
      case "times" -> other.put("a", Docs.active(DAILY)).is(200);
      case "other data" -> other.put("a", Docs.active(Docs.partition("other", 2))).is(200);
      case "suspended" -> other.act("a", "suspend", "{}").is(200);
      default -> other.delete("a").is(204);
    }
    Event event =
        new Event(
            "e", "default", world.now(), "PARTITION", Json.object(), Map.of("partition:d", 1L));
    new Collector(world.jobs, world.checkQueue, OptimisticUpdate.uncounted(), world::now)
        .collect(compiled, former, List.of(event));
    assertThat(isCollecting()).isTrue();

    world.runFor(Duration.ofMinutes(1));

    assertThat(isCollecting()).isFalse();
    assertThat(world.jobs.all()).extracting(Job::state).containsExactly(JobState.CANCELLED);
  }

  @Test
  void countedEventsAreDroppedEvenIfTheChangeCrashes() {
    other.put("a", Docs.active(Docs.partition("d", 2))).is(201);
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));
    Caller interrupted =
        new Caller(
            world,
            real ->
                instead(
                    real,
                    (method, arguments) -> {
                      Object answer = method.invoke(real, arguments);
                      if (method.getName().equals("save")) {
                        throw new IllegalStateException("interrupted");
                      }
                      return answer;
                    }));
    interrupted.put("a", Docs.active(DAILY)).is(500);
    assertThat(isCollecting()).isTrue();

    world.runFor(Duration.ofMinutes(1));

    assertThat(isCollecting()).isFalse();
  }

  @Test
  void aChangeIsRefusedIfTheDiscardingCheckCannotBeSent() {
    other.put("a", Docs.active(Docs.partition("d", 2))).is(201);
    other.checksFail = true;
    other.put("a", Docs.active(DAILY)).is(500);
    other.act("a", "suspend", "{}").is(500);
    other.checksFail = false;
    assertThat(other.schedule("a").is(200).json().path("generation").asLong()).isEqualTo(1);
    other.put("a", Docs.active(DAILY)).is(200);
    other.checksFail = true;
    other.delete("a").is(204);
  }

  private boolean isCollecting() {
    return world.jobs.collectingJob(A, world.now()).orElseThrow().collectingJob().open() != null;
  }

  @Test
  void aScheduleWhoseGateDemandsDoNotFitIsRefusedWithARemedy() {
    Schedules.TooManyDemandsException full = new Schedules.TooManyDemandsException(null);
    Caller caller =
        callerWhere(
            "save",
            answers(
                1,
                () -> {
                  throw full;
                }));
    String limited = ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]";

    assertThat(caller.put("a", Docs.of(DAILY, limited)).is(409).body())
        .contains("default/a cannot be stored", "too many", "the same limits");
    caller.schedule("a").is(404);
  }

  @Test
  void theAnswerWaitsUntilEventsFindTheSchedule() {
    Caller caller = callerWhere("indexShows", answers(4, () -> false));
    caller.put("a", Docs.active(Docs.partition("d", 1))).is(201);

    assertThat(caller.paused).isEqualTo(Duration.ofMillis(10 + 20 + 40 + 80));
  }

  @Test
  void aResumedScheduleWaitsForTheIndexAsWell() {
    other.put("a", Docs.of(Docs.partition("d", 1)));
    Caller caller = callerWhere("indexShows", answers(1, () -> false));
    caller.act("a", "resume", "{}").is(200);

    assertThat(caller.paused).isEqualTo(Duration.ofMillis(10));
  }

  @Test
  void aRepeatedRequestWithoutAChangeWaitsForTheIndexAsWell() {
    other.put("a", Docs.active(Docs.partition("d", 1)));
    Caller caller = callerWhere("indexShows", answers(2, () -> false));
    caller.put("a", Docs.active(Docs.partition("d", 1))).is(200);
    assertThat(caller.paused).isEqualTo(Duration.ofMillis(10 + 20));

    Caller resuming = callerWhere("indexShows", answers(1, () -> false));
    resuming.act("a", "resume", "{}").is(200);
    assertThat(resuming.paused).isEqualTo(Duration.ofMillis(10));
  }

  @Test
  void anIndexThatLagsForFiveSecondsFailsTheRequestWhichCanBeRepeated() {
    Caller caller = callerWhere("indexShows", answers(10_000, () -> false));
    Caller.Reply reply = caller.put("a", Docs.active(Docs.partition("d", 1))).is(503);
    assertThat(reply.headers()).containsEntry("Retry-After", "1");
    assertThat(reply.json().path("detail").asText())
        .startsWith("default/a is stored, but the index does not show it yet");
    other.put("a", Docs.active(Docs.partition("d", 1))).is(200);

    assertThat(caller.paused).isBetween(Duration.ofSeconds(5), Duration.ofMillis(5_250));
  }

  /** The index never shows the entries of a definition that another caller has replaced. */
  @Test
  void aDefinitionThatWasReplacedOrDeletedMeanwhileIsNotWaitedForAnyLonger() {
    Caller caller =
        callerWhere(
            "indexShows",
            answers(
                10_000,
                () -> {
                  other.put("a", Docs.of(DAILY));
                  return false;
                }));
    caller.put("a", Docs.active(Docs.partition("d", 1))).is(201);
    Caller deleted =
        callerWhere(
            "indexShows",
            answers(
                10_000,
                () -> {
                  other.delete("a");
                  return false;
                }));
    deleted.put("a", Docs.active(Docs.partition("d", 1))).is(200);
    other.schedule("a").is(404);
  }

  @Test
  void aDefinitionWhoseHeadCannotBeReadCountsAsStored() {
    AtomicBoolean isDamaged = new AtomicBoolean();
    Caller caller =
        new Caller(
            world,
            real ->
                instead(
                    real,
                    (called, arguments) -> {
                      if (called.getName().equals("indexShows")) {
                        isDamaged.set(true);
                        return false;
                      }
                      if (isDamaged.get() && called.getName().equals("heads")) {
                        throw new UnreadableSchedules(
                            Set.of(A), new IllegalStateException("damaged"));
                      }
                      return called.invoke(real, arguments);
                    }));
    caller.put("a", Docs.active(Docs.partition("d", 1))).is(503);
  }

  @Test
  void aBacklogWaitsForTheIndexAsWell() {
    other.put("a", Docs.active(Docs.partition("d", 1)));
    other.act("a", "suspend", "{\"mode\": \"backlog\"}").is(200);
    Caller caller = callerWhere("indexShows", answers(2, () -> false));
    caller.put("a", Docs.of(Docs.partition("e", 1))).is(200);
    assertThat(caller.paused).isEqualTo(Duration.ofMillis(30));
  }

  @Test
  void aScheduleWithoutEventKeysOrNotCollectingWaitsForNoIndex() {
    Caller caller = callerWhere("indexShows", answers(10_000, () -> false));
    caller.put("time", Docs.active(DAILY)).is(201);
    caller.put("suspended", Docs.of(Docs.partition("d", 1))).is(201);

    assertThat(caller.paused).isZero();
  }

  @Test
  void aThrottledStoreIsA429() {
    Caller caller =
        callerWhere(
            "find",
            answers(
                1,
                () -> {
                  throw new Caller.Throttled();
                }));
    Caller.Reply reply = caller.schedule("a").is(429);
    assertThat(reply.headers()).containsEntry("Retry-After", "1");
  }

  @Test
  void aFailingStoreIsNotReportedAsAFaultOfTheCaller() {
    Caller caller =
        callerWhere(
            "find",
            answers(
                1,
                () -> {
                  throw new IllegalStateException("secret");
                }));
    Caller.Reply reply = caller.schedule("a").is(500);
    assertThat(reply.headers()).containsEntry("Content-Type", "application/problem+json");
    assertThat(reply.body()).doesNotContain("secret");
  }
}
