package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static dev.carillon.contract.Samples.REPORT;
import static dev.carillon.contract.Samples.aCreation;
import static dev.carillon.contract.Samples.aDefinition;
import static dev.carillon.contract.Samples.aTimer;
import static dev.carillon.contract.Samples.anActiveHead;
import static dev.carillon.contract.Samples.inState;
import static dev.carillon.contract.Samples.schedule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.dynamodb.DynamoGates;
import dev.carillon.dynamodb.DynamoSchedules;
import dev.carillon.dynamodb.DynamoTimers;
import dev.carillon.dynamodb.Tables;
import dev.carillon.gate.Gate;
import dev.carillon.id.AppId;
import dev.carillon.id.GateKey;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Gates;
import dev.carillon.local.meter.Meter;
import dev.carillon.runtime.ContentionException;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.Schedules.Launching;
import dev.carillon.schedule.Schedules.ListFilter;
import dev.carillon.schedule.Schedules.TooManyDemandsException;
import dev.carillon.schedule.Schedules.WalkPart;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.UnreadableSchedules;
import dev.carillon.timer.Timers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

class DynamoSchedulesTest extends SchedulesContract {

  private static final Duration RETENTION = Duration.ofDays(90);

  private final Tables tables = Servers.tables();
  private final Timers timers = new DynamoTimers(Servers.dynamoDb(), tables, 3, Servers.fanout());
  private final Schedules schedules = schedules(Servers.dynamoDb());

  private Schedules schedules(DynamoDbClient client) {
    return new DynamoSchedules(client, tables, 3, RETENTION, () -> NOW, Servers.fanout());
  }

  @Override
  Schedules schedules() {
    return schedules;
  }

  @Override
  Timers timers() {
    return timers;
  }

  @Override
  Gates gates() {
    return new DynamoGates(Servers.dynamoDb(), tables, 3, RETENTION, Servers.fanout());
  }

  /** A gate that is full already refuses a schedule with limits that no other sets there. */
  @Test
  void theLimitsAtAGateAreBoundedBySize() {
    Servers.assumeCancelsLargeItems();
    Head limited = limiting(anActiveHead(REPORT), "exporter", "c1");
    GateKey gate = GateKey.ofProgram("default", "exporter");
    Map<String, AttributeValue> full =
        Map.of(
            "gate",
            AttributeValue.fromS(gate.toString()),
            "item",
            AttributeValue.fromS("gate"),
            "v",
            AttributeValue.fromN("1"),
            "x",
            AttributeValue.fromS("x".repeat(400 * 1_024 - 43)));
    Servers.dynamoDb().putItem(it -> it.tableName(tables.gates()).item(full));
    Change change =
        new Change(null, limited, aDefinition(limited), Set.of(), Set.of("event:a"), List.of());

    assertThatThrownBy(() -> schedules.save(change)).isInstanceOf(TooManyDemandsException.class);

    assertThat(schedules.heads(List.of(REPORT))).isEmpty();
    assertThat(schedules.withEventKey("default", "event:a")).isEmpty();
  }

  /** The limits name more gates than one transaction takes, beside the event keys. */
  @Test
  void aChangeOfMoreItemsThanATransactionTakesIsRefused() {
    String limits =
        IntStream.range(0, 10).mapToObj(it -> "c1:g" + it).collect(Collectors.joining(";"));
    Set<String> keys =
        IntStream.range(0, 88).mapToObj(it -> "event:" + it).collect(Collectors.toSet());
    Head limited = limiting(anActiveHead(REPORT), "exporter", limits);
    Change change = new Change(null, limited, aDefinition(limited), Set.of(), keys, List.of());
    assertThatThrownBy(() -> schedules.save(change)).isInstanceOf(TooManyDemandsException.class);
    assertThat(schedules.heads(List.of(REPORT))).isEmpty();
  }

  /** The client repeats a transaction whose answer was lost; it counts the limits once. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aLostAnswerCountsLimitsOnce(int answers) {
    Schedules lossy = schedules(Servers.dynamoDb(List.of(), new LostAnswers(answers)));
    Head limited = limiting(anActiveHead(REPORT), "exporter", "c1;c5:db");
    Change change = new Change(null, limited, aDefinition(limited), Set.of(), Set.of(), List.of());
    assertThat(lossy.save(change)).isTrue();
    for (String name : List.of("program:exporter", "group:db")) {
      GateKey key = GateKey.parse("default#" + name);
      Gate gate = gates().find(List.of(key)).get(key);
      assertThat(gate.demands()).hasSize(1).containsValue(1L);
      assertThat(gate.version()).isEqualTo(1);
    }
  }

  @Test
  void aTombstoneExpiresWithTheHistory() {
    Head head = anActiveHead(REPORT);
    schedules.save(aCreation(head, Set.of()));
    assertThat(headItem()).doesNotContainKey("expiresAt");

    schedules.save(
        new Change(
            head, inState(head, ScheduleState.DELETED), null, Set.of(), Set.of(), List.of()));

    assertThat(headItem().get("expiresAt").n())
        .isEqualTo(Long.toString(NOW.plus(RETENTION).getEpochSecond()));
  }

  @Test
  void aWriteWithALostAnswerSucceeds() {
    Schedules lossy = schedules(Servers.dynamoDb(List.of(), new LostAnswers(1)));
    Head head = anActiveHead(REPORT);

    assertThat(lossy.save(aCreation(head, Set.of("event:a")))).isTrue();
    assertThat(lossy.find(REPORT)).contains(new StoredSchedule(head, aDefinition(head)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"})
  void aTransactionThatMetAnotherOrWasThrottledIsTriedAgain(String reason) {
    Schedules troubled = schedules(Servers.dynamoDb(List.of(new Trouble(3, reason))));

    assertThat(troubled.save(aCreation(anActiveHead(REPORT), Set.of()))).isTrue();
  }

  @Test
  void aTransactionThatMeetsOthersForEverIsContention() {
    Schedules troubled = schedules(Servers.dynamoDb(List.of(new Trouble(1_000))));
    Change creation = aCreation(anActiveHead(REPORT), Set.of());

    assertThatThrownBy(() -> troubled.save(creation))
        .isInstanceOf(ContentionException.class)
        .hasCauseInstanceOf(TransactionCanceledException.class);
  }

  @Test
  void aTransactionThatIsThrottledForEverIsNoContention() {
    Schedules troubled =
        schedules(Servers.dynamoDb(List.of(new Trouble(1_000, "ThrottlingError"))));
    Change creation = aCreation(anActiveHead(REPORT), Set.of());

    assertThatThrownBy(() -> troubled.save(creation))
        .isInstanceOf(TransactionCanceledException.class);
  }

  @Test
  void aTransactionThatIsWrongIsNotTriedAgain() {
    Schedules troubled = schedules(Servers.dynamoDb(List.of(new Trouble(1, "ValidationError"))));
    Change creation = aCreation(anActiveHead(REPORT), Set.of());

    assertThatThrownBy(() -> troubled.save(creation))
        .isInstanceOf(TransactionCanceledException.class);
  }

  @Test
  void aHeadThatCannotBeReadIsNotTakenForAbsentAndHidesNoOther() {
    Head head = anActiveHead(REPORT);
    Head other = anActiveHead(schedule("other"));
    save(head, aDefinition(head));
    save(other, aDefinition(other));
    damage("head", "state", "UNHEARD_OF");

    List<ScheduleId> both = List.of(REPORT, other.id());
    for (Function<List<ScheduleId>, Object> read :
        List.<Function<List<ScheduleId>, Object>>of(
            schedules::heads, schedules::recentHeads, schedules::forLaunch)) {
      assertThatThrownBy(() -> read.apply(both))
          .isInstanceOfSatisfying(
              UnreadableSchedules.class, it -> assertThat(it.ids()).containsExactly(REPORT));
    }
    assertThatThrownBy(() -> schedules.find(REPORT)).isInstanceOf(UnreadableSchedules.class);
    assertOnlyListed(other);
  }

  @Test
  void aDefinitionThatCannotBeReadHidesNoOther() {
    Head head = anActiveHead(REPORT);
    Head other = anActiveHead(schedule("other"));
    save(head, aDefinition(head));
    save(other, aDefinition(other));
    damage("head", "document", "{");
    damage("def", "document", "{");

    List<ScheduleId> both = List.of(REPORT, other.id());
    assertThat(schedules.definitions(both)).containsOnlyKeys(other.id());
    assertThat(schedules.recentDefinitions(both)).containsOnlyKeys(other.id());
    assertThat(schedules.forLaunch(both).definitions()).containsOnlyKeys(other.id());
    assertThat(schedules.forLaunch(both).heads()).containsOnlyKeys(REPORT, other.id());
    assertThatThrownBy(() -> schedules.find(REPORT)).isInstanceOf(UnreadableSchedules.class);
    assertOnlyListed(other);
  }

  /** A restore of the table can take over a part of a transaction. */
  @Test
  void aHeadOfAnotherChangeThanItsDefinitionIsUnreadableAndCanBeReplaced() {
    Head head = anActiveHead(REPORT);
    save(head, aDefinition(head));
    damage("def", "headVersion", AttributeValue.fromN("7"));
    assertThatThrownBy(() -> schedules.find(REPORT))
        .isInstanceOfSatisfying(
            UnreadableSchedules.class, it -> assertThat(it.ids()).containsExactly(REPORT));

    remove("def");
    assertThatThrownBy(() -> schedules.find(REPORT)).isInstanceOf(UnreadableSchedules.class);
  }

  @Test
  void aDefinitionWithoutAHeadIsNoSchedule() {
    Head head = anActiveHead(REPORT);
    save(head, aDefinition(head));
    remove("head");
    assertThat(schedules.find(REPORT)).isEmpty();
    save(head, aDefinition(head));
    assertThat(schedules.find(REPORT)).isPresent();

    damage("head", "state", AttributeValue.fromS("DELETED"));
    damage("def", "headVersion", AttributeValue.fromN("7"));
    assertThat(schedules.find(REPORT)).isEmpty();
  }

  private void remove(String item) {
    Servers.dynamoDb().deleteItem(delete -> delete.tableName(tables.schedules()).key(key(item)));
  }

  private static Map<String, AttributeValue> key(String item) {
    return Map.of(
        "schedule", AttributeValue.fromS(REPORT.toString()), "item", AttributeValue.fromS(item));
  }

  private void assertOnlyListed(Head head) {
    List<StoredSchedule> only = List.of(schedules.find(head.id()).orElseThrow());
    assertThat(schedules.list("default", ALL, 10, null).items()).isEqualTo(only);
    assertThat(schedules.walk(WalkPart.WHOLE, 10, null).items()).isEqualTo(only);
  }

  private void damage(String item, String attribute, String value) {
    damage(item, attribute, AttributeValue.fromS(value));
  }

  private void damage(String item, String attribute, AttributeValue value) {
    Servers.dynamoDb()
        .updateItem(
            update ->
                update
                    .tableName(tables.schedules())
                    .key(key(item))
                    .updateExpression("SET #it = :it")
                    .expressionAttributeNames(Map.of("#it", attribute))
                    .expressionAttributeValues(Map.of(":it", value)));
  }

  @Test
  void itemsThatABatchLeavesUnreadAreReadAgain() {
    List<ScheduleId> ids = IntStream.range(0, 20).mapToObj(i -> schedule("r" + i)).toList();
    ids.forEach(id -> schedules.save(aCreation(anActiveHead(id), Set.of())));

    assertThat(schedules(Servers.dynamoDb(List.of(new Trouble(4)))).heads(ids)).hasSize(20);
  }

  @Test
  void headAndDefinitionAreAlwaysOfOneChange() throws Exception {
    Head first = anActiveHead(REPORT);
    schedules.save(
        new Change(
            null, first, aDefinition(first, "{\"version\": 1}"), Set.of(), Set.of(), List.of()));
    ExecutorService writer = Executors.newSingleThreadExecutor();
    Future<?> writing = writer.submit(this::changeManyTimes);
    do {
      StoredSchedule stored = schedules.find(REPORT).orElseThrow();
      assertThat(stored.definition().document().get("version").longValue())
          .isEqualTo(stored.head().version());
    } while (!writing.isDone());
    writer.shutdown();
    writing.get();
  }

  private void changeManyTimes() {
    Head head = anActiveHead(REPORT);
    for (int i = 0; i < 60; i++) {
      Head next = inState(head, i % 2 == 0 ? ScheduleState.SUSPENDED : ScheduleState.ACTIVE);
      String document = "{\"version\": " + next.version() + "}";
      schedules.save(
          new Change(head, next, aDefinition(next, document), Set.of(), Set.of(), List.of()));
      head = next;
    }
  }

  @Test
  void creatingAScheduleIsOneRequest() {
    Meter meter = new Meter();
    Schedules recorded = schedules(Servers.dynamoDb(List.of(meter)));
    Head head = ofApp(REPORT, null);

    recorded.save(
        new Change(
            null,
            head,
            aDefinition(head),
            Set.of(),
            Set.of("event:a"),
            List.of(aTimer(REPORT, NOW))));

    // Two units each for head, definition, entry and timer, one for each of the two indexes.
    assertThat(meter.writeUnits()).isEqualTo(10);
    assertThat(meter.requests()).isEqualTo(Map.of("TransactWriteItems", 1));
  }

  @Test
  void aSmallDefinitionComesWithItsHeadForNothing() {
    Servers.assumeExactCapacity();
    Head small = anActiveHead(REPORT);
    Head large = anActiveHead(schedule("large"));
    save(small, aDefinition(small));
    save(large, aDefinition(large, "{\"tags\": {\"a\": \"" + "ü".repeat(1_100) + "\"}}"));
    Meter meter = new Meter();
    Schedules recorded = schedules(Servers.dynamoDb(List.of(meter)));

    Launching read = recorded.forLaunch(List.of(REPORT, large.id()));
    assertThat(meter.readUnits()).as("two heads").isEqualTo(2);
    assertThat(read.heads()).isEqualTo(Map.of(REPORT, small, large.id(), large));
    assertThat(read.definitions()).isEqualTo(schedules.definitions(List.of(REPORT)));

    assertThat(recorded.list("default", ALL, 10, null).items())
        .containsExactlyInAnyOrder(
            schedules.find(REPORT).orElseThrow(), schedules.find(large.id()).orElseThrow());
    assertThat(meter.readUnits()).as("the index, and one definition").isEqualTo(3);
  }

  @Test
  void aListReadsNoDefinitionThatItDoesNotShow() {
    Servers.assumeExactCapacity();
    String large = "{\"tags\": {\"a\": \"" + "x".repeat(30_000) + "\"}}";
    for (int number = 0; number < 20; number++) {
      Head head = ofApp(schedule("s" + (10 + number)), number % 2 == 0 ? "even" : null);
      save(head, aDefinition(head, large));
    }
    assertReadUnits(ALL, 2, 0.5 + 2 * 4);
    assertReadUnits(new ListFilter("other", null, null, null, null, null), 2, 0.5);
    assertReadUnits(new ListFilter(null, null, ScheduleState.SUSPENDED, null, null, null), 2, 0.5);
    assertReadUnits(new ListFilter(null, "even", null, null, null, null), 2, 1 + 10 + 2 * 4);
    assertReadUnits(new ListFilter(null, null, null, "a=b", null, null), 2, 0.5 + 20 * 4);
  }

  private void assertReadUnits(ListFilter filter, int limit, double units) {
    Meter meter = new Meter();
    schedules(Servers.dynamoDb(List.of(meter))).list("default", filter, limit, null);
    assertThat(meter.readUnits()).as(filter.toString()).isBetween(units, units + 1.5);
  }

  @Test
  void theSchedulesOfAnAppAreReadWithoutTheOthersOfItsNamespace() {
    Servers.assumeExactCapacity();
    for (int number = 0; number < 60; number++) {
      Head head = ofApp(schedule("s" + number), number < 3 ? "small" : null);
      save(head, aDefinition(head, "{\"tags\": {\"a\": \"" + "x".repeat(1_000) + "\"}}"));
    }
    Meter meter = new Meter();
    assertThat(schedules(Servers.dynamoDb(List.of(meter))).ofApp(new AppId("default", "small")))
        .hasSize(3);
    assertThat(meter.readUnits()).isEqualTo(1);
    assertThat(meter.requests()).isEqualTo(Map.of("Query", 1));
  }

  @Test
  void joiningOrLeavingAnAppTakesTwoWriteUnitsAndStayingNone() {
    Head alone = ofApp(REPORT, null);
    double creation = writeUnits(aCreation(alone, Set.of()));
    Head member = ofApp(schedule("member"), "first");
    assertThat(writeUnits(aCreation(member, Set.of()))).isEqualTo(creation + 2);

    double stays = writeUnits(change(alone, inState(alone, ScheduleState.SUSPENDED)));
    Head suspended = inState(member, ScheduleState.SUSPENDED);
    assertThat(writeUnits(change(member, suspended))).isEqualTo(stays);
    Head left = ofApp(inState(suspended, ScheduleState.ACTIVE), null);
    assertThat(writeUnits(change(suspended, left))).isEqualTo(stays + 2);
  }

  private static Change change(Head before, Head after) {
    return new Change(before, after, aDefinition(after), Set.of(), Set.of(), List.of());
  }

  private double writeUnits(Change change) {
    Meter meter = new Meter();
    assertThat(schedules(Servers.dynamoDb(List.of(meter))).save(change)).isTrue();
    return meter.writeUnits();
  }

  private static Head ofApp(ScheduleId id, @Nullable String app) {
    return ofApp(anActiveHead(id), app);
  }

  private static Head ofApp(Head head, @Nullable String app) {
    return new Head(
        head.id(), head.version(), head.life(), head.suspendedBy(), head.program(), app);
  }

  private void save(Head head, Definition definition) {
    assertThat(schedules.save(new Change(null, head, definition, Set.of(), Set.of(), List.of())))
        .isTrue();
  }

  @Test
  void readingAHeadTakesOneUnitAndNoScanIsMadeButForTheWalk() {
    Servers.assumeExactCapacity();
    schedules.save(aCreation(anActiveHead(REPORT), Set.of("event:a")));
    Meter meter = new Meter();
    Schedules recorded = schedules(Servers.dynamoDb(List.of(meter)));

    recorded.heads(List.of(REPORT));
    assertThat(meter.readUnits()).isEqualTo(1);

    recorded.recentHeads(List.of(REPORT));
    recorded.recentDefinitions(List.of(REPORT));
    assertThat(meter.readUnits()).isEqualTo(2);

    recorded.find(REPORT);
    recorded.list("default", ALL, 10, null);
    recorded.withEventKey("default", "event:a");
    assertThat(meter.requests("Scan")).isZero();

    recorded.walk(WalkPart.WHOLE, 10, null);
    assertThat(meter.requests("Scan")).isEqualTo(1);
  }

  private Map<String, AttributeValue> headItem() {
    return Servers.dynamoDb()
        .getItem(
            get ->
                get.tableName(tables.schedules())
                    .key(
                        Map.of(
                            "schedule", AttributeValue.fromS(REPORT.toString()),
                            "item", AttributeValue.fromS("head"))))
        .item();
  }
}
