package dev.carillon.master;

/** The dead letters of the check queue. They are the only copies of the fires that they name. */
public interface DeadLetters {

  /**
   * Moves the dead letters back to the check queue.
   *
   * @return whether there were any
   */
  boolean moveBack();
}
