package dev.carillon.cli.command;

import dev.carillon.cli.output.CommandFault;
import dev.carillon.cli.session.Session;
import dev.carillon.client.CarillonException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Waits for a change that the API makes, and reads it again after each pause. If no answer comes,
 * it reads on for a while, because what it waits for does not depend on this command.
 */
final class Waiting {

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private final Session session;
  private final String subject;
  private final String advice;

  /**
   * @param subject what the command waits for
   * @param advice how to go on after this command has given up
   */
  Waiting(Session session, String subject, String advice) {
    this.session = session;
    this.subject = subject;
    this.advice = advice;
  }

  /**
   * Pauses, then reads until an answer comes.
   *
   * @throws CommandFault if none has come for two minutes
   */
  <T> T next(Supplier<T> read) {
    Instant since = session.world().clock().instant();
    Duration pause = PAUSE;
    while (true) {
      session.world().terminal().pause(pause);
      try {
        return read.get();
      } catch (CarillonException.Unavailable busy) {
        giveUpAfter(since, busy);
        pause = within(busy.retryAfter());
      } catch (CarillonException.Unreachable lost) {
        giveUpAfter(since, lost);
        pause = PAUSE;
      }
    }
  }

  /** The time that the API asks for, but at least the usual pause, and not much longer than it. */
  private static Duration within(Duration asked) {
    Duration least = asked.compareTo(PAUSE) < 0 ? PAUSE : asked;
    return least.compareTo(LONGEST) > 0 ? LONGEST : least;
  }

  private void giveUpAfter(Instant since, CarillonException fault) {
    if (Thread.currentThread().isInterrupted()) {
      throw fault;
    }
    Duration silence = Duration.between(since, session.world().clock().instant());
    if (silence.compareTo(LONGEST) >= 0) {
      throw new CommandFault(
          "no answer about %s for %d s: %s\n  %s"
              .formatted(subject, silence.toSeconds(), fault.getMessage(), advice),
          fault);
    }
  }
}
