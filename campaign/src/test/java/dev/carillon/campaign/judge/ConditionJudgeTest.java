package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Condition.All;
import dev.carillon.campaign.judge.Condition.Any;
import dev.carillon.campaign.judge.Condition.Bytes;
import dev.carillon.campaign.judge.Condition.Elapsed;
import dev.carillon.campaign.judge.Condition.Fires;
import dev.carillon.campaign.judge.Condition.Manual;
import dev.carillon.campaign.judge.Condition.Matching;
import dev.carillon.campaign.judge.Condition.Quiet;
import dev.carillon.campaign.judge.Condition.Reported;
import dev.carillon.campaign.judge.Condition.Timed;
import dev.carillon.campaign.judge.Filter.Rule;
import dev.carillon.campaign.judge.Finding.Kind;
import dev.carillon.campaign.judge.History.Announcement;
import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.StoredCollectingJob;
import dev.carillon.campaign.judge.ScheduleSpec.Cron;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import dev.carillon.campaign.judge.ScheduleSpec.Whole;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Hand-written histories of triggers that count events of every kind. */
class ConditionJudgeTest {

  private static final long START = Instant.parse("2026-03-01T10:00:00Z").toEpochMilli();
  private static final Condition RED_ORDERS =
      new Matching("orders", 1, new Filter(Rule.COLOR, "red", 0));

  private final List<Operation> operations = new ArrayList<>();
  private final List<Announcement> announcements = new ArrayList<>();
  private final List<Arrival> arrivals = new ArrayList<>();
  private final List<StoredCollectingJob> open = new ArrayList<>();

  private static long at(double second) {
    return START + Math.round(second * 1_000);
  }

  private static String text(double second) {
    return Instant.ofEpochMilli(at(second)).toString();
  }

  private void stored(Condition condition) {
    ScheduleSpec spec = new ScheduleSpec(1, Join.ANY, List.of(new Whole(condition)), false);
    operations.add(new Operation("s", History.Kind.PUT, 1, spec, at(0), at(1), true, null));
  }

  private void sent(String id, double second, Fact fact) {
    announcements.add(new Announcement(id, "", 1, at(second), at(second), fact));
  }

  private void launched(String job, double satisfied, List<Integer> counts, String... events) {
    String leaves =
        IntStream.range(0, counts.size())
            .mapToObj(i -> "{\"leaf\": %d, \"actual\": %d}".formatted(i, counts.get(i)))
            .collect(Collectors.joining(", "));
    String ids =
        List.of(events).stream()
            .map("{\"id\": \"%s\"}"::formatted)
            .collect(Collectors.joining(","));
    String body =
        "{\"v\": 1, \"at\": \"%s\", \"trigger\": {\"triggeredAt\": \"%s\", \"leaves\": [%s], \"events\": [%s]}}"
            .formatted(text(satisfied), text(satisfied), leaves, ids);
    long arrived = at(satisfied) + 50;
    arrivals.add(new Arrival(arrived, job, 1, "s", body, arrived, false));
  }

  private List<Finding> findings() {
    return Judge.of(history()).findings();
  }

  private History history() {
    return new History(
        START,
        History.NEVER,
        at(200),
        60_000,
        START,
        at(300),
        operations,
        List.of(),
        List.of(),
        List.of(),
        announcements,
        List.of(),
        arrivals,
        List.of(),
        open,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        0,
        0,
        null,
        LimitFacts.NONE,
        List.of());
  }

  private void assertFound(Kind kind, String what) {
    assertThat(findings())
        .anySatisfy(
            finding -> {
              assertThat(finding.kind()).isEqualTo(kind);
              assertThat(finding.what()).contains(what);
            });
  }

  @Test
  void bytesAddUpUntilThereAreEnough() {
    stored(new Bytes("clicks", 100));
    sent("a", 10, new Fact("size:clicks", 60));
    sent("b", 20, new Fact("size:clicks", 70));
    launched("j", 20.1, List.of(130), "a", "b");
    assertThat(findings()).isEmpty();
  }

  @Test
  void eventsCountedInsteadOfTheirBytesAreFound() {
    stored(new Bytes("clicks", 2));
    sent("a", 10, new Fact("size:clicks", 60));
    sent("b", 20, new Fact("size:clicks", 70));
    launched("j", 20.1, List.of(2), "a", "b");
    assertFound(Kind.MISCOUNTED, "its leaves say [2] instead of [130]");
  }

  @Test
  void aJobThatTookAnEventOfTheNextIsFound() {
    stored(new Bytes("clicks", 50));
    sent("a", 10, new Fact("size:clicks", 60));
    sent("b", 20, new Fact("size:clicks", 70));
    launched("j", 20.1, List.of(130), "a", "b");
    assertFound(Kind.MISCOUNTED, "belong to the next job");
  }

  @Test
  void aJobOfTooFewBytesIsFound() {
    stored(new Bytes("clicks", 100));
    sent("a", 10, new Fact("size:clicks", 60));
    launched("j", 10.1, List.of(60), "a");
    assertFound(Kind.MISCOUNTED, "before its trigger was satisfied");
  }

  @Test
  void onlyEventsThatMatchTheFilterAreWanted() {
    stored(RED_ORDERS);
    sent("a", 10, new Fact("event:orders", 1, "blue", null));
    sent("b", 20, new Fact("event:orders", 1, "red", null));
    launched("j", 20.1, List.of(1), "b");
    assertThat(findings()).isEmpty();
    launched("i", 10.1, List.of(1), "a");
    assertFound(Kind.MISCOUNTED, "event a was counted, but no document wanted it");
    assertFound(Kind.MISCOUNTED, "counted event a, which its trigger does not name");
  }

  @Test
  void anEventThatNoJobHasIsFound() {
    stored(RED_ORDERS);
    sent("a", 10, new Fact("event:orders", 1, "red", null));
    assertFound(Kind.MISCOUNTED, "event a was accepted, but not counted");
  }

  @Test
  void aLateLaunchIsFound() {
    stored(RED_ORDERS);
    sent("a", 10, new Fact("event:orders", 1, "red", null));
    launched("j", 14, List.of(1), "a");
    assertFound(Kind.LATE, "long after its trigger was satisfied");
  }

  /** Its search found no schedule, so it was repeated. */
  @Test
  void anEventThatWasSentBeforeTheAnswerToPutMayBeFoundLate() {
    stored(RED_ORDERS);
    sent("a", 0.5, new Fact("event:orders", 1, "red", null));
    launched("j", 7, List.of(1), "a");
    assertThat(findings()).isEmpty();
  }

  @Test
  void anotherStatusIsFound() {
    stored(new Reported("etl", List.of("SUCCEEDED"), 1));
    sent("a", 10, new Fact("program:etl:STARTED", 1));
    launched("j", 10.1, List.of(1), "a");
    assertFound(Kind.MISCOUNTED, "which its trigger does not name");
  }

  @Test
  void jobsTakeEventsInTheirOrder() {
    stored(RED_ORDERS);
    sent("a", 5, new Fact("event:orders", 1, "red", null));
    sent("b", 20, new Fact("event:orders", 1, "red", null));
    launched("i", 10.1, List.of(1), "b");
    launched("j", 20.1, List.of(1), "a");
    assertFound(Kind.MISCOUNTED, "counted event b, which came later");
    assertFound(Kind.MISCOUNTED, "counted event a, which belongs to i");
  }

  // ---- leaves that instants satisfy

  private static final Matching ORDERS = new Matching("orders", 1, null);

  /** A launch that one leaf's instant satisfied. */
  private void elapsed(String job, double instant, String... events) {
    String ids =
        List.of(events).stream()
            .map("{\"id\": \"%s\"}"::formatted)
            .collect(Collectors.joining(","));
    String at = text(instant);
    String body =
        "{\"v\": 1, \"at\": \"%s\", \"trigger\": {\"triggeredAt\": \"%s\", \"leaves\": [{\"leaf\": 0, \"actual\": 1, \"scheduledFor\": \"%s\"}], \"events\": [%s]}}"
            .formatted(at, at, at, ids);
    long arrived = at(instant) + 50;
    arrivals.add(new Arrival(arrived, job, 1, "s", body, arrived, false));
  }

  private void ordered(String id, double second) {
    sent(id, second, new Fact("event:orders", 1));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 40, ''",
    "0, 30, was quiet for less than its period",
    "0, 60, was quiet for longer than its period",
    "25, 35, ''",
    "25, 31, was quiet for less than its period",
    "25, 40, was quiet for longer than its period"
  })
  void quietFollowsTheLastEventWithinItsBound(int atMost, double instant, String finding) {
    stored(new Quiet(ORDERS, 20_000, atMost * 1_000L));
    ordered("a", 10);
    ordered("b", 20);
    elapsed("j", instant, "a", "b");
    assertOnly(finding);
  }

  static Stream<Timed> timed() {
    return Stream.of(new Quiet(ORDERS, 20_000, 0), new Elapsed(ORDERS, 20_000));
  }

  @ParameterizedTest
  @MethodSource("timed")
  void theTimeAfterAnEventThatPrecedesTheScheduleHasNoBound(Timed leaf) {
    stored(leaf);
    ordered("a", 0.5);
    elapsed("j", 90, "a");
    assertOnly("");
  }

  @Test
  void quietNeedsAnEvent() {
    stored(new Quiet(ORDERS, 20_000, 0));
    elapsed("j", 40);
    assertFound(Kind.MISCOUNTED, "quiet although no event came");
  }

  @Test
  void aQuietJobThatIsNotLaunchedIsFound() {
    stored(new Quiet(ORDERS, 20_000, 0));
    ordered("a", 10);
    open.add(new StoredCollectingJob("s", at(10), List.of(0L), History.NEVER, List.of("a")));
    assertFound(Kind.STUCK, "its trigger is satisfied, but there is no job");
  }

  @ParameterizedTest
  @CsvSource({
    "120, ''",
    "110, less time has passed since the last event",
    "130, more time has passed since the last event"
  })
  void elapsedFollowsTheLastEvent(double instant, String finding) {
    stored(new Elapsed(ORDERS, 100_000));
    ordered("a", 20);
    elapsed("j", instant, "a");
    assertOnly(finding);
  }

  @ParameterizedTest
  @CsvSource({
    "101, ''",
    "90, less time has passed since its activation",
    "200, nothing was launched when its time had passed since the activation"
  })
  void withoutEventsElapsedFollowsTheActivation(double instant, String finding) {
    stored(new Elapsed(ORDERS, 100_000));
    elapsed("j", instant);
    assertOnly(finding);
  }

  @Test
  void eachLaunchFollowsTheLastOne() {
    stored(new Elapsed(null, 100_000));
    elapsed("i", 101);
    elapsed("j", 201);
    assertThat(findings()).isEmpty();
    elapsed("k", 250);
    assertFound(Kind.EARLY, "less time has passed since the last launch");
    arrivals.remove(2);
    arrivals.remove(1);
    assertFound(Kind.LOST, "nothing was launched when its time had passed");
  }

  /** The PUT of another document was slow. */
  @Test
  void aLaunchOfTheFormerDocumentDoesNotStartTheTimeAgain() {
    ScheduleSpec minutes =
        new ScheduleSpec(
            7, Join.ANY, List.of(new Whole(new Fires(new Cron("0 * * * * ?")))), false);
    operations.add(new Operation("s", History.Kind.PUT, 0, minutes, at(-10), at(-9), true, null));
    ScheduleSpec elapsed =
        new ScheduleSpec(1, Join.ANY, List.of(new Whole(new Elapsed(null, 20_000))), false);
    operations.add(new Operation("s", History.Kind.PUT, 1, elapsed, at(48), at(62), true, null));
    String fired =
        "{\"v\": 7, \"at\": \"%s\", \"trigger\": {\"triggeredAt\": \"%s\", \"leaves\": []}}"
            .formatted(text(60), text(60));
    arrivals.add(new Arrival(at(60), "minute", 1, "s", fired, at(60), false));
    elapsed("j", 68.5);
    assertThat(findings()).extracting(Finding::kind).doesNotContain(Kind.EARLY);
    elapsed("k", 75);
    assertFound(Kind.EARLY, "less time has passed since the last launch");
  }

  @Test
  void firesAreLaunchedOnceAndOnlyAtTheirInstants() {
    stored(new Fires(new Cron("0 * * * * ?")));
    elapsed("a", 60);
    elapsed("b", 120);
    elapsed("c", 180);
    elapsed("d", 240);
    assertThat(findings()).isEmpty();
    elapsed("e", 240);
    assertFound(Kind.DOUBLED, "a second job for");
    arrivals.remove(4);
    elapsed("f", 250);
    assertFound(Kind.UNASKED, "the trigger has no fire at");
    arrivals.remove(0);
    assertFound(Kind.LOST, "was never launched");
  }

  @Test
  void manualIsNeverSatisfiedByItself() {
    stored(new Any(List.of(new Manual(), ORDERS)));
    launched("j", 10.1, List.of(1, 0));
    assertFound(Kind.MISCOUNTED, "before its trigger was satisfied");
  }

  private void assertOnly(String finding) {
    if (finding.isEmpty()) {
      assertThat(findings()).isEmpty();
    } else {
      assertThat(findings()).extracting(Finding::what).contains(finding);
    }
  }

  @Test
  void anOpenJobIsNotJudgedByADocumentThatMayNotBeStored() {
    stored(new Bytes("clicks", 5));
    Condition wide = new All(List.of(new Bytes("clicks", 5), RED_ORDERS));
    ScheduleSpec spec = new ScheduleSpec(2, Join.ANY, List.of(new Whole(wide)), false);
    operations.add(
        new Operation("s", History.Kind.PUT, 2, spec, at(5), History.NEVER, false, null));
    sent("a", 10, new Fact("size:clicks", 4));
    open.add(new StoredCollectingJob("s", at(10), List.of(4L), History.NEVER, List.of("a")));
    assertThat(findings()).isEmpty();
  }

  /** A job names its first and last events only. */
  @Test
  void anEventThatALongListMayOmitIsNotMissed() {
    stored(new All(List.of(new Bytes("clicks", 5), RED_ORDERS)));
    sent("a", 9, new Fact("size:clicks", 1));
    List<String> events = new ArrayList<>();
    for (int i = 0; i < History.MOST_EVENTS; i++) {
      events.add("b" + i);
      sent("b" + i, 10, new Fact("size:clicks", 1));
    }
    List<Long> counts = List.of((long) events.size() + 1, 0L);
    open.add(new StoredCollectingJob("s", at(9), counts, History.NEVER, events));
    assertThat(findings()).isEmpty();
    List<String> fewer = events.subList(1, events.size());
    open.set(0, new StoredCollectingJob("s", at(9), counts, History.NEVER, fewer));
    assertFound(Kind.MISCOUNTED, "was accepted, but not counted");
  }

  @Test
  void anOpenJobMayNotBeSatisfied() {
    stored(new All(List.of(new Bytes("clicks", 5), RED_ORDERS)));
    sent("a", 10, new Fact("size:clicks", 6));
    open.add(new StoredCollectingJob("s", at(10), List.of(6L, 0L), History.NEVER, List.of("a")));
    assertThat(findings()).isEmpty();
    sent("b", 20, new Fact("event:orders", 1, "red", null));
    List<Long> both = List.of(6L, 1L);
    open.set(0, new StoredCollectingJob("s", at(10), both, History.NEVER, List.of("a", "b")));
    assertFound(Kind.STUCK, "its trigger is satisfied, but there is no job");
  }
}
