package dev.carillon.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OptimisticUpdateTest {

  private final AtomicInteger lostRaces = new AtomicInteger();
  private final AtomicInteger givenUp = new AtomicInteger();
  private final AtomicInteger attempts = new AtomicInteger();
  private final OptimisticUpdate update =
      new OptimisticUpdate(lostRaces::incrementAndGet, givenUp::incrementAndGet);

  /** A conditional write whose first attempts are refused. */
  private boolean storesAtAttempt(int number) {
    return attempts.incrementAndGet() == number;
  }

  @Test
  void anUpdateWithoutARaceIsOneAttempt() {
    String answer = update.run("it", () -> Attempt.of(storesAtAttempt(1), "stored"));
    assertThat(answer).isEqualTo("stored");
    assertThat(List.of(attempts.get(), lostRaces.get(), givenUp.get())).containsExactly(1, 0, 0);
  }

  @Test
  void aLostRaceIsCountedAndFollowedByAnotherAttempt() {
    String answer = update.run("it", () -> Attempt.of(storesAtAttempt(3), "stored"));
    assertThat(answer).isEqualTo("stored");
    assertThat(List.of(attempts.get(), lostRaces.get(), givenUp.get())).containsExactly(3, 2, 0);
  }

  @Test
  void theLastAttemptCanWin() {
    update.untilStored("it", () -> storesAtAttempt(OptimisticUpdate.MOST_ATTEMPTS));
    assertThat(lostRaces).hasValue(OptimisticUpdate.MOST_ATTEMPTS - 1);
    assertThat(givenUp).hasValue(0);
  }

  @Test
  void anUpdateThatLosesEveryRaceIsAbandonedAndNamesWhatItChanges() {
    assertThatThrownBy(() -> update.untilStored("the gate", () -> storesAtAttempt(0)))
        .isInstanceOf(ContentionException.class)
        .hasMessage("the gate is changed too often by other writers; try again");
    assertThat(attempts).hasValue(OptimisticUpdate.MOST_ATTEMPTS);
    assertThat(lostRaces).hasValue(OptimisticUpdate.MOST_ATTEMPTS);
    assertThat(givenUp).hasValue(1);
  }

  @Test
  void anAttemptIsGivenWhatTheRefusedWriteReturned() {
    List<Integer> given = new ArrayList<>();
    int answer =
        update.runFrom(
            "it",
            1,
            stored -> {
              given.add(stored);
              return stored < 3 ? Attempt.lostRaceTo(stored + 1) : Attempt.done(stored * 10);
            });
    assertThat(answer).isEqualTo(30);
    assertThat(given).containsExactly(1, 2, 3);
    assertThat(lostRaces).hasValue(2);
  }

  @Test
  void anUpdateThatIsGivenWhatIsStoredIsAbandonedAsWell() {
    assertThatThrownBy(() -> update.runFrom("it", 1, Attempt::lostRaceTo))
        .isInstanceOf(ContentionException.class);
    assertThat(lostRaces).hasValue(OptimisticUpdate.MOST_ATTEMPTS);
    assertThat(givenUp).hasValue(1);
  }

  @Test
  void anExceptionOfAnAttemptEndsTheUpdate() {
    assertThatThrownBy(
            () ->
                update.untilStored(
                    "it",
                    () -> {
                      throw new UnsupportedOperationException("refused");
                    }))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(lostRaces).hasValue(0);
    assertThat(givenUp).hasValue(0);
  }
}
