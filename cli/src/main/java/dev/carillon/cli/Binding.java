package dev.carillon.cli;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;

/** The place that receives the value of an option or a parameter. */
abstract class Binding implements IGetter, ISetter {

  private final Class<?> type;

  private Binding(Class<?> type) {
    this.type = type;
  }

  /** A field of options. */
  static Binding of(Object owner, String field) throws ReflectiveOperationException {
    Field found = owner.getClass().getDeclaredField(field);
    found.setAccessible(true);
    return new Binding(found.getType()) {
      @Override
      @Nullable Object value() throws IllegalAccessException {
        return found.get(owner);
      }

      @Override
      void take(@Nullable Object value) throws IllegalAccessException {
        found.set(owner, value);
      }
    };
  }

  /** An argument of a method. */
  static Binding of(@Nullable Object[] arguments, int at, Class<?> type) {
    return new Binding(type) {
      @Override
      @Nullable Object value() {
        return arguments[at];
      }

      @Override
      void take(@Nullable Object value) {
        arguments[at] = value;
      }
    };
  }

  abstract @Nullable Object value() throws IllegalAccessException;

  abstract void take(@Nullable Object value) throws IllegalAccessException;

  Class<?> type() {
    return type;
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as the library declares it
  public <T> @Nullable T get() throws IllegalAccessException {
    return (T) value();
  }

  @Override
  public <T> @Nullable T set(T value) throws IllegalAccessException {
    T before = get();
    take(value);
    return before;
  }

  /** The object of options in this place. Creates this object if there is none. */
  Object options() throws ReflectiveOperationException {
    Object held = value();
    if (held == null) {
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      held = constructor.newInstance();
      take(held);
    }
    return held;
  }
}
