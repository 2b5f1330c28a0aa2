package dev.carillon.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.constraint.Limit;
import dev.carillon.constraint.Limit.GaugeWithin;
import dev.carillon.constraint.Limit.GaugeWithin.Side;
import dev.carillon.constraint.Limit.Launches;
import dev.carillon.constraint.Limit.SinceSuccess;
import dev.carillon.constraint.Limit.Unfinished;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.UnreadableItems;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The gate demands of all schedules of a namespace. */
class GatedProgramsTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final GateKey OWN = GateKey.ofProgram("default", "p");
  private static final GateKey GROUP = GateKey.ofGroup("default", "g");
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private static GateDemands asks(String program, Limit... limits) {
    return new GateDemands(program, List.of(limits));
  }

  /** The programs of a namespace with such schedules, and none that launches. */
  private static GatedPrograms all(GateDemands... asks) {
    return all(List.of(asks), asks("none"));
  }

  private static GatedPrograms all(List<GateDemands> stored, GateDemands own) {
    Map<GateKey, Gate> gates = gates(stored);
    Map<Integer, Long> buckets = new HashMap<>();
    stored.forEach(it -> buckets.putAll(counts(it).inBuckets()));
    return new GatedPrograms("default", new LimitedPrograms(buckets), keys -> gates, own);
  }

  private static Map<GateKey, Gate> gates(List<GateDemands> stored) {
    Map<GateKey, Gate> gates = new HashMap<>();
    for (GateDemands one : stored) {
      counts(one)
          .atGates()
          .forEach(
              (key, texts) ->
                  gates.merge(
                      key,
                      Gate.unused(key).demanding(texts),
                      (known, more) -> known.demanding(more.demands())));
    }
    return gates;
  }

  private static DemandCounts counts(GateDemands demands) {
    return DemandCounts.of("default", demands.program(), demands.text());
  }

  @Test
  void aProgramThatNoScheduleLimitsIsNotCounted() {
    GatedPrograms programs = all(asks("p", new Unfinished(1, null)));
    assertThat(programs.gatesOf("q")).isEmpty();
    assertThat(programs.canBeGated("q")).isFalse();
    String inTheSameBucket = "Aa";
    assertThat(all(asks("BB", new Unfinished(1, null))).canBeGated(inTheSameBucket)).isTrue();
    assertThat(all(asks("BB", new Unfinished(1, null))).gatesOf(inTheSameBucket)).isEmpty();
  }

  @Test
  void aGateCountsEverythingThatItsLimitsNeed() {
    GatedPrograms programs =
        all(
            asks("p", new Launches(5, MINUTE, null)),
            asks("p", new Launches(3, HOUR, null), new Launches(2, MINUTE, null)));
    assertThat(programs.gatesOf("p")).isEqualTo(Map.of(OWN, new Counted(false, 5, HOUR)));
    assertThat(new Counted(true, 5, HOUR).rate()).isEqualTo(new Counted(false, 5, HOUR));
  }

  @Test
  void aGroupIsCountedForEachOfItsPrograms() {
    GatedPrograms programs =
        all(asks("p", new Launches(5, MINUTE, "g")), asks("q", new Unfinished(1, "g")));
    Counted both = new Counted(true, 5, MINUTE);
    Counted slots = new Counted(true, 0, Duration.ZERO);
    assertThat(programs.gatesOf("p")).isEqualTo(Map.of(GROUP, both, OWN, slots));
    assertThat(programs.gatesOf("q"))
        .isEqualTo(Map.of(GROUP, both, GateKey.ofProgram("default", "q"), slots));
  }

  @Test
  void ifSlotsAreHeldTheProgramsOwnGateHasThemToo() {
    Counted slots = new Counted(true, 0, Duration.ZERO);
    assertThat(all(asks("p", new Unfinished(1, null))).gatesOf("p")).isEqualTo(Map.of(OWN, slots));
    assertThat(all(asks("p", new SinceSuccess(HOUR))).gatesOf("p")).isEqualTo(Map.of(OWN, slots));
    assertThat(all(asks("p", new Launches(5, MINUTE, "g"))).gatesOf("p"))
        .isEqualTo(Map.of(GROUP, new Counted(false, 5, MINUTE)));
    assertThat(all(asks("p", new Unfinished(1, "g"), new Launches(5, MINUTE, null))).gatesOf("p"))
        .isEqualTo(Map.of(GROUP, slots, OWN, new Counted(true, 5, MINUTE)));
  }

  @Test
  void aResourceCountsNoLaunches() {
    GateDemands gauged = asks("p", new GaugeWithin("disk", Side.AT_MOST, BigDecimal.TEN, true));
    assertThat(all(gauged).canBeGated("p")).isFalse();
    assertThat(all(gauged).gatesOf("p")).isEmpty();
    assertThat(gates(List.of(gauged)).get(OWN).limits()).hasSize(1);
    assertThat(gates(List.of(gauged)).get(OWN).countsNothing()).isTrue();
  }

  @Test
  void theDemandsOfTheJobsOwnScheduleCanBeNewerThanThoseStored() {
    Counted slots = new Counted(true, 0, Duration.ZERO);
    GateDemands own = asks("p", new Unfinished(2, "g"));
    assertThat(all(List.of(), own).gatesOf("p")).isEqualTo(Map.of(OWN, slots, GROUP, slots));
    assertThat(all(List.of(), own).gatesOf("q")).isEmpty();
    GateDemands stored = asks("p", new Launches(5, MINUTE, null));
    assertThat(all(List.of(stored), own).gatesOf("p"))
        .isEqualTo(Map.of(OWN, new Counted(true, 5, MINUTE), GROUP, slots));
  }

  @Test
  void aLimitOfANewerVersionConcernsTheLaunchesOfItsProgramAlone() {
    Map<GateKey, Gate> gates = new HashMap<>(gates(List.of(asks("q", new Unfinished(1, "g")))));
    DemandCounts newer = DemandCounts.of("default", "p", "c1;t5:tokens;c2:g");
    newer.atGates().forEach((key, texts) -> gates.put(key, Gate.unused(key).demanding(texts)));
    LimitedPrograms both =
        new LimitedPrograms(
            Map.of(LimitedPrograms.bucket("p"), 1L, LimitedPrograms.bucket("q"), 1L));
    GatedPrograms programs = new GatedPrograms("default", both, keys -> gates, asks("none"));
    assertThatThrownBy(() -> programs.gatesOf("p")).isInstanceOf(UnreadableItems.class);
    assertThat(programs.gatesOf("q")).hasSize(2);
  }

  @Test
  void whatIsTakenBackIsWhatWasCounted() {
    DemandCounts before = DemandCounts.of("default", "p", "c1;r5/60000:g");
    DemandCounts after = DemandCounts.of("default", "q", "r5/60000:g");
    DemandCounts change = before.to(after);
    assertThat(change.atGates())
        .isEqualTo(
            Map.of(
                OWN,
                Map.of("c1;r5/60000:g", -1L),
                GateKey.ofProgram("default", "q"),
                Map.of("r5/60000:g", 1L)));
    assertThat(change.inBuckets())
        .isEqualTo(Map.of(LimitedPrograms.bucket("p"), -1L, LimitedPrograms.bucket("q"), 1L));
    assertThat(after.to(before).atGates().get(OWN)).isEqualTo(Map.of("c1;r5/60000:g", 1L));
    assertThat(before.to(before)).isEqualTo(DemandCounts.NONE);
    assertThat(Gate.unused(OWN).demanding(Map.of("c1", 1L)).demanding(Map.of("c1", -1L)).demands())
        .isEmpty();
  }

  @Test
  void aGateIsOpenToAnyScheduleWhoseLimitsThereHold() {
    Gate taken =
        Gate.unused(OWN)
            .taken(
                JobId.ofFire(new ScheduleId("default", "s"), 1, NOON),
                new Counted(true, 5, HOUR),
                NOON);
    assertThat(taken.demanding(Map.of("c1", 1L)).isOpenToAny(NOON)).isFalse();
    assertThat(taken.demanding(Map.of("c1", 1L, "c2", 1L)).isOpenToAny(NOON)).isTrue();
    assertThat(taken.demanding(Map.of("c2;r1/3600000", 1L)).isOpenToAny(NOON)).isFalse();
    assertThat(taken.demanding(Map.of("c1", 1L)).opening(NOON)).isEmpty();
    assertThat(taken.demanding(Map.of("r1/3660000", 1L, "r1/3600000", 2L)).opening(NOON))
        .contains(NOON.plus(HOUR));
    assertThat(taken.demanding(Map.of("c2", 1L)).opening(NOON)).isEmpty();
    assertThat(taken.demanding(Map.of("r1/60000:g", 1L)).isOpenToAny(NOON)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "c3",
        "c3:group",
        "r5/60000",
        "r5/60000:group",
        "s3600000",
        "g<a80:disk",
        "g>w0.5:disk",
        "c3;r5/60000:group;g<w-1:disk"
      })
  void limitsAreReadAsWritten(String text) {
    assertThat(LimitTexts.of(LimitTexts.parse(text))).isEqualTo(text);
    assertThat(LimitTexts.isReadable(text)).isTrue();
  }

  @Test
  void textsNameEachLimit() {
    assertThat(LimitTexts.parse("c3:g;r5/60000;s3600000;g<a80:disk;g>w0.5:cpu"))
        .isEqualTo(
            List.of(
                new Unfinished(3, "g"),
                new Launches(5, MINUTE, null),
                new SinceSuccess(HOUR),
                new GaugeWithin("disk", Side.AT_MOST, BigDecimal.valueOf(80), true),
                new GaugeWithin("cpu", Side.AT_LEAST, new BigDecimal("0.5"), false)));
    assertThatThrownBy(() -> LimitTexts.parse("x")).isInstanceOf(IllegalArgumentException.class);
    assertThat(LimitTexts.isReadable("c1;x")).isFalse();
    assertThat(LimitTexts.readable("c1;x")).containsExactly(new Unfinished(1, null));
  }

  @Test
  void theMostUrgentWaitingJobComesFirstThenTheOldest() {
    JobId one = JobId.ofFire(new ScheduleId("default", "a"), 1, NOON);
    JobId two = JobId.ofFire(new ScheduleId("default", "b"), 1, NOON);
    Waiter late = new Waiter(OWN, 5, NOON.plusSeconds(1), one);
    Waiter early = new Waiter(OWN, 5, NOON, two);
    Waiter urgent = new Waiter(OWN, 0, NOON.plusSeconds(9), two);
    Waiter same = new Waiter(OWN, 5, NOON, one);
    assertThat(List.of(late, early, urgent, same).stream().sorted(Waiter.ORDER))
        .containsExactly(urgent, same, early, late);
  }

  @Test
  void aTicketCanBeCountedAgainAndEndedByAnEvent() {
    GateTicket ticket = GateTicket.through(List.of(OWN), true, NOON);
    assertThat(ticket.again(NOON.plusSeconds(1)))
        .isEqualTo(new GateTicket(List.of(OWN), true, NOON.plusSeconds(1), null));
    assertThat(ticket.endedBy(7)).isEqualTo(new GateTicket(List.of(OWN), true, NOON, 7L));
  }
}
