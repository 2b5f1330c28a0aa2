package dev.carillon.client;

import java.util.List;

/**
 * The values for which this library has an enum. A newer server can answer with other values, so
 * answers keep the names, and each of these enums has a constant {@code UNRECOGNIZED}.
 */
final class Known {

  private static final int INVALID = 400;

  private Known() {}

  /** The constant of this name; {@code unrecognized} if the enum has none. */
  static <E extends Enum<E>> E of(String name, E unrecognized) {
    for (E each : unrecognized.getDeclaringClass().getEnumConstants()) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    return unrecognized;
  }

  /**
   * The value, to be sent in a request.
   *
   * @param pointer the place of the value in the request
   * @throws CarillonException.Invalid if the value is {@code unrecognized}
   */
  static <E extends Enum<E>> E sent(E value, E unrecognized, String pointer) {
    if (value == unrecognized) {
      String fault =
          value + " stands for a value that only a newer server knows; give another value";
      throw new CarillonException.Invalid(
          "",
          new Problem(
              "a value is not valid",
              INVALID,
              fault,
              List.of(new Problem.Fault(pointer, fault)),
              "about:blank"));
    }
    return value;
  }
}
