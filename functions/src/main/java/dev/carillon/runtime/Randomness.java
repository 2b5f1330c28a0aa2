package dev.carillon.runtime;

import java.security.SecureRandom;
import java.util.UUID;

/**
 * The one source of what must be unique. Many processes can begin as copies of one snapshot, so it
 * belongs to the process and is renewed in each copy.
 */
public final class Randomness {

  private static volatile SecureRandom source = new SecureRandom();

  private Randomness() {}

  /** A random UUID of version 4. */
  public static UUID uuid() {
    SecureRandom random = source;
    long high = (random.nextLong() & 0xffff_ffff_ffff_0fffL) | 0x4000L;
    long low = (random.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }

  /** From 0, less than the bound. */
  public static long below(long bound) {
    return source.nextLong(bound);
  }

  /** From now on nothing follows from what was drawn before. */
  public static void renew() {
    drawFrom(new SecureRandom());
  }

  /** From now on it draws from this one; tests give one with a seed. */
  public static void drawFrom(SecureRandom fresh) {
    source = fresh;
  }
}
