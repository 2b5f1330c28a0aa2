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

  /** The member with the name of a pool, and the pointer to it. */
  private static final String POOL = "pool";

  private static final String POOL_POINTER = "/" + POOL;

  /** Stands for the name of a pool that fits; the server accepts it even if there is no pool. */
  private static final String MATCHING_POOL = "match";

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
    Set<String> defined = ids(found);
    for (SourceDocument document : found.documents()) {
      try {
        changes.add(change(document, defined));
      } catch (FaultyFiles faulty) {
        faults.addAll(faulty.faults());
      } catch (CarillonException.Invalid invalid) {
        faults.addAll(faults(document, invalid.problem()));
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
   * @param namespaces the namespaces in which to search for schedules of the app, in addition to
   *     those of the documents
   */
  public Plan pruned(Found found, String app, Set<String> namespaces) {
    Plan plan = plan(found);
    List<Change> changes = new ArrayList<>(plan.changes());
    Set<String> named = ids(found);
    Set<String> searched = new TreeSet<>(namespaces);
    found.documents().forEach(document -> searched.add(document.namespace()));
    for (String each : searched) {
      client
          .namespace(each)
          .schedules(ScheduleFilter.all().withApp(app))
          .filter(stored -> !named.contains(each + "/" + stored.name()))
          .forEach(stored -> changes.add(deletion(stored)));
    }
    return new Plan(changes, plan.unplanned());
  }

  private static Set<String> ids(Found found) {
    return found.documents().stream().map(SourceDocument::id).collect(Collectors.toSet());
  }

  /** Whether a fault only says that a calendar or pool of the files is not stored yet. */
  private static boolean isNew(Set<String> defined, SourceDocument document, Problem.Fault fault) {
    boolean isPool = fault.pointer().equals(POOL_POINTER);
    Kind kind = isPool ? Kind.POOL : Kind.CALENDAR;
    String name = document.document().at(fault.pointer()).asText();
    return (isPool || EXCLUDED.matcher(fault.pointer()).matches())
        && fault.detail().startsWith("there is no " + kind.word())
        && defined.contains(kind.id(document.namespace(), name));
  }

  /**
   * The change of a document.
   *
   * @param defined the ids of all documents of the files
   * @throws FaultyFiles if the document has faults that no other document of the files repairs
   */
  private Change change(SourceDocument document, Set<String> defined) {
    try {
      return change(document);
    } catch (CarillonException.Invalid invalid) {
      List<Problem.Fault> all = invalid.problem().errors();
      if (all.isEmpty()) {
        throw invalid;
      }
      List<Problem.Fault> lasting =
          all.stream().filter(fault -> !isNew(defined, document, fault)).toList();
      if (hasDeletedItself(document, lasting)) {
        return selfDeleted(document);
      }
      if (!lasting.isEmpty()) {
        throw new FaultyFiles(located(document, lasting));
      }
      return withNewNames(document, all);
    }
  }

  /**
   * Whether a schedule was to delete itself after its only fire, and has done so: it is not stored,
   * and its past time is its only fault.
   */
  private boolean hasDeletedItself(SourceDocument document, List<Problem.Fault> faults) {
    return faults.size() == 1
        && faults.get(0).pointer().equals("/trigger/time")
        && faults.get(0).detail().contains("it is in the past")
        && document.document().path("afterCompletion").asText().equals("delete")
        && stored(() -> client.namespace(document.namespace()).schedule(document.name())) == null;
  }

  /**
   * The change of a schedule that names calendars or a pool that are not stored yet. The server
   * refuses to compare it. So it compares a copy without these calendars and with another pool.
   * Each of the calendars is one more value that differs.
   *
   * @param missing the faults that point to the names of these calendars and of this pool
   */
  private Change withNewNames(SourceDocument document, List<Problem.Fault> missing) {
    ObjectNode known = document.document().deepCopy();
    List<Field> added = new ArrayList<>();
    missing.stream()
        .filter(fault -> !fault.pointer().equals(POOL_POINTER))
        .map(fault -> JsonPointer.compile(fault.pointer()))
        .sorted(Comparator.comparingInt(pointer -> -pointer.last().getMatchingIndex()))
        .forEach(
            pointer -> added.add(0, new Field(pointer.toString(), null, removed(pointer, known))));
    boolean hasNewPool = added.size() < missing.size();
    if (hasNewPool) {
      // Without a pool, the server would require a queue.
      known.put(POOL, MATCHING_POOL);
    }
    Namespace namespace = client.namespace(document.namespace());
    StoredSchedule stored = stored(() -> namespace.schedule(document.name()));
    StoredSchedule wanted = namespace.compare(Schedule.of(document.name(), known));
    if (stored == null) {
      return creation(document);
    }
    if (hasNewPool) {
      ((ObjectNode) wanted.document()).set(POOL, document.document().get(POOL));
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
    return notStored(Action.create, document, null);
  }

  private static Change selfDeleted(SourceDocument document) {
    return notStored(
        Action.unchanged,
        document,
        "its time is past, and it deletes itself after its fire, so it is not created");
  }

  private static Change notStored(Action action, SourceDocument document, @Nullable String note) {
    return new Change(
        action,
        document.kind(),
        document.namespace(),
        document.name(),
        List.of(),
        document,
        null,
        note);
  }

  private static Change change(SourceDocument document, List<Field> fields, String etag) {
    return new Change(
        fields.isEmpty() ? Action.unchanged : Action.replace,
        document.kind(),
        document.namespace(),
        document.name(),
        fields,
        document,
        etag,
        null);
  }

  private static Change deletion(StoredSchedule stored) {
    return new Change(
        Action.delete,
        Kind.SCHEDULE,
        stored.namespace(),
        stored.name(),
        List.of(),
        null,
        stored.etag(),
        null);
  }

  private static <T> @Nullable T stored(Supplier<T> read) {
    try {
      return read.get();
    } catch (CarillonException.NotFound none) {
      return null;
    }
  }

  private static List<LocatedFault> faults(SourceDocument document, Problem problem) {
    return problem.errors().isEmpty()
        ? List.of(document.fault("", problem.detail()))
        : located(document, problem.errors());
  }

  private static List<LocatedFault> located(SourceDocument document, List<Problem.Fault> faults) {
    return faults.stream().map(fault -> document.fault(fault.pointer(), fault.detail())).toList();
  }
}
