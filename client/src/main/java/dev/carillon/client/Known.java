package dev.carillon.client;

/**
 * The values for which this library has an enum. A newer server can answer with other values, so
 * answers keep the names, and each of these enums has a constant {@code UNRECOGNIZED}.
 */
final class Known {

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
}
