package dev.carillon.master;

/** The dead letters of the check queue: the only copies of the plain jobs that they name. */
public interface DeadLetters {

  /**
   * Moves them back into the check queue.
   *
   * @return whether there were any
   */
  boolean moveBack();
}
