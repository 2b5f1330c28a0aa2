package dev.carillon.cli.apply;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.apply.Change.Action;
import dev.carillon.cli.apply.Change.Field;
import dev.carillon.cli.apply.SourceDocuments.Found;
import dev.carillon.client.Calendar;
import dev.carillon.client.Calendars;
import dev.carillon.client.CarillonClient;
import dev.carillon.client.CarillonException;
import dev.carillon.client.Namespace;
import dev.carillon.client.Pool;
import dev.carillon.client.Pools;
import dev.carillon.client.Problem;
import dev.carillon.client.ScheduleFilter;
import dev.carillon.client.StoredSchedule;
import dev.carillon.client.schedule.Schedule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares documents with the stored ones. The server checks each document, and stores nothing. */
public final class Planner {

  private static final int SERVER_FAULT = 500;

  /** The pointer to the name of a calendar in a trigger. */
  private static final Pattern EXCLUDED = Pattern.compile("/trigger(/triggers/\\d+)*/exclude/\\d+");

  private final CarillonClient client;

  public Planner(CarillonClient client) {
    this.client = client;
  }

  /**
   * The plan for all documents.
   *
   * @throws FaultyFiles if the files have faults; the exception has all of them
   */
  public Plan plan(Found found) {
    List<LocatedFault> faults = new ArrayList<>(found.faults());
    List<Change> changes = new ArrayList<>();
    List<LocatedFault> unplanned = new ArrayList<>();
    Set<String> calendars = calendars(found);
    for (SourceDocument document : found.documents()) {
      try {
        changes.add(change(document, calendars));
      } catch (CarillonException.Invalid invalid) {
        faults.addAll(faults(document, invalid));
      } catch (CarillonException.Unavailable broken) {
        unplanned.add(unreadable(document, broken));
      }
    }
    if (!faults.isEmpty()) {
      throw new FaultyFiles(faults);
    }
    changes.sort(Comparator.comparing(Change::kind));
    return new Plan(changes, unplanned);
  }

  /**
   * The plan that also deletes those schedules of an app that no document describes.
   *
   * @param namespace a namespace in which to search for schedules of the app, in addition to those
   *     of the documents
   */
  public Plan pruned(Found found, String app, String namespace) {
    Plan plan = plan(found);
    List<Change> changes = new ArrayList<>(plan.changes());
    Set<String> named =
        found.documents().stream().map(SourceDocument::id).collect(Collectors.toSet());
    Set<String> namespaces = new TreeSet<>(Set.of(namespace));
    found.documents().forEach(document -> namespaces.add(document.namespace()));
    for (String each : namespaces) {
      client
          .namespace(each)
          .schedules(ScheduleFilter.all().withApp(app))
          .filter(stored -> !named.contains(each + "/" + stored.name()))
          .forEach(stored -> changes.add(deletion(stored)));
    }
    return new Plan(changes, plan.unplanned());
  }

  /** The calendars that the files define. */
  private static Set<String> calendars(Found found) {
    return found.documents().stream()
        .filter(document -> document.kind() == Kind.CALENDAR)
        .map(document -> document.namespace() + "/" + document.name())
        .collect(Collectors.toSet());
  }

  /** Whether a schedule is refused only because calendars of the files are not stored yet. */
  private static boolean lacksOnly(
      Set<String> calendars, SourceDocument document, CarillonException.Invalid invalid) {
    return !invalid.problem().errors().isEmpty()
        && invalid.problem().errors().stream()
            .allMatch(
                fault ->
                    EXCLUDED.matcher(fault.pointer()).matches()
                        && fault.detail().startsWith("there is no calendar")
                        && calendars.contains(
                            document.namespace()
                                + "/"
                                + document.document().at(fault.pointer()).asText()));
  }

  /**
   * The change of a document.
   *
   * @param calendars the calendars that the files define
   */
  private Change change(SourceDocument document, Set<String> calendars) {
    try {
      return change(document);
    } catch (CarillonException.Invalid invalid) {
      if (!lacksOnly(calendars, document, invalid)) {
        throw invalid;
      }
      return withNewCalendars(document, invalid.problem().errors());
    }
  }

  /**
   * The change of a schedule that excludes calendars that are not stored yet. The server refuses to
   * compare it. So it compares a copy without these calendars, and each of them is one more value
   * that differs.
   *
   * @param missing the faults that point to the names of these calendars
   */
  private Change withNewCalendars(SourceDocument document, List<Problem.Fault> missing) {
    ObjectNode known = document.document().deepCopy();
    List<Field> added = new ArrayList<>();
    missing.stream()
        .map(fault -> JsonPointer.compile(fault.pointer()))
        .sorted(Comparator.comparingInt(pointer -> -pointer.last().getMatchingIndex()))
        .forEach(
            pointer -> added.add(0, new Field(pointer.toString(), null, removed(pointer, known))));
    Namespace namespace = client.namespace(document.namespace());
    StoredSchedule stored = stored(() -> namespace.schedule(document.name()));
    StoredSchedule wanted = namespace.compare(Schedule.of(document.name(), known));
    if (stored == null) {
      return creation(document);
    }
    List<Field> fields = new ArrayList<>(Fields.between(stored, wanted));
    fields.addAll(added);
    return change(document, fields, stored.etag());
  }

  /**
   * Removes the name of a calendar from a document, and returns it. A list of names that becomes
   * empty is removed too, because a schedule without excluded calendars has none.
   */
  private static JsonNode removed(JsonPointer pointer, ObjectNode document) {
    ArrayNode names = (ArrayNode) document.at(pointer.head());
    JsonNode name = names.remove(pointer.last().getMatchingIndex());
    if (names.isEmpty()) {
      ((ObjectNode) document.at(pointer.head().head())).remove("exclude");
    }
    return name;
  }

  /**
   * The fault for one stored document that cannot be read. If the service itself fails, throws its
   * error instead.
   */
  private static LocatedFault unreadable(
      SourceDocument document, CarillonException.Unavailable broken) {
    if (broken.status() != SERVER_FAULT) {
      throw broken;
    }
    return document.fault(
        "",
        "the stored %s %s/%s cannot be read, and stays as it is: %s"
            .formatted(
                document.kind().word(),
                document.namespace(),
                document.name(),
                broken.problem().detail()));
  }

  private Change change(SourceDocument document) {
    Namespace namespace = client.namespace(document.namespace());
    return switch (document.kind()) {
      case CALENDAR -> change(document, namespace.calendars());
      case POOL -> change(document, namespace.pools());
      case SCHEDULE -> change(document, namespace);
    };
  }

  private static Change change(SourceDocument document, Calendars calendars) {
    Calendar stored = stored(() -> calendars.calendar(document.name()));
    Calendar wanted = calendars.compare(document.name(), document.document());
    return stored == null
        ? creation(document)
        : change(document, Fields.between(stored.document(), wanted.document()), stored.etag());
  }

  private static Change change(SourceDocument document, Namespace namespace) {
    StoredSchedule stored = stored(() -> namespace.schedule(document.name()));
    StoredSchedule wanted = namespace.compare(document.schedule());
    return stored == null
        ? creation(document)
        : change(document, Fields.between(stored, wanted), stored.etag());
  }

  private static Change change(SourceDocument document, Pools pools) {
    Pool stored = stored(() -> pools.pool(document.name()));
    Pool wanted = pools.compare(document.name(), document.document());
    return stored == null
        ? creation(document)
        : change(document, Fields.between(stored.document(), wanted.document()), stored.etag());
  }

  private static Change creation(SourceDocument document) {
    return new Change(
        Action.create,
        document.kind(),
        document.namespace(),
        document.name(),
        List.of(),
        document,
        null);
  }

  private static Change change(SourceDocument document, List<Field> fields, String etag) {
    return new Change(
        fields.isEmpty() ? Action.unchanged : Action.replace,
        document.kind(),
        document.namespace(),
        document.name(),
        fields,
        document,
        etag);
  }

  private static Change deletion(StoredSchedule stored) {
    return new Change(
        Action.delete,
        Kind.SCHEDULE,
        stored.namespace(),
        stored.name(),
        List.of(),
        null,
        stored.etag());
  }

  private static <T> @Nullable T stored(Supplier<T> read) {
    try {
      return read.get();
    } catch (CarillonException.NotFound none) {
      return null;
    }
  }

  private static List<LocatedFault> faults(
      SourceDocument document, CarillonException.Invalid invalid) {
    return invalid.problem().errors().isEmpty()
        ? List.of(document.fault("", invalid.problem().detail()))
        : invalid.problem().errors().stream()
            .map(fault -> document.fault(fault.pointer(), fault.detail()))
            .toList();
  }
}
