package dev.carillon.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FanoutTest {

  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private final Fanout fanout = new Fanout(threads);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void resultsAreInTheOrderOfTheItems() {
    List<Integer> items = IntStream.range(0, 100).boxed().toList();

    assertThat(fanout.map(items, item -> item * 2))
        .isEqualTo(items.stream().map(item -> item * 2).toList());
    assertThat(fanout.map(List.of(), item -> item)).isEmpty();
  }

  @Test
  void aSingleCallNeedsNoThread() {
    Executor none =
        task -> {
          throw new AssertionError("a thread was requested");
        };

    assertThat(new Fanout(none).map(List.of(7), item -> Thread.currentThread()))
        .containsExactly(Thread.currentThread());
  }

  @Test
  void aFailureIsThrownOnceAllCallsHaveEnded() {
    AtomicInteger ended = new AtomicInteger();

    assertThatThrownBy(
            () ->
                fanout.forEach(
                    IntStream.range(0, 20).boxed().toList(),
                    item -> {
                      ended.incrementAndGet();
                      if (item % 10 == 3) {
                        throw new IllegalStateException("call " + item);
                      }
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("call 3")
        .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
    assertThat(ended).hasValue(20);
  }

  @Test
  void anErrorStaysAnError() {
    for (Executor executor : List.<Executor>of(threads, Runnable::run)) {
      assertThatThrownBy(
              () ->
                  new Fanout(executor)
                      .forEach(
                          List.of(1, 2),
                          item -> {
                            throw new AssertionError("bug");
                          }))
          .isInstanceOf(AssertionError.class);
    }
  }
}
