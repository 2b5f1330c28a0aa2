package dev.carillon.campaign.engine;

/**
 * Thrown in a task whose process was killed. It is an {@link Error} so that no function mistakes it
 * for a failed call.
 */
final class Killed extends Error {
  private static final long serialVersionUID = 1L;

  Killed() {
    super("killed", null, false, false);
  }
}
