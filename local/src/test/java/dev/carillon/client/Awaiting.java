package dev.carillon.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

/** Waits for asynchronous effects of a local engine. */
public final class Awaiting {

  private static final Duration LONGEST = Duration.ofMinutes(5);

  /** A condition whose check can fail. */
  @FunctionalInterface
  public interface Condition<E extends Exception> {
    boolean holds() throws E;
  }

  private Awaiting() {}

  public static <E extends Exception> void await(Condition<E> condition)
      throws E, InterruptedException {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as("nothing came").isLessThan(end);
      Thread.sleep(50);
    }
  }
}
