package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Finding.Kind;
import dev.carillon.campaign.judge.History.Violation;
import dev.carillon.campaign.judge.NeighbourHistory.Arrival;
import dev.carillon.campaign.judge.Tenant.Due;
import dev.carillon.campaign.judge.Tenant.Rate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NeighbourJudgeTest {

  private static final Due NOON = new Due("a", 12_000);
  private static final Tenant QUIET = new Tenant("quiet", List.of(NOON), 0, 100_000, null);
  private static final Tenant LOUD = new Tenant("loud", List.of(), 0, 100_000, null);
  private static final Tenant LIMITED =
      new Tenant("loud", List.of(NOON, NOON, NOON), 0, 100_000, new Rate(2, 10_000));

  /** Work of 100 ms for each launch, which can be 50 ms late without any load. */
  private static final int WORK = 100_000;

  private static final long DELAY = 50;
  private static final long END = 60_000;

  private static NeighbourHistory history(Arrival... arrivals) {
    return new NeighbourHistory(END, List.of(arrivals), List.of());
  }

  private static Arrival quiet(long at) {
    return new Arrival("quiet", NOON, at);
  }

  private static NeighbourHistory limited(long... instants) {
    Stream<Arrival> loud = Arrays.stream(instants).mapToObj(at -> new Arrival("loud", NOON, at));
    return history(Stream.concat(Stream.of(quiet(12_010)), loud).toArray(Arrival[]::new));
  }

  private static TenantLoad load(Tenant loud, int together) {
    List<Long> from = loud.launches().stream().map(Due::at).toList();
    return new TenantLoad(from, WORK, together, DELAY);
  }

  private static List<Kind> kinds(Tenant loud, NeighbourHistory alone, NeighbourHistory both) {
    return kinds(loud, load(loud, 1), 1, alone, both);
  }

  private static List<Kind> kinds(
      Tenant loud,
      TenantLoad load,
      double slowness,
      NeighbourHistory alone,
      NeighbourHistory both) {
    return NeighbourJudge.judge(QUIET, loud, load, slowness, alone, both).stream()
        .map(Finding::kind)
        .toList();
  }

  /** The loud tenant has one launch at each of the given instants; they arrive at the others. */
  private static List<Kind> ofLoud(int together, List<Long> due, long... instants) {
    return ofLoud(1, together, due, instants);
  }

  private static List<Kind> ofLoud(
      double slowness, int together, List<Long> due, long... instants) {
    List<Due> launches = due.stream().map(at -> new Due("b" + at, at)).toList();
    Tenant loud = new Tenant("loud", launches, 0, 100_000, null);
    Stream<Arrival> arrivals =
        IntStream.range(0, instants.length)
            .mapToObj(i -> new Arrival("loud", launches.get(i), instants[i]));
    NeighbourHistory both =
        history(Stream.concat(Stream.of(quiet(12_010)), arrivals).toArray(Arrival[]::new));
    return kinds(loud, load(loud, together), slowness, history(quiet(12_010)), both);
  }

  private static List<Kind> kinds(long alone, long both) {
    return kinds(LOUD, history(quiet(alone)), history(quiet(both)));
  }

  @Test
  void aLaunchIsLateByTwiceItsLatenessAloneOrByHalfASecond() {
    assertThat(kinds(12_010, 12_500)).isEmpty();
    assertThat(kinds(12_010, 12_501)).containsExactly(Kind.LATE);
    assertThat(kinds(15_000, 18_000)).isEmpty();
    assertThat(kinds(15_000, 18_001)).containsExactly(Kind.LATE);
  }

  @Test
  void onASlowMachineALaunchIsLaterInTheSameProportion() {
    NeighbourHistory alone = history(quiet(12_010));
    TenantLoad none = load(LOUD, 1);
    assertThat(kinds(LOUD, none, 3, alone, history(quiet(13_500)))).isEmpty();
    assertThat(kinds(LOUD, none, 3, alone, history(quiet(13_501)))).containsExactly(Kind.LATE);
  }

  @Test
  void eachLaunchArrivesOnceAndNotEarly() {
    NeighbourHistory alone = history(quiet(12_010));
    assertThat(kinds(LOUD, alone, history())).containsExactly(Kind.LOST);
    assertThat(kinds(LOUD, alone, history(quiet(12_010), quiet(12_020))))
        .containsExactly(Kind.DOUBLED);
    assertThat(kinds(12_010, 11_999)).containsExactly(Kind.EARLY);
    Arrival other = new Arrival("quiet", new Due("b", 12_000), 12_010);
    assertThat(kinds(LOUD, alone, history(quiet(12_010), other))).containsExactly(Kind.DOUBLED);
  }

  @Test
  void whatFallsDueOutsideTheJudgedTimeIsNotJudged() {
    Arrival early = new Arrival("quiet", new Due("a", -1), 50_000);
    Arrival late = new Arrival("quiet", new Due("a", 100_000), 180_000);
    assertThat(kinds(LOUD, history(quiet(12_010)), history(quiet(12_010), early, late))).isEmpty();
  }

  @Test
  void aRateHoldsForArrivals() {
    NeighbourHistory alone = history(quiet(12_010));
    assertThat(kinds(LIMITED, alone, limited(12_010, 12_020, 21_910))).isEmpty();
    assertThat(kinds(LIMITED, alone, limited(12_010, 12_020, 21_909))).containsExactly(Kind.LIMIT);
    assertThat(kinds(LIMITED, alone, limited(12_010))).containsExactly(Kind.LOST);
  }

  @Test
  void launchesUnderARateArriveInTheirTurnsAsLongAsTheEpisodeLasts() {
    NeighbourHistory alone = history(quiet(12_010));
    // The bound of the third launch: 200 ms, a period of 10 s that may be 500 ms late, 200 ms for
    // its own work, and 600 ms that are always allowed.
    assertThat(kinds(LIMITED, alone, limited(12_010, 12_020, 23_500))).isEmpty();
    assertThat(kinds(LIMITED, alone, limited(12_010, 12_020, 23_501))).containsExactly(Kind.LATE);
    assertThat(kinds(LIMITED, alone, limited(12_010, 12_020))).containsExactly(Kind.LOST);
    NeighbourHistory shorter =
        new NeighbourHistory(23_500, limited(12_010, 12_020).arrivals(), List.of());
    assertThat(kinds(LIMITED, alone, shorter)).isEmpty();
  }

  @Test
  void theLoudTenantIsLateByTwiceTheWorkOnItsOwnLaunches() {
    // 200 ms for each launch up to this one, and 600 ms that are always allowed.
    List<Long> burst = List.of(20_000L, 20_000L, 20_000L);
    assertThat(ofLoud(1, burst, 20_800, 21_000, 21_200)).isEmpty();
    assertThat(ofLoud(1, burst, 20_801, 21_000, 21_200)).containsExactly(Kind.LATE);
    assertThat(ofLoud(1, burst, 20_800, 21_001, 21_200)).containsExactly(Kind.LATE);
    assertThat(ofLoud(1, burst, 20_800, 21_000, 21_201)).containsExactly(Kind.LATE);
  }

  @Test
  void loadThatHasEndedExcusesNothing() {
    List<Long> due = List.of(20_000L, 20_000L, 20_350L, 30_000L);
    // The third launch waits 50 ms for the two before it; the fourth waits for none.
    assertThat(ofLoud(1, due, 20_100, 20_200, 21_200, 30_800)).isEmpty();
    assertThat(ofLoud(1, due, 20_100, 20_200, 21_201, 30_800)).containsExactly(Kind.LATE);
    assertThat(ofLoud(1, due, 20_100, 20_200, 20_400, 30_801)).containsExactly(Kind.LATE);
  }

  @Test
  void launchesThatAreSentTogetherWaitForTheLastOfThem() {
    List<Long> burst = List.of(20_000L, 20_000L, 20_000L, 20_000L);
    assertThat(ofLoud(3, burst, 21_200, 21_400, 21_400, 21_400)).isEmpty();
    assertThat(ofLoud(3, burst, 21_201, 21_400, 21_400, 21_400)).containsExactly(Kind.LATE);
    // A launch that cannot begin while the first one is worked on is not sent with it.
    List<Long> apart = List.of(20_000L, 20_201L);
    assertThat(ofLoud(3, apart, 20_800, 20_900)).isEmpty();
    assertThat(ofLoud(3, apart, 20_801, 20_900)).containsExactly(Kind.LATE);
  }

  @Test
  void theAllowedHalfSecondTakesLongerOnASlowerMachine() {
    List<Long> one = List.of(20_000L);
    assertThat(ofLoud(1, 1, one, 20_800)).isEmpty();
    assertThat(ofLoud(1, 1, one, 20_801)).containsExactly(Kind.LATE);
    assertThat(ofLoud(3, 1, one, 21_800)).isEmpty();
    assertThat(ofLoud(3, 1, one, 21_801)).containsExactly(Kind.LATE);
  }

  @Test
  void failuresOfFunctionsAreFindings() {
    NeighbourHistory failing =
        new NeighbourHistory(
            END, List.of(quiet(12_010)), List.of(new Violation("ingest", "ran into its time-out")));
    assertThat(kinds(LOUD, history(quiet(12_010)), failing)).containsExactly(Kind.BROKEN);
  }
}
