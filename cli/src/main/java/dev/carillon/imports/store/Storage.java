package dev.carillon.imports.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.session.Busy;
import dev.carillon.client.App;
import dev.carillon.client.CarillonClient;
import dev.carillon.client.CarillonException;
import dev.carillon.client.Namespace;
import dev.carillon.client.Problem;
import dev.carillon.client.ScheduleFilter;
import dev.carillon.client.StoredSchedule;
import dev.carillon.client.SuspendMode;
import dev.carillon.client.schedule.Json;
import dev.carillon.client.schedule.Schedule;
import dev.carillon.exports.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Stores entries through the API. Each write can be repeated, so the remedy for an interrupted
 * import is to repeat it as a whole.
 */
public final class Storage {

  private final CarillonClient client;
  private final Instant now;
  private final Consumer<Duration> pause;

  /**
   * @param now the present instant; a gauge that has expired by then is not stored
   * @param pause waits before a request that was throttled is sent again
   */
  public Storage(CarillonClient client, Instant now, Consumer<Duration> pause) {
    this.client = client;
    this.now = now;
    this.pause = pause;
  }

  /** An entry that was not stored, with the reason. */
  public record NotStored(Entry entry, String reason) {}

  /** Orders entries so that each entry comes after the entries that it needs. */
  public static List<Entry> ordered(List<Entry> entries) {
    return entries.stream().sorted(Comparator.comparing(Entry::kind)).toList();
  }

  /**
   * Stores entries, and continues after a refusal.
   *
   * @param done called after each entry with the number of entries so far
   * @throws CarillonException if the API is not available, or does not allow the requests
   */
  public List<NotStored> store(List<Entry> entries, LongConsumer done) {
    List<NotStored> notStored = new ArrayList<>();
    long number = 0;
    for (Entry entry : ordered(entries)) {
      try {
        Busy.repeat(
            pause,
            () -> {
              store(entry);
              return entry;
            });
      } catch (CarillonException.Invalid
          | CarillonException.Conflict
          | IllegalArgumentException refused) {
        notStored.add(new NotStored(entry, reason(refused)));
      }
      done.accept(++number);
    }
    return List.copyOf(notStored);
  }

  private void store(Entry entry) {
    Namespace namespace = client.namespace(entry.namespace());
    switch (entry.kind()) {
      case CALENDAR -> namespace.calendars().put(entry.name(), entry.document());
      case RESOURCE -> storeResource(namespace, entry);
      case POOL -> namespace.pools().put(entry.name(), entry.document());
      case APP -> storeApp(namespace, entry);
      case SCHEDULE -> storeSchedule(namespace, entry);
    }
  }

  private void storeResource(Namespace namespace, Entry entry) {
    JsonNode value = entry.document().path("value");
    if (!value.isNumber()) {
      throw new IllegalArgumentException("/value: it is not a number");
    }
    Instant end = instant(entry.document(), "expiresAt");
    if (end != null && !end.isAfter(now)) {
      throw new IllegalArgumentException("its value has expired");
    }
    Duration ttl = end == null ? null : Duration.between(now, end);
    namespace.report(entry.name(), value.decimalValue(), ttl);
  }

  /**
   * Stores an app. Adds the programs to those of a stored app, and to those of all schedules that
   * name the app, because a deployment deletes the schedules whose program it does not list. A
   * schedule can name an app that does not list its program, or that was never deployed.
   */
  private static void storeApp(Namespace namespace, Entry entry) {
    Set<String> programs = new LinkedHashSet<>(programs(namespace, entry.name()));
    StreamSupport.stream(entry.document().path("programs").spliterator(), false)
        .map(JsonNode::asText)
        .forEach(programs::add);
    namespace
        .schedules(ScheduleFilter.all().withApp(entry.name()))
        .forEach(member -> programs.add(member.schedule().program()));
    namespace.deploy(new App(entry.name(), List.copyOf(programs), List.of(), false));
  }

  private static List<String> programs(Namespace namespace, String app) {
    try {
      return namespace.app(app).programs();
    } catch (CarillonException.NotFound none) {
      return List.of();
    }
  }

  private void storeSchedule(Namespace namespace, Entry entry) {
    ObjectNode suspended = entry.suspended();
    if (suspended == null) {
      namespace.put(Schedule.of(entry.name(), entry.document()));
      return;
    }
    Instant end = instant(suspended, "until");
    if (end != null && !end.isAfter(now)) {
      namespace.put(Schedule.of(entry.name(), entry.document().deepCopy().put("state", "ACTIVE")));
      return;
    }
    SuspendMode mode = Json.read(suspended.path("mode"), SuspendMode.class);
    String reason = suspended.path("reason").textValue();
    ObjectNode document = entry.document().deepCopy();
    document.remove("state");
    Schedule schedule = Schedule.of(entry.name(), document);
    if (canHaveJobs(namespace, schedule)) {
      // Suspended first, because the state SUSPENDED of a document cancels the jobs that the mode
      // keeps. The document without a state then leaves the suspension as it is.
      namespace.suspend(entry.name(), mode, reason, end);
      namespace.put(schedule);
    } else {
      namespace.put(Schedule.of(entry.name(), document.put("state", "SUSPENDED")));
      namespace.suspend(entry.name(), mode, reason, end);
    }
  }

  /**
   * Whether a schedule of this name is stored and can have jobs that a suspension keeps. One that
   * is absent or cannot be read would be created, in the mode discard.
   *
   * @param replacement the document to store, without a state
   * @throws CarillonException.Invalid if the server refuses the document. This comes before the
   *     suspension, so that the stored schedule then stays as it is
   */
  private static boolean canHaveJobs(Namespace namespace, Schedule replacement) {
    StoredSchedule.Suspension after = namespace.compare(replacement).suspended();
    boolean discards = after != null && after.mode() == SuspendMode.DISCARD;
    return !discards
        && namespace.schedule(replacement.name()).state() != StoredSchedule.State.COMPLETED;
  }

  /** The instant of a member; null if it is missing. */
  private static @Nullable Instant instant(JsonNode object, String name) {
    JsonNode text = object.path(name);
    return text.isTextual() ? Json.read(text, Instant.class) : null;
  }

  private static String reason(RuntimeException refused) {
    if (refused instanceof CarillonException.Refused it && !it.problem().errors().isEmpty()) {
      return it.problem().errors().stream().map(Storage::line).collect(Collectors.joining("; "));
    }
    return refused instanceof CarillonException.Refused it
        ? it.problem().detail()
        : String.valueOf(refused.getMessage());
  }

  private static String line(Problem.Fault fault) {
    return (fault.pointer().isEmpty() ? "" : fault.pointer() + ": ") + fault.detail();
  }
}
