package dev.carillon.campaign.engine;

/**
 * The sending end of a queue.
 *
 * @param <M> the type of a message body
 */
public interface Inbox<M> {

  /**
   * Accepts a message and returns its id.
   *
   * @param delay the milliseconds until it can be received
   */
  String accept(M body, long delay);
}
