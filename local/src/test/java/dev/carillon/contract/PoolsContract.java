package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static dev.carillon.contract.Samples.REPORT;
import static dev.carillon.contract.Samples.sideBySide;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.PoolId;
import dev.carillon.id.Subject;
import dev.carillon.job.Gates;
import dev.carillon.pool.Pool;
import dev.carillon.pool.Pool.Order;
import dev.carillon.pool.PoolActivity;
import dev.carillon.pool.PoolPull;
import dev.carillon.pool.PoolReader;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolRow.InFlight;
import dev.carillon.pool.PoolRow.Newcomer;
import dev.carillon.pool.PoolRow.Place;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolRow.Served;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.pool.Pools;
import dev.carillon.pool.ReadyCount;
import dev.carillon.pool.StoredPool;
import dev.carillon.pool.Turns;
import dev.carillon.pool.Turns.Flow;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

abstract class PoolsContract {

  static final PoolId ENCODE = new PoolId("default", "encode");

  /** Names that a key must neither confuse nor lose. */
  private static final List<String> CUSTOMERS =
      List.of(
          "", "a", "a b", "a#b", "a%23b", "a+b", "a.b", "a-b", "ab", "A", "é", "東京", "🎺", "\n");

  abstract Pools pools();

  /** The gates in whose table the pools are. */
  abstract Gates gates();

  static Pool pool(String document) {
    return PoolReader.read(Json.readObject(document));
  }

  static StoredPool aPool(PoolId id) {
    return StoredPool.created(id, pool("{\"queue\": \"encode\", \"depth\": 7}"), NOW, "ada");
  }

  static JobId job(long number) {
    return JobId.ofFire(REPORT, 1, NOW.plusSeconds(number));
  }

  static ReadyJob ready(int priority, String customer, long number) {
    return new ReadyJob(ENCODE, priority, customer, NOW.plusMillis(number), job(number));
  }

  static Turns turns(@Nullable String cursor, Map<String, Flow> flows) {
    return new Turns(12, cursor, 3, 4, 1, 0.1 + 0.2, flows);
  }

  List<PoolRow> everyRow() {
    return pools().rows(ENCODE, PoolRow.FLIGHT, PoolRow.after(PoolRow.READY), 1_000);
  }

  @Test
  void aStoredPoolIsFoundUnchanged() {
    StoredPool created = aPool(ENCODE);
    assertThat(pools().find(List.of(ENCODE))).isEmpty();
    assertThat(pools().save(null, created)).isTrue();
    assertThat(pools().find(List.of(ENCODE, new PoolId("default", "none"), ENCODE)))
        .isEqualTo(Map.of(ENCODE, created));
    Pool whole =
        pool(
            """
            {"description": "Encodes", "queue": "encode", "depth": 100000, "order": "fair",
             "weights": {"acme": 2, "a#b %": 0.125, "東京": 1000, "one": 1, "ten": 10},
             "maxInFlight": {"default": 3, "acme": 10000},
             "match": {"type": ["encode"]}, "paused": true, "reason": "a\\u00a0fault"}\
            """);
    StoredPool changed = created.changed(whole, NOW.plusSeconds(1), "bob");
    assertThat(pools().save(created, changed)).isTrue();
    assertThat(pools().find(List.of(ENCODE))).isEqualTo(Map.of(ENCODE, changed));
    StoredPool plain = changed.changed(pool("{}"), NOW.plusSeconds(2), "bob");
    assertThat(pools().save(changed, plain)).isTrue();
    assertThat(pools().find(List.of(ENCODE))).isEqualTo(Map.of(ENCODE, plain));
    assertThat(pools().find(List.of())).isEmpty();
  }

  @Test
  void aWriterThatReadAnotherVersionOfAPoolChangesNothing() {
    StoredPool first = aPool(ENCODE);
    StoredPool second = first.changed(pool("{}"), NOW, "bob");
    StoredPool third = second.changed(pool("{\"order\": \"fifo\"}"), NOW, "bob");
    assertThat(pools().save(first, second)).isFalse();
    assertThat(pools().save(null, first)).isTrue();
    assertThat(pools().save(null, first)).isFalse();
    assertThat(pools().save(second, third)).isFalse();
    assertThat(pools().save(first, second)).isTrue();
    assertThat(pools().delete(first)).isFalse();
    assertThat(pools().overwrite(first)).isFalse();
    assertThat(pools().find(List.of(ENCODE))).isEqualTo(Map.of(ENCODE, second));
    assertThat(pools().delete(second)).isTrue();
    assertThat(pools().find(List.of(ENCODE))).isEmpty();
    assertThat(pools().save(second, third)).isFalse();
  }

  @Test
  void poolsOfANamespaceAreListedByName() {
    for (String name : List.of("b", "a.b", "B", "-", "a")) {
      pools().save(null, aPool(new PoolId("default", name)));
    }
    pools().save(null, aPool(new PoolId("default2", "x")));
    Page<StoredPool> first = pools().list("default", 3, null);
    assertThat(first.items()).extracting(it -> it.id().name()).containsExactly("-", "B", "a");
    Page<StoredPool> rest = pools().list("default", 3, first.next());
    assertThat(rest.items()).extracting(it -> it.id().name()).containsExactly("a.b", "b");
    assertThat(rest.next()).isNull();
    assertThat(pools().list("none", 3, null).items()).isEmpty();
  }

  @Test
  void thePoolsWithAPatternAreFoundByName() {
    String matching = "{\"match\": {\"kind\": [\"video\"]}}";
    for (PoolId id :
        List.of(new PoolId("default", "b"), new PoolId("default", "a"), new PoolId("other", "c"))) {
      pools().save(null, StoredPool.created(id, pool(matching), NOW, "ann"));
    }
    pools().save(null, aPool(ENCODE));
    assertThat(pools().matching("default"))
        .extracting(stored -> stored.id().name())
        .containsExactly("a", "b");
    assertThat(pools().matching("none")).isEmpty();
  }

  @Test
  void aDeletedPoolKeepsItsRows() {
    StoredPool pool = aPool(ENCODE);
    pools().save(null, pool);
    pools().put(List.of(ready(1, "acme", 1)));
    assertThat(pools().delete(pool)).isTrue();
    assertThat(everyRow()).containsExactly(ready(1, "acme", 1));
  }

  @Test
  void aStateIsFoundUnchanged() {
    assertThat(pools().state(ENCODE)).isEmpty();
    PoolState begin = PoolState.begin(ENCODE);
    Map<String, Flow> flows =
        Map.of(
            Turns.REST,
            new Flow(1.0 / 3, true),
            "a b#c%d",
            new Flow(1e-9, false),
            "東京",
            new Flow(12_345_678.9, true));
    List<Leaving> leaving = new ArrayList<>();
    for (int i = 0; i < CUSTOMERS.size(); i++) {
      leaving.add(new Leaving(ready(9, CUSTOMERS.get(i), i), NOW.plusMillis(i), i % 2 == 0, i));
    }
    Map<Integer, Turns> turns =
        Map.of(
            1,
            turns(null, flows),
            5,
            turns("", Map.of()),
            9,
            turns("a#b", Map.of()),
            10,
            turns("🎺", flows));
    PoolState full = begin.next(turns, leaving, 1L << 40);
    assertThat(pools().update(begin, full)).isTrue();
    assertThat(pools().state(ENCODE)).contains(full);
    assertThat(pools().state(new PoolId("default", "other"))).isEmpty();
    PoolState ordered = full.ordered(Order.FIFO, List.of());
    assertThat(pools().update(full, ordered)).isTrue();
    assertThat(pools().state(ENCODE)).contains(ordered);
  }

  @Test
  void rowsAreRemovedTogetherWithTheChangeOfTheStateOrNotAtAll() {
    PoolState begin = PoolState.begin(ENCODE);
    PoolState first = begin.ordering(PoolRow.READY);
    PoolState second = first.ordering(ready(1, "", 5).key());
    List<PoolRow> rows = new ArrayList<>();
    IntStream.rangeClosed(1, Pools.MOST_REMOVED).forEach(it -> rows.add(ready(1, "", it)));
    ReadyJob stays = ready(2, "", 1);
    pools().put(rows);
    pools().put(List.of(stays));
    assertThat(pools().reorder(first, second, rows)).isFalse();
    assertThat(everyRow()).hasSize(rows.size() + 1);
    assertThat(pools().state(ENCODE)).isEmpty();
    assertThat(pools().reorder(begin, first, rows)).isTrue();
    assertThat(everyRow()).containsExactly(stays);
    assertThat(pools().reorder(first, second, List.of(rows.get(0)))).isTrue();
    assertThat(pools().reorder(first, second, List.of(stays))).isFalse();
    assertThat(everyRow()).containsExactly(stays);
    assertThat(pools().state(ENCODE)).contains(second);
  }

  @Test
  void theJobsServedLatelyAreFoundUnchanged() {
    PoolState begin = PoolState.begin(ENCODE);
    List<ReadyJob> jobs = CUSTOMERS.stream().map(customer -> ready(1, customer, 1)).toList();
    PoolState first = begin.next(Map.of(), List.of(), 0).serving(jobs, NOW);
    assertThat(pools().update(begin, first)).isTrue();
    assertThat(pools().state(ENCODE)).contains(first);
    List<ReadyJob> more = IntStream.range(0, 9).mapToObj(it -> ready(1, "c" + it, it)).toList();
    PoolState second =
        first.next(Map.of(), List.of(), 0).serving(more, NOW.plus(Duration.ofMinutes(30)));
    assertThat(second.served().others().sum()).isPositive();
    assertThat(pools().update(first, second)).isTrue();
    assertThat(pools().state(ENCODE)).contains(second);
  }

  @Test
  void ofWritersThatReadTheSameStateOneWins() throws Exception {
    PoolState begin = PoolState.begin(ENCODE);
    PoolState first = begin.next(Map.of(), List.of(), 1);
    PoolState second = first.next(Map.of(), List.of(), 1);
    assertThat(pools().update(first, second)).isFalse();
    assertThat(sideBySide(4, () -> pools().update(begin, first))).containsOnlyOnce(true);
    assertThat(pools().update(begin, first)).isFalse();
    assertThat(sideBySide(4, () -> pools().update(first, second))).containsOnlyOnce(true);
    assertThat(pools().state(ENCODE)).contains(second);
  }

  @Test
  void allRowsOfACustomerStandTogetherTheOldestJobFirst() {
    List<PoolRow> rows = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      for (String customer : CUSTOMERS) {
        rows.add(ready(1, customer, number));
      }
    }
    CUSTOMERS.forEach(customer -> rows.add(new Served(ENCODE, 1, customer, 1L << 40)));
    Collections.reverse(rows);
    pools().put(rows);

    List<PoolRow> read = pools().rows(ENCODE, PoolRow.of(1), PoolRow.after(PoolRow.of(1)), 1_000);

    assertThat(read).containsExactlyInAnyOrderElementsOf(rows);
    assertThat(read).extracting(PoolRow::key).isSorted();
    for (int i = 0; i < read.size(); i += 4) {
      String customer = ((Place) read.get(i)).customer();
      assertThat(read.subList(i, i + 4))
          .containsExactly(
              new Served(ENCODE, 1, customer, 1L << 40),
              ready(1, customer, 1),
              ready(1, customer, 2),
              ready(1, customer, 3));
    }
  }

  @Test
  void aRangeOfRowsIncludesNeitherBound() {
    List<ReadyJob> jobs = IntStream.range(0, 5).mapToObj(it -> ready(1, "a", it)).toList();
    pools().put(jobs);
    String first = jobs.get(0).key();
    String last = jobs.get(4).key();
    assertThat(pools().rows(ENCODE, first, last, 9)).isEqualTo(jobs.subList(1, 4));
    assertThat(pools().rows(ENCODE, first, last, 3)).isEqualTo(jobs.subList(1, 4));
    assertThat(pools().rows(ENCODE, first, last, 2)).isEqualTo(jobs.subList(1, 3));
    assertThat(pools().rows(ENCODE, PoolRow.READY, last, 2)).isEqualTo(jobs.subList(0, 2));
    assertThat(pools().rows(ENCODE, first, PoolRow.after(PoolRow.READY), 9))
        .isEqualTo(jobs.subList(1, 5));
    assertThat(pools().rows(ENCODE, last, last, 9)).isEmpty();
    assertThat(pools().rows(ENCODE, last, first, 9)).isEmpty();
  }

  @Test
  void rowsOfEachKindAreReadByThemselves() {
    List<PoolRow> places = List.of(ready(1, "a", 1), ready(2, "a", 2), ready(2, "ab", 3));
    List<PoolRow> newcomers = List.of(new Newcomer(ENCODE, 1, ""), new Newcomer(ENCODE, 2, "a b"));
    List<PoolRow> flights =
        List.of(new InFlight(ENCODE, "a", NOW, job(1)), new InFlight(ENCODE, "ab", NOW, job(2)));
    pools().put(places);
    pools().put(newcomers);
    pools().put(flights);
    pools().put(List.of(new Newcomer(new PoolId("default", "encode2"), 1, "x")));
    PoolState begin = PoolState.begin(ENCODE);
    pools().update(begin, begin.next(Map.of(), List.of(), 0));
    pools().planChoice(ENCODE, NOW);

    assertThat(rows(PoolRow.READY)).isEqualTo(places);
    assertThat(rows(PoolRow.of(2))).isEqualTo(places.subList(1, 3));
    assertThat(rows(PoolRow.of(2, "a"))).isEqualTo(places.subList(1, 2));
    assertThat(rows(PoolRow.NEW)).isEqualTo(newcomers);
    assertThat(rows(PoolRow.FLIGHT)).isEqualTo(flights);
    assertThat(rows(PoolRow.flights("a"))).isEqualTo(flights.subList(0, 1));
    assertThat(pools().rows(new PoolId("default", "none"), "a", "z", 9)).isEmpty();
  }

  private List<PoolRow> rows(String prefix) {
    return pools().rows(ENCODE, prefix, PoolRow.after(prefix), 1_000);
  }

  @Test
  void repeatedPutsAndRemovalsChangeNothing() {
    List<ReadyJob> jobs = IntStream.range(0, 60).mapToObj(it -> ready(1, "a", it)).toList();
    pools().put(jobs);
    pools().put(jobs);
    pools().put(List.of(jobs.get(0), jobs.get(0)));
    assertThat(everyRow()).isEqualTo(jobs);
    pools().put(List.of(new Served(ENCODE, 1, "b", 1)));
    pools().put(List.of(new Served(ENCODE, 1, "b", 2)));
    String ofCustomer = PoolRow.of(1, "b");
    assertThat(pools().rows(ENCODE, PoolRow.before(ofCustomer), PoolRow.after(ofCustomer), 9))
        .containsExactly(new Served(ENCODE, 1, "b", 2));
    pools().remove(List.of(new Served(ENCODE, 1, "b", 1)));
    pools().remove(jobs.subList(0, 58));
    pools().remove(jobs.subList(0, 59));
    assertThat(everyRow()).containsExactly(jobs.get(59));
    pools().put(List.of());
    pools().remove(List.of());
    assertThat(everyRow()).containsExactly(jobs.get(59));
  }

  @Test
  void claimsAreAddedUp() throws Exception {
    assertThat(pools().activity(ENCODE)).isEqualTo(PoolActivity.none(ENCODE));
    assertThat(pools().claimed(ENCODE, 2))
        .isEqualTo(new PoolActivity(ENCODE, 2, null, false, null));
    pools().planChoice(ENCODE, NOW);
    List<PoolActivity> sums = sideBySide(8, () -> pools().claimed(ENCODE, 3));
    assertThat(sums)
        .extracting(PoolActivity::claimed)
        .containsExactlyInAnyOrder(5L, 8L, 11L, 14L, 17L, 20L, 23L, 26L);
    PoolActivity all = new PoolActivity(ENCODE, 26, NOW, true, null);
    assertThat(sums).contains(all);
    assertThat(pools().activity(ENCODE)).isEqualTo(all);
    assertThat(pools().activity(new PoolId("default", "other")).claimed()).isZero();
  }

  @Test
  void choicesArePlannedAtOnceAndAtLeastAPauseApart() {
    assertThat(pools().planChoice(ENCODE, NOW)).contains(NOW);
    assertThat(pools().planChoice(ENCODE, NOW.minusMillis(1))).isEmpty();
    assertThat(pools().planChoice(ENCODE, NOW.minusSeconds(5))).isEmpty();
    Instant next = NOW.plus(Pools.PAUSE);
    assertThat(pools().planChoice(ENCODE, NOW)).contains(next);
    assertThat(pools().planChoice(ENCODE, NOW.plusMillis(2))).isEmpty();
    assertThat(pools().activity(ENCODE)).isEqualTo(new PoolActivity(ENCODE, 0, next, true, null));
    Instant late = next.plus(Duration.ofMinutes(1));
    assertThat(pools().planChoice(ENCODE, late)).contains(late);
  }

  @Test
  void ofCallersAtTheSameTimeOnePlansForNowAndOneForLater() throws Exception {
    for (int round = 0; round < 3; round++) {
      Instant now = NOW.plusSeconds(10L * round);
      List<Optional<Instant>> plans = sideBySide(8, () -> pools().planChoice(ENCODE, now));
      assertThat(plans.stream().flatMap(Optional::stream))
          .containsExactlyInAnyOrder(now, now.plus(Pools.PAUSE));
    }
  }

  @Test
  void aPoolIsInTheAttentionIndexFromItsFirstPlanUntilItRests() {
    assertThat(attention()).isEmpty();
    pools().planChoice(ENCODE, NOW);
    Wakeup wakeup = new Wakeup(ENCODE, NOW.plus(Wakeup.SLACK));
    assertThat(attention()).containsExactly(wakeup);
    pools().planChoice(ENCODE, NOW.plusSeconds(10));
    pools().claimed(ENCODE, 1);
    assertThat(attention()).containsExactly(wakeup);
    assertThat(PoolId.parse(attention().get(0).subject().toString())).isEqualTo(ENCODE);
    assertThat(isAttentionEmpty()).isFalse();

    pools().rest(pools().activity(ENCODE));

    assertThat(attention()).isEmpty();
    assertThat(isAttentionEmpty()).isTrue();
    assertThat(pools().activity(ENCODE))
        .isEqualTo(new PoolActivity(ENCODE, 1, NOW.plusSeconds(10), false, null));
  }

  @Test
  void ofThoseThatReadTheSameOneStoresThatTheJobsAreCounted() throws Exception {
    for (int minute = 0; minute < 3; minute++) {
      Instant now = NOW.plus(Duration.ofMinutes(minute));
      PoolActivity before = pools().activity(ENCODE);
      assertThat(before.isToBeExamined(now)).isTrue();
      assertThat(sideBySide(8, () -> pools().examine(before, now)))
          .containsOnlyOnce(true)
          .contains(false);
      assertThat(pools().activity(ENCODE).examinedAt()).isEqualTo(now);
      assertThat(pools().activity(ENCODE).isToBeExamined(now.plusMillis(1))).isFalse();
    }
    pools().planChoice(ENCODE, NOW);
    pools().claimed(ENCODE, 1);
    pools().rest(pools().activity(ENCODE));
    assertThat(pools().activity(ENCODE).examinedAt()).isEqualTo(NOW.plus(Duration.ofMinutes(2)));
  }

  @Test
  void aPoolThatIsWatchedIsInTheAttentionIndexAndItsPlanStays() {
    pools().watch(ENCODE, NOW);
    assertThat(attention()).containsExactly(new Wakeup(ENCODE, NOW.plus(Wakeup.SLACK)));
    pools().watch(ENCODE, NOW.plusSeconds(9));
    assertThat(pools().activity(ENCODE).nextChoice()).isEqualTo(NOW);
  }

  @Test
  void waitingJobsAreCountedWithoutThoseThatWereChosen() {
    List<ReadyJob> jobs =
        List.of(ready(1, "a", 5), ready(1, "a", 6), ready(1, "b", 2), ready(3, "a", 1));
    pools().put(jobs);
    pools().put(List.of(new Served(ENCODE, 1, "c", 1)));
    ReadyCount all = pools().count(ENCODE, Set.of());
    assertThat(all.jobs()).isEqualTo(4);
    assertThat(all.byCustomer()).isEqualTo(Map.of("a", 3L, "b", 1L));
    assertThat(all.oldest()).isEqualTo(jobs.get(3).since());
    assertThat(all.isAtLeast()).isFalse();
    ReadyCount rest = pools().count(ENCODE, Set.of(jobs.get(3).job(), jobs.get(2).job()));
    assertThat(rest).isEqualTo(new ReadyCount(2, false, Map.of("a", 2L), jobs.get(0).since()));
  }

  @Test
  void aPoolForWhichAChoiceWasPlannedSinceDoesNotRest() {
    pools().rest(pools().activity(ENCODE));
    PoolActivity unplanned = pools().activity(ENCODE);
    pools().planChoice(ENCODE, NOW);
    pools().rest(unplanned);
    assertThat(attention()).hasSize(1);
    PoolActivity before = pools().activity(ENCODE);
    pools().planChoice(ENCODE, NOW.plusSeconds(3));
    pools().rest(before);
    assertThat(attention()).hasSize(1);
    assertThat(pools().activity(ENCODE).isAwake()).isTrue();
    PoolActivity present = pools().activity(ENCODE);
    pools().claimed(ENCODE, 1);
    pools().rest(present);
    assertThat(attention()).isEmpty();
  }

  /** The choice that was planned before it rested has been made. */
  @Test
  void aPoolThatRestsIsPlannedAgainWhateverItsLastPlan() {
    pools().planChoice(ENCODE, NOW);
    pools().rest(pools().activity(ENCODE));
    Instant next = NOW.plus(Pools.PAUSE);
    assertThat(pools().planChoice(ENCODE, NOW)).contains(next);
    assertThat(attention()).containsExactly(new Wakeup(ENCODE, next.plus(Wakeup.SLACK)));
    assertThat(pools().planChoice(ENCODE, NOW)).isEmpty();
  }

  @Test
  void theRecordOfAPullIsStoredOnce() {
    PoolPull first = new PoolPull(ENCODE, "request-1", List.of(job(1), job(2)), NOW);
    PoolPull second = new PoolPull(ENCODE, "request-1", List.of(job(3)), NOW.plusSeconds(1));
    PoolId other = new PoolId("default", "encode2");
    assertThat(pools().pull(ENCODE, "request-1")).isEmpty();
    assertThat(pools().save(first)).isTrue();
    assertThat(pools().save(second)).isFalse();
    assertThat(pools().save(new PoolPull(other, "request-1", List.of(job(4)), NOW))).isTrue();
    assertThat(pools().pull(ENCODE, "request-1")).contains(first);
    assertThat(pools().pull(ENCODE, "request-2")).isEmpty();
    assertThat(rows(PoolRow.READY)).isEmpty();
  }

  @Test
  void theAttentionIndexHasPoolsPageByPage() {
    Set<PoolId> ids =
        IntStream.range(0, 20)
            .mapToObj(it -> new PoolId("default", "p" + it))
            .collect(Collectors.toSet());
    ids.forEach(id -> pools().planChoice(id, NOW));
    List<Subject> found = new ArrayList<>();
    for (int shard = 0; shard < gates().attentionShards(); shard++) {
      Wakeup last = null;
      for (List<Wakeup> page = page(shard, null); !page.isEmpty(); page = page(shard, last)) {
        page.forEach(wakeup -> found.add(wakeup.subject()));
        last = page.get(page.size() - 1);
      }
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(ids);
  }

  private List<Wakeup> page(int shard, @Nullable Wakeup after) {
    return gates().needingAttention(shard, NOW.plus(Wakeup.SLACK), after, 2);
  }

  private List<Wakeup> attention() {
    return IntStream.range(0, gates().attentionShards())
        .mapToObj(shard -> gates().needingAttention(shard, NOW.plusSeconds(900), null, 10))
        .flatMap(List::stream)
        .toList();
  }

  private boolean isAttentionEmpty() {
    return IntStream.range(0, gates().attentionShards()).allMatch(gates()::isAttentionEmpty);
  }
}
