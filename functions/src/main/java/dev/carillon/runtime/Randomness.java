package dev.carillon.runtime;

import java.security.SecureRandom;
import java.util.UUID;

/**
 * The only source of unique values. Many processes can start from copies of one snapshot, so each
 * copy renews its source of randomness.
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

  /** A number from 0 up to, but not including, the bound. */
  public static long below(long bound) {
    return source.nextLong(bound);
  }

  /** Replaces the source, so that new values do not follow from those before the snapshot. */
  public static void renew() {
    drawFrom(new SecureRandom());
  }

  /** Makes this class draw from the given source from now on; tests give a source with a seed. */
  public static void drawFrom(SecureRandom fresh) {
    source = fresh;
  }
}
