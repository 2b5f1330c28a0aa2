package dev.carillon.contract;

import static dev.carillon.contract.Samples.NOW;
import static dev.carillon.contract.Samples.REPORT;
import static dev.carillon.contract.Samples.aTimer;
import static dev.carillon.contract.Samples.asPut;
import static dev.carillon.contract.Samples.schedule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.Json;
import dev.carillon.id.ScheduleId;
import dev.carillon.timer.CatchUp;
import dev.carillon.timer.CatchUp.Policy;
import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

abstract class TimersContract {

  private static final int SHARDS = 4;

  /** The timers for a function that is configured with this number of shards. */
  abstract Timers timers(int shards);

  private Timers timers() {
    return timers(SHARDS);
  }

  @Test
  void nothingIsDueOfNothing() {
    timers().put(List.of());
    timers().delete(List.of());

    assertThat(due(NOW)).isEmpty();
  }

  @Test
  void aStoredTimerIsDueFromItsInstantOn() {
    Timer timer = aTimer(REPORT, NOW);
    timers().put(List.of(timer));

    assertThat(due(NOW.minusMillis(1))).isEmpty();
    assertThat(due(NOW)).containsExactly(timer);
    assertThat(due(NOW.plusSeconds(1_000_000_000))).containsExactly(timer);
  }

  @Test
  void theCatchUpPolicyIsStoredWithATimer() {
    Timer latest = missing(REPORT, new CatchUp(Policy.LATEST, Duration.ofMinutes(90)), NOW);
    Timer none = missing(schedule("other"), new CatchUp(Policy.NONE, null), null);
    Timer within = missing(schedule("third"), new CatchUp(Policy.ALL, Duration.ofDays(1)), null);
    timers().put(List.of(latest, none, within));

    assertThat(due(NOW)).containsExactlyInAnyOrder(latest, none, within);
  }

  private static Timer missing(ScheduleId id, CatchUp catchUp, Instant decidedTo) {
    Timer any = aTimer(id, NOW);
    return new Timer(
        id,
        NOW,
        any.activation(),
        any.leaf(),
        any.generation(),
        any.leafDocument(),
        catchUp,
        decidedTo);
  }

  @Test
  void thoseThatAreNotStoredAreMissing() {
    Timer stored = aTimer(REPORT, NOW);
    Timer moved = stored.movedTo(NOW.plusSeconds(1));
    Timer ofAnother = aTimer(schedule("other"), NOW);
    timers().put(List.of(stored));

    assertThat(timers().missing(List.of(stored, moved, ofAnother)))
        .containsExactly(moved, ofAnother);
    assertThat(timers().missing(List.of())).isEmpty();
  }

  @Test
  void theEarliestOfAShardComeFirst() {
    List<Timer> timers =
        IntStream.range(0, 7).mapToObj(i -> aTimer(REPORT, NOW.plusMillis((i * 5) % 7))).toList();
    timers().put(timers);
    int shard = shardOf(timers.get(0));

    List<Timer> inOrder = timers.stream().sorted(Comparator.comparing(Timer::dueAt)).toList();
    Instant later = NOW.plusSeconds(1);
    assertThat(asPut(timers().due(shard, later, null, 100))).isEqualTo(inOrder);
    assertThat(asPut(timers().due(shard, later, null, 3))).isEqualTo(inOrder.subList(0, 3));
    assertThat(asPut(timers().due(shard, NOW.plusMillis(4), null, 100)))
        .isEqualTo(inOrder.subList(0, 5));
    assertThat(asPut(timers().due(shard, later, inOrder.get(2), 100)))
        .isEqualTo(inOrder.subList(3, inOrder.size()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 11, 12, 100})
  void aPageBeginsBehindTheLastTimerOfTheOneBefore(int limit) {
    List<Timer> timers = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Timer timer = aTimer(REPORT, NOW.plusMillis(i / 4));
      timers.add(new Timer(REPORT, timer.dueAt(), 8 + i % 4, 0, 2, timer.leafDocument()));
    }
    timers().put(timers);
    int shard = shardOf(timers.get(0));

    List<Timer> paged = new ArrayList<>();
    List<Timer> page = timers().due(shard, NOW.plusSeconds(1), null, limit);
    while (!page.isEmpty()) {
      assertThat(page).hasSizeLessThanOrEqualTo(limit);
      paged.addAll(page);
      timers().delete(page);
      page = timers().due(shard, NOW.plusSeconds(1), page.get(page.size() - 1), limit);
    }

    assertThat(asPut(paged)).containsExactlyInAnyOrderElementsOf(timers);
    assertThat(paged).isSortedAccordingTo(Comparator.comparing(Timer::dueAt));
  }

  @Test
  void activationsAndLeavesAreTimersOfTheirOwn() {
    Timer timer = aTimer(REPORT, NOW);
    Timer newer = new Timer(REPORT, NOW, 4, 0, 3, timer.leafDocument());
    Timer otherLeaf = new Timer(REPORT, NOW, 3, 1, 2, timer.leafDocument());
    timers().put(List.of(timer, newer, otherLeaf));

    timers().delete(List.of(timer));

    assertThat(due(NOW)).containsExactlyInAnyOrder(newer, otherLeaf);
  }

  @Test
  void ofTwoWithOneKeyTheLastStays() {
    Timer timer = aTimer(REPORT, NOW);
    Timer same = new Timer(REPORT, NOW, 3, 0, 2, Json.object().put("type", "rate"));

    timers().put(List.of(timer, same));
    assertThat(due(NOW)).containsExactly(same);

    timers().put(List.of(timer));
    assertThat(due(NOW)).containsExactly(timer);
  }

  @Test
  void aDeletedTimerCanBeDeletedAgain() {
    Timer timer = aTimer(REPORT, NOW);
    timers().put(List.of(timer));

    timers().delete(List.of(timer, timer, aTimer(schedule("never"), NOW)));
    timers().delete(List.of(timer));

    assertThat(due(NOW)).isEmpty();
  }

  @Test
  void manyAreSpreadOverTheShards() {
    List<Timer> many =
        IntStream.range(0, 130).mapToObj(i -> aTimer(schedule("report-" + i), NOW)).toList();

    timers().put(many);

    assertThat(due(NOW)).containsExactlyInAnyOrderElementsOf(many);
    for (int shard = 0; shard < timers().shards(); shard++) {
      assertThat(timers().due(shard, NOW, null, 1_000))
          .hasSizeGreaterThan(130 / timers().shards() / 3);
    }

    timers().delete(many.subList(0, 100));
    assertThat(due(NOW)).containsExactlyInAnyOrderElementsOf(many.subList(100, 130));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5, 8})
  void timersInFormerShardsArePagedMovedAndDeletedThere(int before) {
    List<Timer> stored =
        IntStream.range(0, 40)
            .mapToObj(i -> aTimer(schedule("report-" + i), NOW.plusMillis(i)))
            .toList();
    timers(before).put(stored);
    int most = Math.max(before, SHARDS);

    List<Timer> read = paged(most, NOW.plusSeconds(1));
    assertThat(asPut(read)).containsExactlyInAnyOrderElementsOf(stored);
    List<Timer> moved =
        read.stream().map(timer -> timer.movedTo(timer.dueAt().plusSeconds(60))).toList();
    timers().put(moved);
    timers().delete(read);

    assertThat(due(NOW.plusSeconds(90))).containsExactlyInAnyOrderElementsOf(moved);
    assertThat(paged(most, NOW.plusSeconds(90))).hasSameSizeAs(stored);
  }

  @Test
  void aShardIsEmptyOnceItsLastTimerIsDeletedWheneverThatIsDue() {
    Timer far = aTimer(REPORT, NOW.plus(Duration.ofDays(3_000)));
    timers().put(List.of(far));
    List<Boolean> empty =
        IntStream.range(0, SHARDS).mapToObj(shard -> timers().isEmpty(shard)).toList();
    assertThat(empty).containsOnlyOnce(false);
    timers().delete(List.of(far));
    assertThat(IntStream.range(0, SHARDS).allMatch(shard -> timers().isEmpty(shard))).isTrue();
  }

  /** The timers of all shards that ever existed, three per page. */
  private List<Timer> paged(int shards, Instant until) {
    List<Timer> all = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      List<Timer> page = timers().due(shard, until, null, 3);
      while (!page.isEmpty()) {
        all.addAll(page);
        page = timers().due(shard, until, page.get(page.size() - 1), 3);
      }
    }
    return all;
  }

  @Test
  void oneThatLiesInTwoShardsIsDeletedWhereItWasRead() {
    Timer timer = aTimer(REPORT, NOW);
    timers().put(List.of(timer));
    int configured = shardOf(timer);
    int other =
        IntStream.range(5, 100)
            .filter(shards -> Math.floorMod(REPORT.toString().hashCode(), shards) != configured)
            .findFirst()
            .orElseThrow();
    timers(other).put(List.of(timer));
    Timer left =
        IntStream.range(0, other)
            .filter(shard -> shard != configured)
            .mapToObj(shard -> timers().due(shard, NOW, null, 1))
            .flatMap(List::stream)
            .findFirst()
            .orElseThrow();

    timers().delete(List.of(left));

    assertThat(paged(other, NOW)).containsExactly(timer.in(configured));
  }

  private int shardOf(Timer timer) {
    return IntStream.range(0, timers().shards())
        .filter(shard -> asPut(timers().due(shard, NOW.plusSeconds(1), null, 100)).contains(timer))
        .findFirst()
        .orElseThrow();
  }

  private List<Timer> due(Instant until) {
    List<Timer> all = new ArrayList<>();
    for (int shard = 0; shard < timers().shards(); shard++) {
      all.addAll(timers().due(shard, until, null, 1_000));
    }
    return asPut(all);
  }
}
