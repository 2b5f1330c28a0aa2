package dev.carillon.campaign.judge;

import org.jspecify.annotations.Nullable;

/**
 * The content of an event that announces no partitions.
 *
 * @param key the event key by which schedules are found, such as {@code size:clicks}
 * @param amount the bytes of a SIZE event; 1 for other events
 * @param color a field of the payload; null if it has none
 * @param number a field of the payload; null if it has none
 */
public record Fact(String key, long amount, @Nullable String color, @Nullable Integer number) {

  /** A fact without fields in its payload. */
  public Fact(String key, long amount) {
    this(key, amount, null, null);
  }
}
