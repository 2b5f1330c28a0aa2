package dev.carillon.system;

import dev.carillon.gate.Slots;

/** What {@link TrackedRunTest} says, with an item for each slot. */
class TrackedSlotItemsTest extends TrackedRunTest {

  @Override
  Slots room() {
    return Slots.none(0);
  }
}
