package dev.carillon.pool;

import static dev.carillon.pool.PooledJobs.ID;
import static dev.carillon.pool.PooledJobs.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All times are milliseconds after noon. */
class PoolActivityTest {

  private static @Nullable Instant at(@Nullable Long millis) {
    return millis == null ? null : NOON.plusMillis(millis);
  }

  private static PoolActivity planned(@Nullable Long next, boolean isAwake) {
    return new PoolActivity(ID, 0, at(next), isAwake, null);
  }

  /** A choice is requested at noon. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // last planned choice, whether the attention index has the pool, the choice
        "-,     true,  0",
        "-,     false, 0",
        "-1500, true,  0",
        "-1000, true,  0",
        "-999,  true,  1",
        "-999,  false, 1",
        // it may have run already
        "0,     true,  1000",
        "1,     true,  -",
        "500,   true,  -",
        // the plan of a pool that rests does not count
        "500,   false, 1500"
      })
  void whenARequestedChoiceRuns(@Nullable Long planned, boolean isAwake, @Nullable Long expected) {
    assertThat(planned(planned, isAwake).next(NOON).orElse(null)).isEqualTo(at(expected));
  }

  /** It is noon. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"-,  true,  -", "-1, true,  -", "0,  true,  0", "1,  true,  1", "1,  false, -"})
  void thePlannedChoiceIsShown(@Nullable Long planned, boolean isAwake, @Nullable Long expected) {
    assertThat(planned(planned, isAwake).planned(NOON)).isEqualTo(at(expected));
  }

  /** The waiting jobs were last counted 30 seconds after noon. */
  @ParameterizedTest
  @CsvSource({"-1, false", "30000, false", "59999, false", "60000, true"})
  void theWaitingJobsAreCountedOnceInEachMinuteOfTheClock(long now, boolean isToBeExamined) {
    PoolActivity before = new PoolActivity(ID, 7, at(5L), true, null);
    assertThat(before.isToBeExamined(NOON)).as("never counted").isTrue();
    PoolActivity after = before.examined(NOON.plusSeconds(30));
    assertThat(after.isToBeExamined(NOON.plusMillis(now))).isEqualTo(isToBeExamined);
    assertThat(after).isEqualTo(new PoolActivity(ID, 7, at(5L), true, NOON.plusSeconds(30)));
  }

  @Test
  void aNewPoolHasNoActivity() {
    assertThat(PoolActivity.none(ID)).isEqualTo(planned(null, false));
  }
}
