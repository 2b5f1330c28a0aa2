package dev.carillon.cli;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A verb of a noun. Its arguments are set while the words are read. It is not a record: the command
 * line calls {@code hashCode}, and the JVM would have to link this method of a record at its first
 * use.
 */
final class Verb implements Callable<@Nullable Object> {

  private final Object noun;
  private final Method method;
  private final @Nullable Object[] arguments;

  private Verb(Object noun, Method method, @Nullable Object[] arguments) {
    this.noun = noun;
    this.method = method;
    this.arguments = arguments;
  }

  /** The only method of this name; a test ensures that each noun has exactly one. */
  static Verb of(Object noun, String name) {
    for (Method method : noun.getClass().getDeclaredMethods()) {
      if (method.getName().equals(name)) {
        method.setAccessible(true);
        return new Verb(noun, method, arguments(method.getParameterTypes()));
      }
    }
    throw new IllegalArgumentException(noun.getClass() + " has no method " + name);
  }

  private static @Nullable Object[] arguments(Class<?>[] types) {
    @Nullable Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      // The initial value: null, or the zero of a primitive type.
      arguments[i] = Array.get(Array.newInstance(types[i], 1), 0);
    }
    return arguments;
  }

  String name() {
    return method.getName();
  }

  Binding argument(int at) {
    return Binding.of(arguments, at, method.getParameterTypes()[at]);
  }

  @Override
  public @Nullable Object call() throws Exception {
    try {
      return method.invoke(noun, arguments);
    } catch (InvocationTargetException fault) {
      if (fault.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw fault;
    }
  }
}
