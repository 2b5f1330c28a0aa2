package dev.carillon.gate;

import dev.carillon.id.GateKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Reads the current state of gates, also of unused ones. */
public interface GateStates {

  /**
   * @throws dev.carillon.id.UnreadableItems if some of the gates cannot be read
   */
  Map<GateKey, Gate> of(Set<GateKey> keys);

  /** Wraps {@code reads} so that each gate is read at most once. */
  static GateStates once(GateStates reads) {
    Map<GateKey, Gate> known = new HashMap<>();
    return keys -> {
      Set<GateKey> missing = new HashSet<>(keys);
      missing.removeAll(known.keySet());
      if (!missing.isEmpty()) {
        known.putAll(reads.of(missing));
      }
      return known;
    };
  }
}
