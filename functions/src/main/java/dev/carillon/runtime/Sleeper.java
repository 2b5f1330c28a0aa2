package dev.carillon.runtime;

import java.time.Duration;

/** Waits until a check is due. */
@FunctionalInterface
public interface Sleeper {

  void sleep(Duration rest);
}
