package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Finding.Kind;
import dev.carillon.campaign.judge.History.Violation;
import dev.carillon.campaign.judge.NeighbourHistory.Arrival;
import dev.carillon.campaign.judge.Tenant.Due;
import dev.carillon.campaign.judge.Tenant.Rate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NeighbourJudgeTest {

  private static final Due NOON = new Due("a", 12_000);
  private static final Tenant QUIET = new Tenant("quiet", List.of(NOON), 0, 100_000, null);
  private static final Tenant LOUD = new Tenant("loud", List.of(), 0, 100_000, null);
  private static final Tenant LIMITED =
      new Tenant("loud", List.of(NOON, NOON, NOON), 0, 100_000, new Rate(2, 10_000));

  private static NeighbourHistory history(Arrival... arrivals) {
    return new NeighbourHistory(List.of(arrivals), List.of());
  }

  private static Arrival quiet(long at) {
    return new Arrival("quiet", NOON, at);
  }

  private static NeighbourHistory limited(long... instants) {
    Stream<Arrival> loud = Arrays.stream(instants).mapToObj(at -> new Arrival("loud", NOON, at));
    return history(Stream.concat(Stream.of(quiet(12_010)), loud).toArray(Arrival[]::new));
  }

  private static List<Kind> kinds(Tenant loud, NeighbourHistory alone, NeighbourHistory both) {
    return kinds(loud, 1, alone, both);
  }

  private static List<Kind> kinds(
      Tenant loud, double slowness, NeighbourHistory alone, NeighbourHistory both) {
    return NeighbourJudge.judge(QUIET, loud, slowness, alone, both).stream()
        .map(Finding::kind)
        .toList();
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
    assertThat(kinds(LOUD, 3, alone, history(quiet(13_500)))).isEmpty();
    assertThat(kinds(LOUD, 3, alone, history(quiet(13_501)))).containsExactly(Kind.LATE);
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
  void failuresOfFunctionsAreFindings() {
    NeighbourHistory failing =
        new NeighbourHistory(
            List.of(quiet(12_010)), List.of(new Violation("ingest", "ran into its time-out")));
    assertThat(kinds(LOUD, history(quiet(12_010)), failing)).containsExactly(Kind.BROKEN);
  }
}
