package dev.carillon.campaign.engine;

/** The process is gone. An error, so that nothing in a function takes it for a failed call. */
final class Killed extends Error {
  private static final long serialVersionUID = 1L;

  Killed() {
    super("killed", null, false, false);
  }
}
