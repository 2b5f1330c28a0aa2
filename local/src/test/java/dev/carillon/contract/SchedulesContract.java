package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static dev.carillon.contract.Samples.REPORT;
import static dev.carillon.contract.Samples.aCreation;
import static dev.carillon.contract.Samples.aDefinition;
import static dev.carillon.contract.Samples.aTimer;
import static dev.carillon.contract.Samples.anActiveHead;
import static dev.carillon.contract.Samples.asPut;
import static dev.carillon.contract.Samples.inState;
import static dev.carillon.contract.Samples.ofNextGeneration;
import static dev.carillon.contract.Samples.schedule;
import static dev.carillon.contract.Samples.sideBySide;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.gate.Gate;
import dev.carillon.gate.LimitedPrograms;
import dev.carillon.id.AppId;
import dev.carillon.id.GateKey;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Gates;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Life;
import dev.carillon.schedule.Period;
import dev.carillon.schedule.Periods;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.Schedules.Launching;
import dev.carillon.schedule.Schedules.ListFilter;
import dev.carillon.schedule.Schedules.WalkPart;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.schedule.SuspendedBy;
import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

abstract class SchedulesContract {

  private static final AppId FIRST = new AppId("default", "first");

  static final ListFilter ALL = new ListFilter(null, null, null, null, null, null);

  private static final GateKey EXPORTER = GateKey.ofProgram("default", "exporter");
  private static final GateKey LOADER = GateKey.ofProgram("default", "loader");
  private static final GateKey GROUP = GateKey.ofGroup("default", "db");

  abstract Schedules schedules();

  /** The gates on which the schedules count their limits. */
  abstract Gates gates();

  /** The timers that {@link #schedules} stores. */
  abstract Timers timers();

  @Test
  void theProgramsOfANamespaceAreThoseOfItsSchedules() {
    Head report = anActiveHead(REPORT);
    Head far = anActiveHead(new ScheduleId("far", "report"));
    schedules().save(aCreation(report, Set.of()));
    schedules().save(aCreation(far, Set.of()));
    assertThat(schedules().programs("default")).containsExactly(report.program());
    assertThat(schedules().programs("none")).isEmpty();

    schedules()
        .save(
            new Change(
                report,
                inState(report, ScheduleState.DELETED),
                null,
                Set.of(),
                Set.of(),
                List.of()));
    assertThat(schedules().programs("default")).isEmpty();
    assertThat(schedules().programs("far")).containsExactly(far.program());
  }

  @Test
  void aFormerDefinitionIsKeptIfItsChangeSaysSo() {
    Head first = anActiveHead(REPORT);
    Head second = ofNextGeneration(first);
    Head third = ofNextGeneration(second);
    schedules().save(aCreation(first, Set.of()));
    assertThat(schedules().former(REPORT, 1)).isEmpty();
    schedules()
        .save(
            new Change(
                first,
                second,
                aDefinition(second),
                Set.of(),
                Set.of(),
                List.of(),
                aDefinition(first)));
    schedules().save(changed(second, third));
    schedules()
        .save(
            new Change(
                third,
                inState(third, ScheduleState.DELETED),
                null,
                Set.of(),
                Set.of(),
                List.of(),
                aDefinition(third)));

    assertThat(schedules().former(REPORT, first.generation())).contains(aDefinition(first));
    assertThat(schedules().former(REPORT, second.generation())).isEmpty();
    assertThat(schedules().former(REPORT, third.generation())).contains(aDefinition(third));
    assertThat(schedules().find(REPORT)).isEmpty();
    assertThat(schedules().definitions(List.of(REPORT))).isEmpty();
  }

  @Test
  void anItemThatWasNeverStoredIsAbsent() {
    assertThat(schedules().heads(List.of(REPORT))).isEmpty();
    assertThat(schedules().heads(List.of())).isEmpty();
    assertThat(schedules().definitions(List.of(REPORT))).isEmpty();
    assertThat(schedules().find(REPORT)).isEmpty();
    assertThat(schedules().walk(WalkPart.WHOLE, 10, null)).isEqualTo(new Page<>(List.of(), null));
  }

  @Test
  void aSavedScheduleIsFoundWhole() {
    Head head = anActiveHead(REPORT);

    assertThat(schedules().save(aCreation(head, Set.of()))).isTrue();

    assertThat(schedules().heads(List.of(REPORT, REPORT))).isEqualTo(Map.of(REPORT, head));
    assertThat(schedules().definitions(List.of(REPORT)))
        .isEqualTo(Map.of(REPORT, aDefinition(head)));
    assertThat(schedules().find(REPORT)).contains(new StoredSchedule(head, aDefinition(head)));
  }

  @Test
  void aSuspensionIsFoundWithItsReason() {
    Head active = anActiveHead(REPORT);
    schedules().save(aCreation(active, Set.of()));
    Head suspended =
        new Head(
            REPORT,
            2,
            Life.begun(1, 2, SuspendMode.DISCARD, null, NOW.plusNanos(1_234_567)),
            new SuspendedBy("ann", "too noisy", NOW.plusNanos(1_234_567)),
            "exporter",
            null);

    assertThat(schedules().save(changed(active, suspended))).isTrue();

    assertThat(schedules().heads(List.of(REPORT))).isEqualTo(Map.of(REPORT, suspended));
    assertThat(schedules().find(REPORT).orElseThrow().head()).isEqualTo(suspended);
  }

  @Test
  void aSuspensionIsFoundWithItsEndAndThoseBeforeIt() {
    Head active = anActiveHead(REPORT);
    schedules().save(aCreation(active, Set.of()));
    Head held =
        new Head(
            REPORT,
            2,
            new Life(
                1, ScheduleState.SUSPENDED, 5, 1, 3, aLongLife(), NOW.plusNanos(9_876_543_210L)),
            new SuspendedBy("ann", null, NOW.plusSeconds(3)),
            "exporter",
            null);

    assertThat(schedules().save(changed(active, held))).isTrue();

    assertThat(schedules().heads(List.of(REPORT))).isEqualTo(Map.of(REPORT, held));
  }

  /** Periods with the maximum number of recorded suspensions. */
  private static Periods aLongLife() {
    List<Period> periods = new ArrayList<>(List.of(new Period(null, NOW)));
    for (SuspendMode mode : List.of(SuspendMode.BACKLOG, SuspendMode.DRAIN)) {
      for (int pause = 0; pause < Periods.MOST_PAUSES / 2; pause++) {
        Instant from = NOW.plusMillis(10L * periods.size());
        periods.add(new Period(mode, from));
        periods.add(new Period(null, from.plusMillis(1)));
      }
    }
    periods.add(new Period(SuspendMode.HOLD, NOW.plusSeconds(3)));
    return new Periods(periods);
  }

  @Test
  void aChangeOfAnOldVersionChangesNothing() {
    Head first = anActiveHead(REPORT);
    Head second = ofNextGeneration(first);
    schedules().save(aCreation(first, Set.of("event:a")));
    schedules()
        .save(
            new Change(
                first,
                second,
                aDefinition(second),
                Set.of("event:a"),
                Set.of("event:b"),
                List.of()));
    Change late =
        new Change(
            first,
            inState(first, ScheduleState.SUSPENDED),
            aDefinition(first, "{\"late\": true}"),
            Set.of(),
            Set.of("event:c"),
            List.of(aTimer(REPORT, NOW)));

    assertThat(schedules().save(late)).isFalse();

    assertThat(schedules().find(REPORT)).contains(new StoredSchedule(second, aDefinition(second)));
    assertThat(schedules().withEventKey("default", "event:c")).isEmpty();
    assertThat(allTimers()).isEmpty();
  }

  @Test
  void aSecondCreationIsALostRace() {
    schedules().save(aCreation(anActiveHead(REPORT), Set.of()));

    assertThat(schedules().save(aCreation(anActiveHead(REPORT), Set.of()))).isFalse();
  }

  @Test
  void aChangeOfAnAbsentItemIsALostRace() {
    Head head = anActiveHead(REPORT);

    assertThat(schedules().save(changed(head, inState(head, ScheduleState.SUSPENDED)))).isFalse();
    assertThat(schedules().heads(List.of(REPORT))).isEmpty();
  }

  @Test
  void ofManyChangesAtOnceOneWins() throws Exception {
    Head head = anActiveHead(REPORT);
    schedules().save(aCreation(head, Set.of()));
    Change change = changed(head, inState(head, ScheduleState.SUSPENDED));

    assertThat(sideBySide(6, () -> schedules().save(change))).containsOnlyOnce(true);
  }

  @Test
  void limitsOfSchedulesAreCountedAtTheirGates() {
    demand(null, anActiveHead(REPORT), "exporter", "c2;c9:db");
    demand(null, anActiveHead(schedule("same")), "exporter", "c2;c9:db");
    demand(null, anActiveHead(schedule("other")), "loader", "r5/60000:db;g<a80:disk");

    assertThat(demandsAt(EXPORTER)).isEqualTo(Map.of("c2;c9:db", 2L));
    assertThat(demandsAt(LOADER)).isEqualTo(Map.of("r5/60000:db;g<a80:disk", 1L));
    assertThat(demandsAt(GROUP)).isEqualTo(Map.of("c9:db", 2L, "r5/60000:db", 1L));
    assertThat(demandsAt(GateKey.ofResource("default", "disk")))
        .isEqualTo(Map.of("g<a80:disk", 1L));
    Launching read = schedules().forLaunch(List.of(REPORT, schedule("none"), REPORT));
    assertThat(read.heads().get(REPORT).limits()).isEqualTo("c2;c9:db");
    LimitedPrograms limited = read.limited().get("default");
    assertThat(limited.canInclude("exporter")).isTrue();
    assertThat(limited.canInclude("loader")).isTrue();
    assertThat(limited.canInclude("third")).isFalse();
    assertThat(schedules().forLaunch(List.of(new ScheduleId("empty", "a"))).limited())
        .isEqualTo(Map.of("empty", LimitedPrograms.NONE));

    Head head = limiting(anActiveHead(REPORT), "exporter", "c2;c9:db");
    demand(head, ofNextGeneration(head), "exporter", "c3");
    Head same = limiting(anActiveHead(schedule("same")), "exporter", "c2;c9:db");
    schedules()
        .save(
            new Change(
                same, inState(same, ScheduleState.DELETED), null, Set.of(), Set.of(), List.of()));
    assertThat(demandsAt(EXPORTER)).isEqualTo(Map.of("c3", 1L));
    assertThat(demandsAt(GROUP)).isEqualTo(Map.of("r5/60000:db", 1L));
    Head last = limiting(ofNextGeneration(head), "exporter", "c3");
    demand(last, ofNextGeneration(last), "exporter", null);
    assertThat(demandsAt(EXPORTER)).isEmpty();
    LimitedPrograms rest = schedules().forLaunch(List.of(REPORT)).limited().get("default");
    assertThat(rest.canInclude("exporter")).isFalse();
    assertThat(rest.canInclude("loader")).isTrue();
  }

  /** A launch that was decided on older limits is a lost race. */
  @Test
  void limitsChangeTheVersionOfAGateAndKeepWhatItHolds() {
    Gate unused = Gate.unused(EXPORTER);
    demand(null, anActiveHead(REPORT), "exporter", "c2");
    assertThat(gates().update(unused, unused.succeeded(NOW))).isFalse();
    Gate read = gates().find(List.of(EXPORTER)).get(EXPORTER);
    assertThat(gates().update(read, read.succeeded(NOW))).isTrue();

    Gate older = gates().find(List.of(EXPORTER)).get(EXPORTER);
    Head head = limiting(anActiveHead(REPORT), "exporter", "c2");
    demand(head, ofNextGeneration(head), "exporter", "c3");
    assertThat(gates().update(older, older.succeeded(NOW.plusSeconds(1)))).isFalse();
    Gate present = gates().find(List.of(EXPORTER)).get(EXPORTER);
    assertThat(present.version()).isGreaterThan(older.version());
    assertThat(present.lastSuccess()).isEqualTo(NOW);
    assertThat(present.demands()).isEqualTo(Map.of("c3", 1L));
  }

  @Test
  void aLostRaceCountsNoLimits() {
    demand(null, anActiveHead(REPORT), "exporter", "c2");
    Head other = limiting(anActiveHead(REPORT), "exporter", "c5");
    Change late = new Change(null, other, aDefinition(other), Set.of(), Set.of(), List.of());
    assertThat(schedules().save(late)).isFalse();
    assertThat(demandsAt(EXPORTER)).isEqualTo(Map.of("c2", 1L));
  }

  @Test
  void ofManySchedulesAtOnceEachIsCountedOnce() throws Exception {
    List<Head> heads =
        Collections.synchronizedList(
            new ArrayList<>(
                IntStream.range(0, 12)
                    .mapToObj(it -> limiting(anActiveHead(schedule("s" + it)), "p" + it, "c1:db"))
                    .toList()));
    sideBySide(
        12,
        () -> {
          Head head = heads.remove(0);
          return schedules()
              .save(new Change(null, head, aDefinition(head), Set.of(), Set.of(), List.of()));
        });
    assertThat(demandsAt(GROUP)).isEqualTo(Map.of("c1:db", 12L));
  }

  private Map<String, Long> demandsAt(GateKey key) {
    return gates().find(List.of(key)).get(key).demands();
  }

  static Head limiting(Head head, String program, @Nullable String limits) {
    return new Head(
        head.id(), head.version(), head.life(), head.suspendedBy(), program, head.app(), limits);
  }

  private void demand(@Nullable Head before, Head after, String program, @Nullable String limits) {
    Head head = limiting(after, program, limits);
    assertThat(
            schedules()
                .save(new Change(before, head, aDefinition(head), Set.of(), Set.of(), List.of())))
        .isTrue();
  }

  @Test
  void aDeletedScheduleLeavesOnlyItsTombstone() {
    Head head = anActiveHead(REPORT);
    schedules().save(aCreation(head, Set.of("event:a")));
    Head tombstone = inState(head, ScheduleState.DELETED);

    assertThat(
            schedules()
                .save(new Change(head, tombstone, null, Set.of("event:a"), Set.of(), List.of())))
        .isTrue();

    assertThat(schedules().heads(List.of(REPORT))).isEqualTo(Map.of(REPORT, tombstone));
    assertThat(schedules().definitions(List.of(REPORT))).isEmpty();
    assertThat(schedules().find(REPORT)).isEmpty();
    assertThat(schedules().withEventKey("default", "event:a")).isEmpty();
    assertThat(schedules().list("default", ALL, 10, null).items()).isEmpty();
    assertThat(walked(10)).isEmpty();
  }

  @Test
  void aDeletedScheduleIsCreatedAgainUponItsTombstone() {
    Head head = anActiveHead(REPORT);
    schedules().save(aCreation(head, Set.of()));
    Head tombstone = inState(head, ScheduleState.DELETED);
    schedules().save(new Change(head, tombstone, null, Set.of(), Set.of(), List.of()));
    Head again = ofNextGeneration(tombstone);

    assertThat(schedules().save(aCreation(again, Set.of()))).isFalse();
    assertThat(schedules().save(changed(tombstone, again))).isTrue();

    assertThat(schedules().find(REPORT)).contains(new StoredSchedule(again, aDefinition(again)));
    assertThat(names(schedules().list("default", ALL, 10, null))).containsExactly("report");
  }

  @Test
  void eventKeysAreThoseOfTheLastGeneration() {
    Head first = anActiveHead(REPORT);
    schedules().save(aCreation(first, Set.of("event:a", "event:b")));
    Head second = ofNextGeneration(first);

    schedules()
        .save(
            new Change(
                first,
                second,
                aDefinition(second),
                Set.of("event:a", "event:b"),
                Set.of("event:b", "event:c"),
                List.of()));

    assertThat(schedules().withEventKey("default", "event:a")).isEmpty();
    assertThat(schedules().withEventKey("default", "event:b")).containsExactly(REPORT);
    assertThat(schedules().withEventKey("default", "event:c")).containsExactly(REPORT);
    assertThat(schedules().indexShows(REPORT, 2, Set.of("event:b", "event:c"))).isTrue();
    assertThat(schedules().indexShows(REPORT, 2, Set.of("event:b", "event:d"))).isFalse();
    assertThat(schedules().indexShows(REPORT, 1, Set.of("event:b"))).isFalse();
    assertThat(schedules().indexShows(REPORT, 2, Set.of())).isTrue();
  }

  @Test
  void eventKeysAreFoundWithinTheNamespace() {
    ScheduleId other = new ScheduleId("other", "report");
    schedules().save(aCreation(anActiveHead(REPORT), Set.of("event:a")));
    schedules().save(aCreation(anActiveHead(schedule("second")), Set.of("event:a")));
    schedules().save(aCreation(anActiveHead(other), Set.of("event:a")));

    assertThat(schedules().withEventKey("default", "event:a"))
        .containsExactlyInAnyOrder(REPORT, schedule("second"));
    assertThat(schedules().withEventKey("other", "event:a")).containsExactly(other);
  }

  @Test
  void eventKeysAreLookedUpAfterAName() {
    schedules().save(aCreation(anActiveHead(schedule("a")), Set.of("event:a")));
    schedules().save(aCreation(anActiveHead(schedule("b")), Set.of("event:a")));
    schedules().save(aCreation(anActiveHead(schedule("c")), Set.of("event:b")));

    assertThat(schedules().withEventKey("default", "event:a", null))
        .isEqualTo(new Page<>(List.of(schedule("a"), schedule("b")), null));
    assertThat(schedules().withEventKey("default", "event:a", "a").items())
        .containsExactly(schedule("b"));
    assertThat(schedules().withEventKey("default", "event:a", "b").items()).isEmpty();
  }

  @Test
  void theLargestChangeIsOneChange() {
    Head first = anActiveHead(REPORT);
    Set<String> old = keys("event:old-", 40);
    Set<String> keys = keys("event:new-", 40);
    schedules().save(aCreation(first, old));
    Head second = ofNextGeneration(first);
    List<Timer> timers =
        IntStream.range(0, 8)
            .mapToObj(
                leaf -> new Timer(REPORT, NOW, 2, leaf, 2, aTimer(REPORT, NOW).leafDocument()))
            .toList();

    assertThat(schedules().save(new Change(first, second, aDefinition(second), old, keys, timers)))
        .isTrue();

    assertThat(schedules().indexShows(REPORT, 2, keys)).isTrue();
    assertThat(allTimers()).containsExactlyInAnyOrderElementsOf(timers);
  }

  @Test
  void manyHeadsAreReadAtOnce() {
    List<ScheduleId> ids = IntStream.range(0, 120).mapToObj(i -> schedule("report-" + i)).toList();
    ids.forEach(id -> schedules().save(aCreation(anActiveHead(id), Set.of())));

    assertThat(schedules().heads(ids).keySet()).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(schedules().definitions(ids).keySet()).containsExactlyInAnyOrderElementsOf(ids);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 100})
  void aNamespaceIsListedByNamePageByPage(int limit) {
    List<String> names = List.of("a", "a.b", "a0", "b", "c");
    names.forEach(name -> schedules().save(aCreation(anActiveHead(schedule(name)), Set.of())));
    schedules().save(aCreation(anActiveHead(new ScheduleId("default-2", "x")), Set.of()));

    List<String> listed = new ArrayList<>();
    String next = null;
    do {
      Page<StoredSchedule> page = schedules().list("default", ALL, limit, next);
      assertThat(page.items()).hasSizeBetween(1, limit);
      listed.addAll(names(page));
      next = page.next();
    } while (next != null);

    assertThat(listed).isEqualTo(names);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // program, app, state, tag, event key, trigger type, found
        "-, -, -, -, -, -, one two three",
        "alpha, -, -, -, -, -, one",
        "-, first, -, -, -, -, one two",
        "-, -, SUSPENDED, -, -, -, three",
        "-, -, COMPLETED, -, -, -, ''",
        "-, -, -, team=data, -, -, one",
        "-, -, -, team=none, -, -, ''",
        "-, -, -, team, -, -, ''",
        "-, -, -, -, event:a, -, one three",
        "-, -, -, -, event:b, -, ''",
        "-, -, -, -, -, cron, two",
        "-, -, -, -, -, or, two",
        "-, -, -, -, -, manual, three",
        "-, first, ACTIVE, team=data, event:a, size, one",
        "beta, -, -, -, event:a, -, ''",
      })
  void aListIsFiltered(
      String program,
      String app,
      ScheduleState state,
      String tag,
      String eventKey,
      String triggerType,
      String found) {
    store(
        "one",
        "alpha",
        "first",
        ScheduleState.ACTIVE,
        Set.of("event:a"),
        "{\"tags\": {\"team\": \"data\"}, \"trigger\": {\"type\": \"size\"}}");
    store(
        "two",
        "beta",
        "first",
        ScheduleState.ACTIVE,
        Set.of(),
        "{\"tags\": {\"team\": \"web\"}, \"trigger\": {\"type\": \"or\", \"triggers\": [{\"type\": \"and\", \"triggers\": [{\"type\": \"cron\"}]}]}}");
    store(
        "three",
        "gamma",
        null,
        ScheduleState.SUSPENDED,
        Set.of("event:a"),
        "{\"tags\": {}, \"trigger\": {\"type\": \"manual\"}}");

    Page<StoredSchedule> page =
        schedules()
            .list(
                "default",
                new ListFilter(program, app, state, tag, eventKey, triggerType),
                10,
                null);

    assertThat(String.join(" ", names(page)).split(" "))
        .containsExactlyInAnyOrder(found.split(" "));
    assertThat(page.next()).isNull();
  }

  @Test
  void aFilterDoesNotEndAListEarly() {
    IntStream.range(0, 60)
        .forEach(
            i ->
                store(
                    String.format("s%02d", i),
                    i == 59 ? "rare" : "usual",
                    null,
                    ScheduleState.ACTIVE,
                    Set.of("event:a"),
                    "{\"trigger\": {\"type\": \"manual\"}}"));

    for (String eventKey : new String[] {null, "event:a"}) {
      ListFilter rare = new ListFilter("rare", null, null, null, eventKey, null);
      assertThat(names(schedules().list("default", rare, 1, null))).containsExactly("s59");
    }
  }

  @Test
  void aListByEventKeyHasPagesToo() {
    List.of("a", "b", "c")
        .forEach(
            name -> schedules().save(aCreation(anActiveHead(schedule(name)), Set.of("event:a"))));
    ListFilter ofKey = new ListFilter(null, null, null, null, "event:a", null);

    Page<StoredSchedule> first = schedules().list("default", ofKey, 2, null);
    Page<StoredSchedule> second = schedules().list("default", ofKey, 2, first.next());

    assertThat(names(first)).containsExactly("a", "b");
    assertThat(names(second)).containsExactly("c");
    assertThat(second.next()).isNull();
  }

  @Test
  void aScheduleJoinsAndLeavesItsAppWithTheChangeOfItsHead() {
    Head alone = anActiveHead(REPORT);
    schedules().save(aCreation(alone, Set.of()));
    assertThat(schedules().ofApp(FIRST)).isEmpty();

    Head joined = ofApp(inState(alone, ScheduleState.ACTIVE), "first");
    schedules().save(changeTo(alone, joined));
    assertThat(schedules().ofApp(FIRST)).containsExactly(REPORT);
    assertThat(schedules().ofApp(new AppId("elsewhere", "first"))).isEmpty();

    Head suspended = inState(joined, ScheduleState.SUSPENDED);
    schedules().save(changeTo(joined, suspended));
    assertThat(schedules().ofApp(FIRST)).containsExactly(REPORT);

    Head moved = ofApp(inState(suspended, ScheduleState.ACTIVE), "second");
    schedules().save(changeTo(suspended, moved));
    assertThat(schedules().ofApp(FIRST)).isEmpty();
    assertThat(schedules().ofApp(new AppId("default", "second"))).containsExactly(REPORT);

    Head back = ofApp(inState(moved, ScheduleState.ACTIVE), "first");
    schedules().save(changeTo(moved, back));
    Head deleted = inState(back, ScheduleState.DELETED);
    schedules().save(new Change(back, deleted, null, Set.of(), Set.of(), List.of()));
    assertThat(schedules().ofApp(FIRST)).isEmpty();

    Head again = inState(deleted, ScheduleState.ACTIVE);
    schedules().save(changeTo(deleted, again));
    assertThat(again.app()).isEqualTo("first");
    assertThat(schedules().ofApp(FIRST)).containsExactly(REPORT);
  }

  @Test
  void aChangeThatLosesTheRaceLeavesTheSchedulesOfAppsUnchanged() {
    Head head = ofApp(anActiveHead(REPORT), "first");
    schedules().save(aCreation(head, Set.of()));
    schedules().save(changeTo(head, inState(head, ScheduleState.SUSPENDED)));

    Head late = ofApp(inState(head, ScheduleState.ACTIVE), "second");
    assertThat(schedules().save(changeTo(head, late))).isFalse();
    assertThat(schedules().ofApp(FIRST)).containsExactly(REPORT);
    assertThat(schedules().ofApp(new AppId("default", "second"))).isEmpty();
  }

  @Test
  void aListOfAnAppHasPagesToo() {
    List.of("a", "b", "c", "d")
        .forEach(name -> store(name, "p", "first", ScheduleState.ACTIVE, Set.of(), "{}"));
    store("bb", "p", "second", ScheduleState.ACTIVE, Set.of(), "{}");
    ListFilter ofApp = new ListFilter(null, "first", null, null, null, null);

    Page<StoredSchedule> first = schedules().list("default", ofApp, 2, null);
    Page<StoredSchedule> second = schedules().list("default", ofApp, 2, first.next());

    assertThat(names(first)).containsExactly("a", "b");
    assertThat(names(second)).containsExactly("c", "d");
    assertThat(second.next()).isNull();
    assertThat(schedules().ofApp(FIRST, "b").items()).containsExactly(schedule("c"), schedule("d"));
  }

  private static Change changeTo(Head before, Head after) {
    return new Change(before, after, aDefinition(after), Set.of(), Set.of(), List.of());
  }

  private static Head ofApp(Head head, String app) {
    return new Head(
        head.id(), head.version(), head.life(), head.suspendedBy(), head.program(), app);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "ümlaut", "a/b"})
  void aPageCannotBeginAnywhere(String next) {
    assertThatThrownBy(() -> schedules().list("default", ALL, 10, next))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100})
  void aWalkSeesEveryActiveScheduleOnce(int limit) {
    List.of("a", "b", "c")
        .forEach(
            name -> schedules().save(aCreation(anActiveHead(schedule(name)), Set.of("event:k"))));
    ScheduleId elsewhere = new ScheduleId("elsewhere", "a");
    schedules().save(aCreation(anActiveHead(elsewhere), Set.of()));
    store("idle", "p", null, ScheduleState.SUSPENDED, Set.of(), "{}");

    assertThat(walked(limit))
        .extracting(stored -> stored.head().id())
        .containsExactlyInAnyOrder(schedule("a"), schedule("b"), schedule("c"), elsewhere);
    assertThat(walked(limit)).allMatch(it -> it.definition().equals(aDefinition(it.head())));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100})
  void thePartsOfAWalkHaveEachScheduleOnce(int limit) {
    List<ScheduleId> all = new ArrayList<>();
    for (int namespace = 0; namespace < 12; namespace++) {
      for (String name : List.of("a", "b", "c")) {
        all.add(new ScheduleId("ns-" + namespace, name));
      }
    }
    all.forEach(id -> schedules().save(aCreation(anActiveHead(id), Set.of())));

    List<List<ScheduleId>> parts =
        IntStream.range(0, 3).mapToObj(part -> walked(new WalkPart(part, 3), limit)).toList();
    assertThat(parts.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(all);
    assertThat(parts).filteredOn(found -> !found.isEmpty()).hasSizeGreaterThan(1);
  }

  private List<ScheduleId> walked(WalkPart part, int limit) {
    List<ScheduleId> all = new ArrayList<>();
    String next = null;
    do {
      Page<StoredSchedule> page = schedules().walk(part, limit, next);
      page.items().forEach(stored -> all.add(stored.head().id()));
      next = page.next();
    } while (next != null);
    return all;
  }

  private List<StoredSchedule> walked(int limit) {
    List<StoredSchedule> all = new ArrayList<>();
    String next = null;
    do {
      Page<StoredSchedule> page = schedules().walk(WalkPart.WHOLE, limit, next);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
      all.addAll(page.items());
      next = page.next();
    } while (next != null);
    return all;
  }

  private void store(
      String name,
      String program,
      String app,
      ScheduleState state,
      Set<String> keys,
      String document) {
    Head head = anActiveHead(schedule(name));
    boolean isSuspended = state == ScheduleState.SUSPENDED;
    SuspendMode mode = isSuspended ? SuspendMode.DISCARD : null;
    Life life = new Life(1, state, 1, 1, 1, new Periods(List.of(new Period(mode, NOW))), null);
    SuspendedBy suspendedBy = isSuspended ? new SuspendedBy("ann", "why", NOW) : null;
    Head stored = new Head(head.id(), 1, life, suspendedBy, program, app);
    schedules()
        .save(new Change(null, stored, aDefinition(stored, document), Set.of(), keys, List.of()));
  }

  List<Timer> allTimers() {
    List<Timer> all = new ArrayList<>();
    for (int shard = 0; shard < timers().shards(); shard++) {
      all.addAll(timers().due(shard, NOW.plusSeconds(1_000_000), null, 1_000));
    }
    return asPut(all);
  }

  static Change changed(Head before, Head after) {
    return new Change(before, after, aDefinition(after), Set.of(), Set.of(), List.of());
  }

  private static Set<String> keys(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).collect(Collectors.toSet());
  }

  private static List<String> names(Page<StoredSchedule> page) {
    return page.items().stream().map(stored -> stored.head().id().name()).toList();
  }
}
