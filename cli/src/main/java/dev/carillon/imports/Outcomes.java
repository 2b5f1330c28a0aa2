package dev.carillon.imports;

import dev.carillon.exports.Entry;
import dev.carillon.imports.Outcome.Converted;
import dev.carillon.imports.Outcome.LeftOut;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Makes outcomes. */
public final class Outcomes {

  private Outcomes() {}

  /** The converted item. If the conversion fails, the item is left out, with the reason. */
  public static Outcome of(Place place, String item, Supplier<Draft> conversion) {
    try {
      return conversion.get().done();
    } catch (NotCarried refused) {
      return new LeftOut(place, item, String.valueOf(refused.getMessage()));
    }
  }

  /**
   * The same outcomes, with one change: if several converted items have the same name, all except
   * the first are left out.
   */
  public static List<Outcome> distinct(List<Outcome> outcomes) {
    Map<String, Place> places = new HashMap<>();
    List<Outcome> distinct = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      distinct.add(outcome instanceof Converted it ? first(it, places) : outcome);
    }
    return distinct;
  }

  private static Outcome first(Converted converted, Map<String, Place> places) {
    Entry entry = converted.entry();
    Place taken = places.putIfAbsent(entry.label(), converted.place());
    return taken == null
        ? converted
        : new LeftOut(
            converted.place(),
            converted.item(),
            "the name \"" + entry.name() + "\" is that of " + taken + "; rename one of them");
  }
}
