package dev.carillon.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Makes independent calls in parallel. A call must not make parallel calls by the same object,
 * because it would wait for a thread that it occupies itself.
 */
public final class Fanout {

  private final Executor executor;

  public Fanout(Executor executor) {
    this.executor = executor;
  }

  /**
   * Makes one call for each item. If there is only one item, its call runs in the caller's thread.
   *
   * @return the results, in the order of the items
   * @throws RuntimeException the first failure; it is thrown when all calls have ended
   */
  public <T, R> List<R> map(List<T> items, Function<? super T, ? extends R> call) {
    if (items.size() == 1) {
      return List.of(call.apply(items.get(0)));
    }
    List<CompletableFuture<R>> calls = new ArrayList<>();
    for (T item : items) {
      calls.add(CompletableFuture.supplyAsync(() -> call.apply(item), executor));
    }
    List<R> results = new ArrayList<>();
    Throwable failure = null;
    for (CompletableFuture<R> each : calls) {
      try {
        results.add(each.join());
      } catch (CompletionException failed) {
        Throwable cause = failed.getCause() == null ? failed : failed.getCause();
        failure = failure == null ? cause : join(failure, cause);
      }
    }
    if (failure != null) {
      throw rethrown(failure);
    }
    return results;
  }

  /** Like {@link #map}, for calls without a result. */
  public <T> void forEach(List<T> items, Consumer<? super T> call) {
    map(
        items,
        item -> {
          call.accept(item);
          return true;
        });
  }

  private static Throwable join(Throwable first, Throwable other) {
    if (first != other) {
      first.addSuppressed(other);
    }
    return first;
  }

  private static RuntimeException rethrown(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return failure instanceof RuntimeException known ? known : new IllegalStateException(failure);
  }
}
