package dev.carillon.local;

import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A composition root that remembers what its function was invoked with. */
public final class StubRoot implements AutoCloseable {

  private static final Map<String, StubRoot> ROOTS = new ConcurrentHashMap<>();
  private static final long PATIENCE_SECONDS = 20;

  final Map<String, String> environment;
  final BlockingQueue<Object> invocations = new LinkedBlockingQueue<>();
  volatile boolean closed;

  private StubRoot(Map<String, String> environment) {
    this.environment = environment;
  }

  public static StubRoot of(Map<String, String> environment) {
    StubRoot root = new StubRoot(environment);
    ROOTS.put(environment.get("NAME"), root);
    return root;
  }

  static StubRoot named(String name) {
    return ROOTS.get(name);
  }

  <T> T next(Class<T> type) throws InterruptedException {
    return type.cast(invocations.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
  }

  @Override
  public void close() {
    closed = true;
  }
}
