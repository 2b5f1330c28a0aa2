package dev.carillon.local;

import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A function in separate processes, run from the artifact that is deployed to AWS. It has one
 * execution environment per concurrent invocation, up to a bound.
 */
final class IsolatedFunction implements LocalFunction {

  private static final int MOST_ENVIRONMENTS = 2;

  private final RuntimeClient client;
  private final SamTemplate.Function definition;
  private final Map<String, String> environment;
  private final Semaphore free = new Semaphore(MOST_ENVIRONMENTS, true);
  private final Deque<ExecutionEnvironment> idle = new ArrayDeque<>();
  private final Set<ExecutionEnvironment> all = new HashSet<>();
  private boolean closed;

  private IsolatedFunction(
      RuntimeClient client, SamTemplate.Function definition, Map<String, String> environment) {
    this.client = client;
    this.definition = definition;
    this.environment = environment;
  }

  /**
   * Starts the first execution environment, and does not wait until it is ready.
   *
   * @throws StartFault if the artifact lacks the handler
   */
  static IsolatedFunction start(
      RuntimeClient client, SamTemplate.Function definition, Map<String, String> environment) {
    // On Lambda, the same fault would be reported only at the first invocation.
    if (!Files.exists(
        definition.code().resolve(definition.handler().replace('.', '/') + ".class"))) {
      throw new StartFault(
          definition.name()
              + ": the handler "
              + definition.handler()
              + " is not in "
              + definition.code()
              + "; build the artifact");
    }
    IsolatedFunction function = new IsolatedFunction(client, definition, environment);
    function.rest(function.opened());
    return function;
  }

  @Override
  public String name() {
    return definition.name();
  }

  @Override
  public int mostConcurrent() {
    return MOST_ENVIRONMENTS;
  }

  @Override
  public void awaitReady() {
    ExecutionEnvironment first = idle();
    try {
      if (first != null) {
        first.awaitReady();
        rest(first);
      }
    } catch (FunctionFault fault) {
      throw new StartFault("cannot be built: " + fault.getMessage(), fault);
    }
  }

  @Override
  public <T> @Nullable T invoke(Object event, Class<T> answer) {
    free.acquireUninterruptibly();
    try {
      String json = invoke(written(event));
      return answer == Void.class ? null : serializer(answer).fromJson(json);
    } finally {
      free.release();
    }
  }

  private String invoke(String event) {
    ExecutionEnvironment rested = idle();
    ExecutionEnvironment runner = rested == null ? opened() : rested;
    try {
      runner.awaitReady();
      return runner.invoke(event);
    } finally {
      rest(runner);
    }
  }

  private ExecutionEnvironment opened() {
    ExecutionEnvironment opened = ExecutionEnvironment.start(client, definition, environment);
    synchronized (idle) {
      all.add(opened);
    }
    return opened;
  }

  private @Nullable ExecutionEnvironment idle() {
    synchronized (idle) {
      ExecutionEnvironment last = idle.poll();
      while (last != null && !last.isAlive()) {
        all.remove(last);
        last = idle.poll();
      }
      return last;
    }
  }

  private void rest(ExecutionEnvironment used) {
    synchronized (idle) {
      if (closed) {
        used.close();
      } else if (used.isAlive()) {
        idle.push(used);
      } else {
        all.remove(used);
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static String written(Object event) {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    serializer((Class<Object>) event.getClass()).toJson(event, json);
    return json.toString(StandardCharsets.UTF_8);
  }

  private static <T> PojoSerializer<T> serializer(Class<T> type) {
    return LambdaEventSerializers.serializerFor(type, IsolatedFunction.class.getClassLoader());
  }

  /** Kills every process. */
  @Override
  public void close() {
    synchronized (idle) {
      closed = true;
      all.forEach(ExecutionEnvironment::close);
    }
  }
}
