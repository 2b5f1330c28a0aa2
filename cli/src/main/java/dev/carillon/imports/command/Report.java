package dev.carillon.imports.command;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.output.Counted;
import dev.carillon.cli.output.Table;
import dev.carillon.cli.session.Session;
import dev.carillon.client.schedule.Json;
import dev.carillon.exports.Entry;
import dev.carillon.imports.Outcome;
import dev.carillon.imports.Outcome.Converted;
import dev.carillon.imports.Outcome.LeftOut;
import dev.carillon.imports.store.Storage;
import dev.carillon.imports.store.Storage.NotStored;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reports the result for each item: prints documents on the standard output, and everything else on
 * the error output.
 */
final class Report {

  private static final int LONGEST_ITEM = 60;

  /** The kinds of entries that {@code carillon apply} reads. */
  private static final Set<Entry.Kind> DOCUMENTS =
      Set.of(Entry.Kind.CALENDAR, Entry.Kind.POOL, Entry.Kind.SCHEDULE);

  private final Session session;
  private final List<Converted> converted = new ArrayList<>();
  private int leftOut;
  private int refused;

  Report(Session session, List<Outcome> outcomes) {
    this.session = session;
    for (Outcome outcome : outcomes) {
      if (outcome instanceof Converted it) {
        converted.add(it);
      } else if (outcome instanceof LeftOut it) {
        leftOut++;
        session.note("%s: left out: %s: %s".formatted(it.place(), shown(it.item()), it.reason()));
      }
    }
  }

  private static String shown(String item) {
    String line = item.replaceAll("\\s+", " ");
    return line.length() <= LONGEST_ITEM ? line : line.substring(0, LONGEST_ITEM) + "…";
  }

  boolean hasLeftOut() {
    return leftOut + refused > 0;
  }

  /** Everything to store. */
  List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    converted.forEach(
        it -> {
          entries.addAll(it.calendars());
          entries.add(it.entry());
        });
    return entries;
  }

  /**
   * Prints the notes. If several items of a file have the same note, it is printed once, with their
   * number.
   */
  void sayNotes() {
    Map<List<String>, Long> counts =
        converted.stream()
            .flatMap(it -> it.notes().stream().map(note -> List.of(it.place().file(), note)))
            .collect(Collectors.groupingBy(it -> it, Collectors.counting()));
    Set<List<String>> said = new HashSet<>();
    for (Converted it : converted) {
      for (String note : it.notes()) {
        List<String> key = List.of(it.place().file(), note);
        long count = counts.getOrDefault(key, 1L);
        if (count == 1) {
          session.note(it.place() + ": " + it.entry().label() + ": " + note);
        } else if (said.add(key)) {
          session.note(it.place().file() + ": " + count + " items: " + note);
        }
      }
    }
  }

  void sayNotStored(List<NotStored> notStored) {
    refused = notStored.size();
    notStored.forEach(it -> session.note("not stored: " + it.entry().label() + ": " + it.reason()));
  }

  /** Prints the schedules, and the calendars and pools that they need. */
  void print() {
    List<Document> documents =
        Storage.ordered(entries()).stream()
            .filter(entry -> DOCUMENTS.contains(entry.kind()))
            .map(Document::new)
            .toList();
    session.printer().list(documents, Document.TABLE);
    int others = entries().size() - documents.size();
    if (others > 0) {
      session.note(
          "only --apply stores " + Counted.of(others, "resource or app", "resources and apps"));
    }
    long suspensions = documents.stream().filter(it -> it.entry().suspended() != null).count();
    if (suspensions > 0) {
      session.note(
          "only --apply stores "
              + Counted.of(suspensions, "suspension")
              + " (mode, reason and end)");
    }
  }

  void summarize(boolean isStored) {
    String done =
        isStored ? entries().size() - refused + " stored" : converted.size() + " converted";
    String rest = refused == 0 ? "" : ", " + refused + " not stored";
    session.note(done + rest + (leftOut == 0 ? "" : ", " + leftOut + " left out"));
  }

  /** A document that names itself, as {@code carillon apply} reads it. */
  private record Document(Entry entry) {

    static final Table<Document> TABLE =
        Table.<Document>of("NAME", it -> it.entry.namespace() + "/" + it.entry.name())
            .column("KIND", it -> it.entry.kind().word())
            .state("STATE", it -> it.entry.document().path("state").asText())
            .column("TRIGGER", it -> trigger(it.entry.document()))
            .column("QUEUE", it -> it.entry.document().at("/target/queue").asText());

    private static String trigger(ObjectNode document) {
      var trigger = document.path("trigger");
      for (String detail : List.of("expression", "every", "time")) {
        if (trigger.has(detail)) {
          return trigger.path("type").asText() + " " + trigger.path(detail).asText();
        }
      }
      return trigger.path("type").asText();
    }

    @JsonValue
    ObjectNode json() {
      ObjectNode json = Json.object();
      json.put("namespace", entry.namespace()).put("name", entry.name());
      if (entry.kind() == Entry.Kind.SCHEDULE) {
        json.setAll(entry.document());
      } else {
        json.set(entry.kind().word(), entry.document());
      }
      return json;
    }
  }
}
