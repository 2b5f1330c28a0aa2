package dev.carillon.api;

import static dev.carillon.api.Docs.DAILY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.schedule.Schedules;
import dev.carillon.world.World;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Changes that meet others, an index that lags, stores and queues that fail. */
class ChangesTest {

  private final World world = new World(Caller.NOW);
  private final Caller other = new Caller(world, UnaryOperator.identity());

  /** What calls of one method answer instead of the store, in order; then it answers itself. */
  private Caller callerWhere(String method, Deque<Supplier<Object>> answers) {
    return new Caller(
        world,
        real ->
            (Schedules)
                Proxy.newProxyInstance(
                    Schedules.class.getClassLoader(),
                    new Class<?>[] {Schedules.class},
                    (proxy, called, arguments) -> {
                      if (called.getName().equals(method) && !answers.isEmpty()) {
                        return answers.poll().get();
                      }
                      try {
                        return called.invoke(real, arguments);
                      } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                      }
                    }));
  }

  private static Deque<Supplier<Object>> answers(int times, Supplier<Object> answer) {
    Deque<Supplier<Object>> answers = new ArrayDeque<>();
    for (int i = 0; i < times; i++) {
      answers.add(answer);
    }
    return answers;
  }

  @Test
  void whoLosesARaceReadsAgainAndWins() {
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
  void whoLosesARaceUnderIfMatchIsTold() {
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
  void twoWhoCreateOnlyIfAbsentDoNotBothSucceed() {
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

  @Test
  void whoLosesEveryRaceGivesUp() {
    Caller caller = callerWhere("save", answers(1_000, () -> false));
    caller.put("a", Docs.of(DAILY)).is(409);
  }

  @Test
  void whoeverFindsNoRoomForWhatItAsksOfGatesIsToldWhatToDo() {
    Schedules.TooManyAsksException full = new Schedules.TooManyAsksException(null);
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
        .contains("default/a cannot be stored", "400 KB", "another namespace");
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
  void aRepeatedRequestThatFindsNothingToChangeWaitsForTheIndexAsWell() {
    other.put("a", Docs.active(Docs.partition("d", 1)));
    Caller caller = callerWhere("indexShows", answers(2, () -> false));
    caller.put("a", Docs.active(Docs.partition("d", 1))).is(200);
    assertThat(caller.paused).isEqualTo(Duration.ofMillis(10 + 20));

    Caller resuming = callerWhere("indexShows", answers(1, () -> false));
    resuming.act("a", "resume", "{}").is(200);
    assertThat(resuming.paused).isEqualTo(Duration.ofMillis(10));
  }

  @Test
  void anIndexThatNeverCatchesUpHoldsAnAnswerForFiveSeconds() {
    Caller caller = callerWhere("indexShows", answers(10_000, () -> false));
    caller.put("a", Docs.active(Docs.partition("d", 1))).is(201);

    assertThat(caller.paused).isBetween(Duration.ofSeconds(5), Duration.ofMillis(5_250));
  }

  @Test
  void withoutEventKeysOrActivityNothingIsWaitedFor() {
    Caller caller = callerWhere("indexShows", answers(10_000, () -> false));
    caller.put("time", Docs.active(DAILY)).is(201);
    caller.put("suspended", Docs.of(Docs.partition("d", 1))).is(201);

    assertThat(caller.paused).isZero();
  }

  @Test
  void aStoreThatTakesNoMoreIs429() {
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
  void aStoreThatFailsIsNoFaultOfTheCaller() {
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
