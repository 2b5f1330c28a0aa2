package dev.carillon.cli.session;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The screen and the keyboard. */
public interface Terminal {

  /** Whether a person sees the output and can answer. */
  boolean isInteractive();

  /** Whether it shows colours. */
  boolean hasColours();

  /** The columns of the screen; 0 if they are unknown or the output is a file. */
  int width();

  /** The columns of the screen that shows the error output; 0 if no screen does. */
  int widthOfErrors();

  /** The answer to a question; null at the end of the input. */
  @Nullable String ask(String question);

  /** Waits before a value is read again. */
  void pause(Duration length);
}
