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
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  private static GatedPrograms all(GateDemands... asks) {
    return new GatedPrograms("default", List.of(asks));
  }

  @Test
  void aProgramThatNoScheduleLimitsIsNotCounted() {
    GatedPrograms programs = all(asks("p", new Unfinished(1, null)));
    assertThat(programs.gatesOf("q")).isEmpty();
    assertThat(programs.countsLaunches("q")).isFalse();
    assertThat(programs.limitsOf("q")).isEmpty();
  }

  @Test
  void aGateCountsEverythingThatItsLimitsNeed() {
    GatedPrograms programs =
        all(
            asks("p", new Launches(5, MINUTE, null)),
            asks("p", new Launches(3, HOUR, null), new Launches(2, MINUTE, null)));
    assertThat(programs.gatesOf("p")).isEqualTo(Map.of(OWN, new Counted(false, 5, HOUR)));
    assertThat(programs.countsLaunches("p")).isTrue();
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
    assertThat(all(asks("p", new Unfinished(1, null))).countsLaunches("p")).isFalse();
  }

  @Test
  void aResourceCountsNoLaunches() {
    GatedPrograms programs =
        all(asks("p", new GaugeWithin("disk", Side.AT_MOST, BigDecimal.TEN, true)));
    assertThat(programs.gatesOf("p")).isEmpty();
    assertThat(programs.limitsOf("p")).hasSize(1);
  }

  @Test
  void theDemandsOfAScheduleAreAddedOnce() {
    GateDemands first = asks("p", new Unfinished(1, null));
    GatedPrograms programs = all(first);
    assertThat(programs.with(first)).isSameAs(programs);
    assertThat(programs.with(asks("q"))).isSameAs(programs);
    GatedPrograms more = programs.with(asks("p", new Unfinished(2, null)));
    assertThat(more.limitsOf("p"))
        .containsExactly(new Unfinished(1, null), new Unfinished(2, null));
    assertThat(more.with(asks("q", new Unfinished(1, null))).gatesOf("q")).hasSize(1);
    assertThat(more.toString()).startsWith("default: [GateDemands[");
    assertThat(all(first, asks("p", new Unfinished(1, null))).limitsOf("p")).hasSize(1);
  }

  @Test
  void aGateIsOpenToAnyScheduleWhoseLimitsThereHold() {
    Gate taken =
        Gate.unused(OWN)
            .taken(
                JobId.ofFire(new ScheduleId("default", "s"), 1, NOON),
                new Counted(true, 5, HOUR),
                NOON);
    GateDemands one = asks("p", new Unfinished(1, null));
    GateDemands two = asks("p", new Unfinished(2, null));
    GateDemands elsewhere = asks("q", new Unfinished(2, null));
    GateDemands rare = asks("p", new Launches(1, HOUR, null));
    GateDemands rarer = asks("p", new Launches(1, HOUR.plus(MINUTE), null));
    assertThat(all(one).isOpenToAny(taken, NOON)).isFalse();
    assertThat(all(one, two).isOpenToAny(taken, NOON)).isTrue();
    assertThat(all(one, elsewhere).isOpenToAny(taken, NOON)).isFalse();
    assertThat(all(one).opening(taken, NOON)).isEmpty();
    assertThat(all(rarer, rare).opening(taken, NOON)).contains(NOON.plus(HOUR));
    assertThat(all(elsewhere, two).opening(taken, NOON)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "p;c3",
    "p;c3:group",
    "p;r5/60000",
    "p;r5/60000:group",
    "p;s3600000",
    "p;g<a80:disk",
    "p;g>w0.5:disk",
    "p",
    "p;c3;r5/60000:group;g<w-1:disk"
  })
  void theDemandsOfAScheduleAreReadAsWritten(String text) {
    assertThat(GateDemands.parse(text).text()).isEqualTo(text);
  }

  @Test
  void textsNameEachLimit() {
    assertThat(GateDemands.parse("p;c3:g;r5/60000;s3600000;g<a80:disk;g>w0.5:cpu"))
        .isEqualTo(
            asks(
                "p",
                new Unfinished(3, "g"),
                new Launches(5, MINUTE, null),
                new SinceSuccess(HOUR),
                new GaugeWithin("disk", Side.AT_MOST, BigDecimal.valueOf(80), true),
                new GaugeWithin("cpu", Side.AT_LEAST, new BigDecimal("0.5"), false)));
    assertThatThrownBy(() -> GateDemands.parse("p;x")).isInstanceOf(IllegalArgumentException.class);
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
