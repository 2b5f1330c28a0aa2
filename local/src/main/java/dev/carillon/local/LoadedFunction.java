package dev.carillon.local;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A function in this JVM: its handler with its own composition root. */
final class LoadedFunction implements LocalFunction {

  private static final Logger LOG = LoggerFactory.getLogger(LoadedFunction.class);
  private static final String FACTORY = "of";

  /**
   * The messages of 10,000 due jobs occupy fewer invocations than this, so that other messages need
   * not wait.
   */
  private static final int MOST_CONCURRENT = 16;

  private final SamTemplate.Function definition;
  private final RequestHandler<Object, Object> handler;
  private final Object root;
  private final ScheduledExecutorService watch;

  private LoadedFunction(
      SamTemplate.Function definition,
      RequestHandler<Object, Object> handler,
      Object root,
      ScheduledExecutorService watch) {
    this.definition = definition;
    this.handler = handler;
    this.root = root;
    this.watch = watch;
  }

  /**
   * Builds the handler as the Lambda runtime does, but with a composition root for the given
   * environment. The handler's class has a public constructor that takes the root, and the root's
   * class has a static method {@code of(Map)}.
   *
   * @param watch reports invocations that exceed their time-out
   */
  static LoadedFunction load(
      SamTemplate.Function definition,
      Map<String, String> environment,
      ScheduledExecutorService watch) {
    try {
      Class<?> type = Class.forName(definition.handler());
      Constructor<?> constructor = constructorOnRoot(type);
      Method factory = constructor.getParameterTypes()[0].getMethod(FACTORY, Map.class);
      Object root = factory.invoke(null, environment);
      return new LoadedFunction(definition, handler(constructor.newInstance(root)), root, watch);
    } catch (ClassNotFoundException fault) {
      throw new StartFault(
          definition.name() + ": the handler " + definition.handler() + " is not on the class path",
          fault);
    } catch (InvocationTargetException fault) {
      throw new StartFault(definition.name() + " cannot be built: " + fault.getCause(), fault);
    } catch (ReflectiveOperationException | ClassCastException fault) {
      throw new StartFault(
          definition.handler() + " is not a RequestHandler that the local engine can build", fault);
    }
  }

  private static Constructor<?> constructorOnRoot(Class<?> type) throws NoSuchMethodException {
    return Arrays.stream(type.getConstructors())
        .filter(constructor -> constructor.getParameterCount() == 1)
        .findFirst()
        .orElseThrow(
            () ->
                new NoSuchMethodException(
                    type + " has no constructor that takes a composition root"));
  }

  @SuppressWarnings("unchecked")
  private static RequestHandler<Object, Object> handler(Object instance) {
    return (RequestHandler<Object, Object>) RequestHandler.class.cast(instance);
  }

  @Override
  public String name() {
    return definition.name();
  }

  /** Returns at once: the handler was built when it was loaded. */
  @Override
  public void awaitReady() {}

  @Override
  public int mostConcurrent() {
    return MOST_CONCURRENT;
  }

  /**
   * Runs the handler on the calling thread. An invocation that exceeds its time-out is reported,
   * but not stopped.
   */
  @Override
  public <T> @Nullable T invoke(Object event, Class<T> answer) {
    ScheduledFuture<?> alarm =
        watch.schedule(this::reportOverdue, definition.timeout().toMillis(), TimeUnit.MILLISECONDS);
    try {
      return answer.cast(handler.handleRequest(event, new LocalContext(definition)));
    } finally {
      alarm.cancel(false);
    }
  }

  private void reportOverdue() {
    LOG.warn(
        "{} still runs after its time-out of {} s; Lambda would have stopped it",
        name(),
        definition.timeout().toSeconds());
  }

  @Override
  public void close() {
    if (root instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception fault) {
        LOG.warn("{} did not stop cleanly", name(), fault);
      }
    }
  }
}
