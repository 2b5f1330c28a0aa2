package dev.carillon.check;

/** Takes the messages of the check queue, or parts of them, that this version does not know. */
public interface UnknownChecks {

  /**
   * Sends a message to the check queue as it is, for a newer version of the checker.
   *
   * @throws RuntimeException unless the message was accepted
   */
  void passOn(String body);

  /**
   * Sends a message that no version can process to a queue that raises an alarm. There the operator
   * can read the message.
   *
   * @throws RuntimeException unless the message was accepted
   */
  void reject(String body, String reason);
}
