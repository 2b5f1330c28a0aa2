package dev.carillon.schedule;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What becomes of a schedule's jobs while it is suspended. */
public enum SuspendMode {
  /** Existing jobs are cancelled, new ones are not made. */
  DISCARD,
  /** Existing jobs go on, new ones are not made. */
  DRAIN,
  /** Existing and new jobs are kept, and launch when it is resumed. */
  BACKLOG,
  /** Existing jobs are kept, and launch when it is resumed; new ones are not made. */
  HOLD;

  /** As users write them. */
  public static final List<String> TEXTS = Arrays.stream(values()).map(SuspendMode::text).toList();

  public static SuspendMode of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether jobs that exist outlive the suspension. */
  public boolean keepsJobs() {
    return this != DISCARD;
  }

  /** Whether jobs have to wait for its end. */
  public boolean holdsJobs() {
    return this == BACKLOG || this == HOLD;
  }

  /** Whether fires and events make jobs. */
  public boolean makesJobs() {
    return this == BACKLOG;
  }
}
