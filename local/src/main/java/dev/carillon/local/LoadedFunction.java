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

/** A function in this JVM: its handler, on a composition root of its own. */
final class LoadedFunction implements LocalFunction {

  private static final Logger LOG = LoggerFactory.getLogger(LoadedFunction.class);
  private static final String FACTORY = "of";
  private static final int MOST_CONCURRENT = 4;

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
   * Builds the handler as the Lambda runtime would, but on a root made for the given environment:
   * the handler's class has a public constructor that takes the root, and the root's class a static
   * {@code of(Map)}.
   *
   * @param watch reports the invocations that take longer than they may
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
          definition.name() + " names the handler " + definition.handler() + ", which is not there",
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
        .orElseThrow(() -> new NoSuchMethodException(type + " takes no composition root"));
  }

  @SuppressWarnings("unchecked")
  private static RequestHandler<Object, Object> handler(Object instance) {
    return (RequestHandler<Object, Object>) RequestHandler.class.cast(instance);
  }

  @Override
  public String name() {
    return definition.name();
  }

  /** It was built when it was loaded. */
  @Override
  public void awaitReady() {}

  @Override
  public int mostConcurrent() {
    return MOST_CONCURRENT;
  }

  /** Runs the handler on the calling thread. One that takes too long is reported, not stopped. */
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
        "{} still runs after its timeout of {} s: Lambda would have ended it",
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
