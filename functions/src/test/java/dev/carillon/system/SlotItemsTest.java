package dev.carillon.system;

import dev.carillon.gate.Slots;

/** What {@link GateTest} says of slots in the item of their gate, of slots with their own items. */
class SlotItemsTest extends GateTest {

  @Override
  Slots room() {
    return Slots.none(0);
  }
}
