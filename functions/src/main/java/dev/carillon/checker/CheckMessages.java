package dev.carillon.checker;

import dev.carillon.check.Check;
import dev.carillon.check.CheckJson;
import dev.carillon.check.CheckJson.Parsed;
import dev.carillon.check.UnknownChecks;
import dev.carillon.checker.Checker.Received;
import dev.carillon.runtime.Deadline;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the messages of the check queue, each independently of the others. During a deployment, a
 * function can receive messages of a newer version: subjects that the function does not know stay
 * in the queue.
 */
public final class CheckMessages {

  /**
   * A message that is not a check is rejected when it is received this often. Receives are a minute
   * apart, so a deployment has an hour to replace all functions.
   */
  static final int FOREIGN_RECEIVES = 60;

  private static final Logger LOG = LoggerFactory.getLogger(CheckMessages.class);

  private final Checker checker;
  private final UnknownChecks unknown;

  public CheckMessages(Checker checker, UnknownChecks unknown) {
    this.checker = checker;
    this.unknown = unknown;
  }

  /**
   * One message as it was received.
   *
   * @param receives how often it was received, this time included
   */
  public record Message(String messageId, String body, int receives) {}

  /** Processes the messages and returns the ids of those that must be received again. */
  public Set<String> handle(List<Message> messages, Deadline deadline) {
    Set<String> failed = new HashSet<>();
    List<Received> known = new ArrayList<>();
    Map<String, String> rests = new LinkedHashMap<>();
    for (Message message : messages) {
      read(message, known, rests, failed);
    }
    failed.addAll(checker.handle(known, deadline));
    // This runs last: if the known subjects of a message fail, its unknown subjects stay in the
    // same message.
    rests.forEach(
        (messageId, rest) -> {
          if (!failed.contains(messageId)) {
            attempt(messageId, () -> unknown.passOn(rest), failed);
          }
        });
    return failed;
  }

  private void read(
      Message message, List<Received> known, Map<String, String> rests, Set<String> failed) {
    String id = message.messageId();
    Parsed parsed;
    try {
      parsed = CheckJson.read(message.body());
    } catch (IllegalArgumentException foreign) {
      keep(message, foreign, failed);
      return;
    }
    Check check = parsed.known();
    if (parsed.unknown() != null) {
      LOG.warn(
          "message {} of the check queue has subjects of a newer version; they stay there", id);
    }
    if (check.subjects().isEmpty()) {
      failed.add(id);
      return;
    }
    known.add(new Received(id, check, message.receives()));
    if (parsed.unknown() != null) {
      rests.put(id, parsed.unknown());
    }
  }

  /** Leaves a message in the queue for a newer version, but not for ever. */
  private void keep(Message message, IllegalArgumentException foreign, Set<String> failed) {
    String id = message.messageId();
    LOG.error(
        "message {} of the check queue is not a check; after {} receives it is moved to the rejected"
            + " queue",
        id,
        FOREIGN_RECEIVES,
        foreign);
    if (message.receives() < FOREIGN_RECEIVES) {
      failed.add(id);
    } else {
      String reason = "not a check: " + foreign.getMessage();
      attempt(id, () -> unknown.reject(message.body(), reason), failed);
    }
  }

  private static void attempt(String messageId, Runnable step, Set<String> failed) {
    try {
      step.run();
    } catch (RuntimeException unavailable) {
      LOG.warn("could not send; message {} will be received again", messageId, unavailable);
      failed.add(messageId);
    }
  }
}
