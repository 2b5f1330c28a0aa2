package dev.carillon.runtime;

import java.time.Duration;

/** Lets time pass until something is due. */
@FunctionalInterface
public interface Hold {

  void forThe(Duration rest);
}
