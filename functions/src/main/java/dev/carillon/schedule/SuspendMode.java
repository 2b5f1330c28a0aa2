package dev.carillon.schedule;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The effect of a suspension on a schedule's jobs. */
public enum SuspendMode {
  /** Existing jobs are cancelled. Fires and events make no jobs. */
  DISCARD,
  /** Existing jobs proceed. Fires and events make no jobs. */
  DRAIN,
  /** Existing and new jobs wait, and launch when the schedule is resumed. */
  BACKLOG,
  /** Existing jobs wait, and launch when the schedule is resumed. Fires and events make no jobs. */
  HOLD;

  /** The modes as users write them. */
  public static final List<String> TEXTS = Arrays.stream(values()).map(SuspendMode::text).toList();

  public static SuspendMode of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether existing jobs outlive the suspension. */
  public boolean keepsJobs() {
    return this != DISCARD;
  }

  /** Whether jobs wait until the suspension ends. */
  public boolean holdsJobs() {
    return this == BACKLOG || this == HOLD;
  }

  /** Whether fires and events make jobs. */
  public boolean makesJobs() {
    return this == BACKLOG;
  }
}
