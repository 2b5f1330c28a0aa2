package dev.carillon.imports;

/**
 * Thrown for a source that cannot be converted at all; the message begins with its file and line.
 */
public final class UnreadableSource extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public UnreadableSource(String message) {
    super(message);
  }

  public UnreadableSource(Place place, String why) {
    super(place + ": " + why);
  }
}
