package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StopSignalTest {

  private final StopSignal signal = new StopSignal();

  @Test
  void itInterruptsTheHandlerOnce() {
    signal.enter();
    assertThat(signal.stop(StopReason.CANCELLED)).isTrue();
    assertThat(signal.stop(StopReason.CLOSING)).isFalse();
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    signal.leave();
    assertThat(Thread.interrupted()).isFalse();
    assertThat(signal.reason()).contains(StopReason.CANCELLED);
  }

  @Test
  void aHandlerThatIsStoppedBeforeItBeginsIsInterruptedThen() {
    assertThat(signal.stop(StopReason.CLOSING)).isTrue();
    signal.enter();
    assertThat(Thread.interrupted()).isTrue();
  }

  /** A heartbeat that crosses the answered report of the end finds no claim. */
  @Test
  void aHandlerThatHasEndedIsNotStopped() {
    signal.enter();
    signal.leave();
    assertThat(signal.stop(StopReason.LOST)).isFalse();
    assertThat(signal.reason()).isEmpty();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }
}
