package dev.carillon.imports.store;

import dev.carillon.client.CarillonClient;
import dev.carillon.exports.Entry;
import dev.carillon.exports.Exporter;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** Determines which entries a deployment has already. */
public final class Present {

  private Present() {}

  /** How many of the entries would replace a stored object. */
  public static long count(CarillonClient client, Collection<Entry> entries) {
    Set<String> present = new HashSet<>();
    Exporter exporter = new Exporter(client, entry -> present.add(entry.label()));
    entries.stream().map(Entry::namespace).distinct().forEach(exporter::export);
    return entries.stream().map(Entry::label).filter(present::contains).count();
  }
}
