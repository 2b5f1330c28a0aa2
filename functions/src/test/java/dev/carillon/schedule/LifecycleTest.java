package dev.carillon.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.gate.DemandCounts;
import dev.carillon.id.GateKey;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.timer.Timer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The items stored with each change of a schedule's life. The schedules are created at 10:00 and
 * fire at each full hour. Each fire of "plain" is a job, those of "merge" only if no other job
 * waits, and "collect" counts events as well. A "check" is a wake-up of the schedule itself.
 */
class LifecycleTest {

  private static final String HOURLY = "{\"type\": \"cron\", \"expression\": \"0 0 * * * ?\"}";

  private static Instant at(String time) {
    return Instant.parse("2026-03-01T" + (time.length() == 5 ? time + ":00" : time) + "Z");
  }

  private static ObjectNode document(String kind) {
    ObjectNode document = Documents.aDocument();
    String trigger =
        kind.equals("collect")
            ? "{\"type\": \"or\", \"triggers\": [%s, {\"type\": \"partition\", \"dataset\": \"d\"}]}"
                .formatted(HOURLY)
            : HOURLY;
    Documents.with(document, "/trigger", trigger);
    Documents.with(document, "/program", "\"p\"");
    if (kind.equals("merge")) {
      Documents.with(document, "/whilePending", "\"merge\"");
    }
    return document;
  }

  private static Schedule schedule(String kind) {
    return Documents.parsed(Documents.with(document(kind), "/state", "\"ACTIVE\""));
  }

  private static StoredSchedule stored(Change change) {
    return new StoredSchedule(change.after(), Objects.requireNonNull(change.definition()));
  }

  private static StoredSchedule created(String kind) {
    return stored(Lifecycle.create(null, schedule(kind), at("10:00"), "ann"));
  }

  private static Suspension suspension(SuspendMode mode, @Nullable String until, String at) {
    return new Suspension(mode, "why", until == null ? null : at(until), "ann", at(at));
  }

  private static StoredSchedule suspended(String kind, SuspendMode mode, @Nullable String until) {
    Suspension suspension = suspension(mode, until, "10:30");
    return stored(Lifecycle.suspend(created(kind), schedule(kind), suspension));
  }

  private static String timers(Change change) {
    return change.timers().stream().map(LifecycleTest::text).collect(Collectors.joining(", "));
  }

  private static String text(Timer timer) {
    String time = timer.dueAt().toString().substring(11, 16);
    String decided = timer.decidedTo() == null ? "" : " however late";
    return (timer.isOfSuspensionEnd() ? "check " : "fire ") + time + decided;
  }

  // ---- creation, replacement, deletion

  @Test
  void aScheduleIsCreatedActiveIfItsDocumentSaysSo() {
    Change change = Lifecycle.create(null, schedule("collect"), at("10:00"), "ann");
    assertThat(change.before()).isNull();
    assertThat(change.after().state()).isEqualTo(ScheduleState.ACTIVE);
    assertThat(change.after().generation()).isEqualTo(1);
    assertThat(change.after().version()).isEqualTo(1);
    assertThat(change.after().activation()).isEqualTo(at("10:00").getEpochSecond());
    assertThat(change.after().suspension()).isNull();
    assertThat(change.definition().createdBy()).isEqualTo("ann");
    assertThat(change.keys()).containsExactly("partition:d");
    assertThat(change.staleKeys()).isEmpty();
    assertThat(timers(change)).isEqualTo("fire 11:00");
  }

  @Test
  void aScheduleIsCreatedSuspendedByDefault() {
    Schedule quiet = Documents.parsed(document("collect"));
    Change change = Lifecycle.create(null, quiet, at("10:00"), "ann");
    assertThat(change.after().state()).isEqualTo(ScheduleState.SUSPENDED);
    assertThat(change.after().suspension().isNeverActivated()).isTrue();
    assertThat(change.after().suspension().at()).isEqualTo(at("10:00"));
    assertThat(timers(change)).isEmpty();
  }

  @Test
  void aScheduleContinuesTheNumbersOfADeletedOne() {
    StoredSchedule old = created("plain");
    Head tombstone = Lifecycle.delete(old, Set.of(), at("10:30")).after();
    Head again = Lifecycle.create(tombstone, schedule("plain"), at("11:30"), "bob").after();
    assertThat(again.generation()).isEqualTo(old.head().generation() + 1);
    assertThat(again.activation()).isGreaterThan(tombstone.activation());
    assertThat(again.version()).isEqualTo(tombstone.version() + 1);
  }

  @Test
  void aReplacementIsTheNextGenerationAndKeepsTheCreator() {
    StoredSchedule old = created("plain");
    Change change =
        Lifecycle.replace(old, Set.of("stale"), schedule("collect"), at("11:30"), "bob");
    assertThat(change.after().generation()).isEqualTo(2);
    assertThat(change.definition().generation()).isEqualTo(2);
    assertThat(change.definition().createdBy()).isEqualTo("ann");
    assertThat(change.definition().createdAt()).isEqualTo(at("10:00"));
    assertThat(change.definition().updatedAt()).isEqualTo(at("11:30"));
    assertThat(change.definition().generationSince()).isEqualTo(at("11:30"));
    assertThat(change.staleKeys()).containsExactly("stale");
    assertThat(change.keys()).containsExactly("partition:d");
    assertThat(timers(change)).isEqualTo("fire 12:00");
    assertThat(change.after().wantsJob(1, old.head().activation())).isFalse();
  }

  @ParameterizedTest(name = "suspended {0}, the document says {1}: {2}")
  @CsvSource({
    "true,  ,          why",
    "true,  SUSPENDED, why",
    "true,  ACTIVE,    active",
    "false, ,          active",
    "false, ACTIVE,    active",
    "false, SUSPENDED, not activated yet"
  })
  void aReplacementStaysSuspendedUnlessItsDocumentSaysOtherwise(
      boolean isSuspended, @Nullable String state, String reason) {
    StoredSchedule old =
        isSuspended ? suspended("plain", SuspendMode.DRAIN, null) : created("plain");
    ObjectNode document = document("plain");
    if (state != null) {
      Documents.with(document, "/state", "\"" + state + "\"");
    }
    Head head =
        Lifecycle.replace(old, Set.of(), Documents.parsed(document), at("11:30"), "bob").after();
    Suspension after = head.suspension();
    assertThat(after == null ? "active" : after.reason()).isEqualTo(reason);
  }

  @ParameterizedTest(name = "{0}, suspended with {1}: {2}")
  @CsvSource({
    "plain,   DRAIN,   ''",
    "plain,   HOLD,    check 11:30",
    "plain,   BACKLOG, check 11:30",
    "merge,   DRAIN,   ''",
    "merge,   BACKLOG, 'fire 12:00 however late, check 11:30'",
    "collect, DRAIN,   check 11:30",
    "collect, DISCARD, ''"
  })
  void aReplacementStoresACheckForHeldAndCollectingJobs(
      String kind, SuspendMode mode, String timers) {
    Schedule next = Documents.parsed(document(kind));
    Change change =
        Lifecycle.replace(suspended(kind, mode, null), Set.of(), next, at("11:30"), "bob");
    assertThat(timers(change)).isEqualTo(timers);
  }

  @ParameterizedTest(name = "suspended with {0}: {1}")
  @CsvSource({"HOLD, check 11:30", "BACKLOG, check 11:30", "DRAIN, ''"})
  void aDeletionStoresATombstoneAndACheckForHeldJobs(SuspendMode mode, String timers) {
    StoredSchedule old = suspended("plain", mode, null);
    Change change = Lifecycle.delete(old, Set.of("stale"), at("11:30"));
    assertThat(change.after().isDeleted()).isTrue();
    assertThat(change.after().version()).isEqualTo(old.head().version() + 1);
    assertThat(change.definition()).isNull();
    assertThat(change.keys()).isEmpty();
    assertThat(change.staleKeys()).containsExactly("stale");
    assertThat(timers(change)).isEqualTo(timers);
  }

  // ---- gate demands

  @Test
  void limitsCountAtGatesWhileTheirScheduleIsStored() {
    GateKey own = GateKey.ofProgram("sales", "p");
    Schedule one = limited("{\"type\": \"concurrency\", \"max\": 1}");
    Change creation = Lifecycle.create(null, one, at("10:00"), "ann");
    assertThat(creation.after().limits()).isEqualTo("c1");
    assertThat(creation.demands().atGates()).isEqualTo(Map.of(own, Map.of("c1", 1L)));
    assertThat(creation.demands().inBuckets()).hasSize(1).containsValue(1L);

    StoredSchedule old = stored(creation);
    assertThat(Lifecycle.suspend(old, one, suspension()).demands()).isEqualTo(DemandCounts.NONE);
    assertThat(replaced(old, one).demands()).isEqualTo(DemandCounts.NONE);
    Change two = replaced(old, limited("{\"type\": \"concurrency\", \"max\": 2}"));
    assertThat(two.demands().atGates()).isEqualTo(Map.of(own, Map.of("c1", -1L, "c2", 1L)));
    assertThat(two.demands().inBuckets()).isEmpty();
    for (Change end :
        List.of(
            Lifecycle.delete(old, Set.of(), at("11:00")),
            Lifecycle.deleteUnreadable(old.head(), at("11:00")),
            replaced(old, schedule("plain")),
            Lifecycle.replaceUnreadable(old.head(), schedule("plain"), at("11:00"), "bob"))) {
      assertThat(end.after().limits()).isNull();
      assertThat(end.demands().atGates()).isEqualTo(Map.of(own, Map.of("c1", -1L)));
      assertThat(end.demands().inBuckets()).hasSize(1).containsValue(-1L);
    }
    assertThat(
            replaced(created("plain"), limited("{\"type\": \"delay\", \"duration\": \"PT1M\"}"))
                .demands())
        .isEqualTo(DemandCounts.NONE);
  }

  private static Suspension suspension() {
    return new Suspension(SuspendMode.HOLD, null, "ann", at("10:30"));
  }

  private static Schedule limited(String constraint) {
    return Documents.parsed(
        Documents.with(document("plain"), "/constraints", "[" + constraint + "]"));
  }

  private static Change replaced(StoredSchedule old, Schedule next) {
    return Lifecycle.replace(old, Set.of(), next, at("11:30"), "bob");
  }

  /** The lost head may have been suspended: nothing else would check the jobs that it held. */
  @Test
  void jobsThatALostHeadMayHaveHeldAreCheckedWhenItIsReplacedOrDeleted() {
    Schedule next = schedule("plain");
    Head lost = Lifecycle.standIn(next.id(), at("11:00"));
    assertThat(timers(Lifecycle.replaceUnreadable(lost, next, at("11:00"), "bob")))
        .isEqualTo("fire 12:00, check 11:00");
    assertThat(timers(Lifecycle.deleteUnreadable(lost, at("11:00")))).isEqualTo("check 11:00");
  }

  // ---- labels

  @Test
  void aChangeOfLabelsKeepsEverythingElse() {
    StoredSchedule old = suspended("plain", SuspendMode.DRAIN, "12:00");
    Schedule labelled =
        Documents.parsed(Documents.with(document("plain"), "/description", "\"new\""));
    Change change = Lifecycle.annotate(old, labelled, at("11:00"));
    assertThat(change.after().life()).isEqualTo(old.head().life());
    assertThat(change.after().suspension()).isEqualTo(old.head().suspension());
    assertThat(change.after().version()).isEqualTo(old.head().version() + 1);
    assertThat(change.definition().updatedAt()).isEqualTo(at("11:00"));
    assertThat(change.definition().generationSince()).isEqualTo(at("10:00"));
    assertThat(change.definition().document().path("description").asText()).isEqualTo("new");
    assertThat(timers(change)).isEqualTo("check 12:00");
  }

  // ---- suspension

  @ParameterizedTest(name = "{0}, {1} until {2}: {3}")
  @CsvSource({
    "plain,   DISCARD, ,      ''",
    "plain,   HOLD,    ,      ''",
    "plain,   HOLD,    12:00, check 12:00",
    "merge,   HOLD,    ,      ''",
    "merge,   BACKLOG, ,      fire 11:00 however late",
    "merge,   BACKLOG, 12:00, 'check 12:00, fire 11:00 however late'",
    "collect, DISCARD, ,      ''",
    "collect, DRAIN,   ,      check 10:30",
    "collect, HOLD,    12:00, 'check 12:00, check 10:30'"
  })
  void aSuspensionStoresChecksForItsEndAndTheCollectingJob(
      String kind, SuspendMode mode, @Nullable String until, String timers) {
    StoredSchedule old = created(kind);
    Change change = Lifecycle.suspend(old, schedule(kind), suspension(mode, until, "10:30"));
    assertThat(timers(change)).isEqualTo(timers);
    assertThat(change.after().state()).isEqualTo(ScheduleState.SUSPENDED);
    assertThat(change.after().generation()).isEqualTo(1);
    assertThat(change.after().suspension()).isEqualTo(suspension(mode, until, "10:30"));
    assertThat(change.definition()).isEqualTo(old.definition());
  }

  @ParameterizedTest(name = "{0}, from {1} to {2} at {3}: {4}")
  @CsvSource({
    // the new mode takes over what a backlog kept, unless it discards it
    "plain,   BACKLOG, HOLD,    11:30, fire 11:00 however late",
    "plain,   BACKLOG, HOLD,    10:45, ''",
    "plain,   BACKLOG, DRAIN,   11:30, 'fire 11:00 however late, check 11:30'",
    "plain,   BACKLOG, DISCARD, 11:30, check 11:30",
    "plain,   HOLD,    DRAIN,   11:30, check 11:30",
    "plain,   HOLD,    BACKLOG, 11:30, ''",
    "plain,   DRAIN,   HOLD,    11:30, ''",
    "collect, DRAIN,   DISCARD, 11:30, check 11:30",
    "collect, DISCARD, DRAIN,   11:30, check 11:30",
    "collect, DISCARD, DISCARD, 11:30, ''"
  })
  void anotherModeTakesOverWhatTheFirstKept(
      String kind, SuspendMode first, SuspendMode second, String at, String timers) {
    Change change =
        Lifecycle.suspend(
            suspended(kind, first, null), schedule(kind), suspension(second, null, at));
    assertThat(timers(change)).isEqualTo(timers);
  }

  @Test
  void suspendingAgainReplacesCallerReasonAndEnd() {
    StoredSchedule old = suspended("merge", SuspendMode.BACKLOG, "12:00");
    Suspension again =
        new Suspension(SuspendMode.BACKLOG, "other", at("13:00"), "bob", at("10:45"));
    Change later = Lifecycle.suspendAgain(old, schedule("merge"), again);
    assertThat(later.after().suspension())
        .isEqualTo(new Suspension(SuspendMode.BACKLOG, "other", at("13:00"), "bob", at("10:30")));
    assertThat(later.after().activation()).isGreaterThan(old.head().activation());
    assertThat(timers(later)).isEqualTo("check 13:00, fire 11:00 however late");

    Suspension same = new Suspension(SuspendMode.BACKLOG, "other", at("12:00"), "bob", at("10:45"));
    Change reason = Lifecycle.suspendAgain(old, schedule("merge"), same);
    assertThat(reason.after().activation()).isEqualTo(old.head().activation());
    assertThat(reason.after().suspension().reason()).isEqualTo("other");
    assertThat(timers(reason)).isEqualTo("check 12:00");
  }

  // ---- resumption, completion

  @ParameterizedTest(name = "{0}, suspended with {1}: {2}")
  @CsvSource({
    "plain,   DISCARD, fire 12:00",
    "plain,   DRAIN,   fire 12:00",
    "plain,   HOLD,    'fire 12:00, check 11:30'",
    // the fires of a backlog are handed over however late that is
    "plain,   BACKLOG, 'fire 11:00 however late, check 11:30'",
    "collect, DISCARD, fire 12:00",
    "collect, DRAIN,   'fire 12:00, check 11:30'",
    "collect, BACKLOG, 'fire 12:00, check 11:30'"
  })
  void aResumedScheduleHasItsNextFireAndTheFiresOfABacklog(
      String kind, SuspendMode mode, String timers) {
    StoredSchedule old = suspended(kind, mode, null);
    Change change = Lifecycle.resume(old, schedule(kind), at("11:30"));
    assertThat(timers(change)).isEqualTo(timers);
    assertThat(change.after().state()).isEqualTo(ScheduleState.ACTIVE);
    assertThat(change.after().suspension()).isNull();
    assertThat(change.after().version()).isEqualTo(old.head().version() + 1);
    assertThat(change.after().generation()).isEqualTo(1);
  }

  @ParameterizedTest(name = "at 11:00, or with events {0}, resumed at {1}: {2}")
  @CsvSource({"false, 10:45, ACTIVE", "false, 11:30, COMPLETED", "true,  11:30, ACTIVE"})
  void aResumedScheduleWithoutFiresIsCompleted(boolean collects, String at, ScheduleState state) {
    String once = "{\"type\": \"at\", \"time\": \"2026-03-01T11:00:00Z\"}";
    String trigger =
        collects
            ? "{\"type\": \"or\", \"triggers\": [%s, {\"type\": \"partition\", \"dataset\": \"d\"}]}"
                .formatted(once)
            : once;
    Schedule schedule =
        Documents.parsed(
            Documents.with(
                Documents.with(document("plain"), "/trigger", trigger), "/state", "\"ACTIVE\""));
    StoredSchedule active = stored(Lifecycle.create(null, schedule, at("10:00"), "ann"));
    StoredSchedule drained =
        stored(Lifecycle.suspend(active, schedule, suspension(SuspendMode.DRAIN, null, "10:30")));
    Change change = Lifecycle.resume(drained, schedule, at(at));
    assertThat(change.after().state()).isEqualTo(state);
    assertThat(change.after().version()).isEqualTo(drained.head().version() + 1);
  }

  private static Schedule once(String afterCompletion) {
    ObjectNode document = document("plain");
    Documents.with(document, "/trigger", "{\"type\": \"at\", \"time\": \"2026-03-01T11:00:00Z\"}");
    Documents.with(document, "/afterCompletion", "\"" + afterCompletion + "\"");
    return Documents.parsed(Documents.with(document, "/state", "\"ACTIVE\""));
  }

  @ParameterizedTest(name = "{0}, suspended with {1}: {2}")
  @CsvSource({
    "keep,   DRAIN,   ''",
    "delete, DRAIN,   check 11:30",
    "delete, DISCARD, check 11:30",
    // one check releases the held jobs and deletes the schedule
    "delete, HOLD,    check 11:30"
  })
  void aScheduleResumedAfterItsLastFireIsCheckedIfItDeletesItself(
      String afterCompletion, SuspendMode mode, String timers) {
    Schedule once = once(afterCompletion);
    StoredSchedule active = stored(Lifecycle.create(null, once, at("10:00"), "ann"));
    StoredSchedule suspended =
        stored(Lifecycle.suspend(active, once, suspension(mode, null, "10:30")));
    Change change = Lifecycle.resume(suspended, once, at("11:30"));
    assertThat(change.after().state()).isEqualTo(ScheduleState.COMPLETED);
    assertThat(timers(change)).isEqualTo(timers);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"keep, ''", "delete, check 11:30"})
  void aScheduleReplacedAfterItsLastFireIsCompletedAndCheckedIfItDeletesItself(
      String afterCompletion, String timers) {
    StoredSchedule old = stored(Lifecycle.create(null, once("keep"), at("10:00"), "ann"));
    Change change = replaced(old, once(afterCompletion));
    assertThat(change.after().state()).isEqualTo(ScheduleState.COMPLETED);
    assertThat(change.after().generation()).isEqualTo(2);
    assertThat(change.after().version()).isEqualTo(old.head().version() + 1);
    assertThat(timers(change)).isEqualTo(timers);
  }

  @Test
  void aCompletionChangesOnlyTheState() {
    StoredSchedule old = created("plain");
    Change change = Lifecycle.complete(old);
    assertThat(change.before()).isEqualTo(old.head());
    assertThat(change.after().state()).isEqualTo(ScheduleState.COMPLETED);
    assertThat(change.after().activation()).isEqualTo(old.head().activation());
    assertThat(change.after().version()).isEqualTo(old.head().version() + 1);
    assertThat(change.definition()).isEqualTo(old.definition());
    assertThat(change.timers()).isEmpty();
  }
}
