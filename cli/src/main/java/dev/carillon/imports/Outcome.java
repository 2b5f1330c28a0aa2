package dev.carillon.imports;

import dev.carillon.exports.Entry;
import java.util.List;

/** The outcome of one item of a source. */
public sealed interface Outcome {

  Place place();

  /** The item's name in the source. */
  String item();

  /**
   * An item that was converted to entries.
   *
   * @param entry the entry of the item itself
   * @param calendars the calendars that the entry excludes
   * @param notes the differences from the source
   */
  record Converted(Place place, String item, Entry entry, List<Entry> calendars, List<String> notes)
      implements Outcome {

    public Converted {
      calendars = List.copyOf(calendars);
      notes = List.copyOf(notes);
    }
  }

  /**
   * An item that is left out.
   *
   * @param reason why the item is left out, and what can be done
   */
  record LeftOut(Place place, String item, String reason) implements Outcome {}
}
