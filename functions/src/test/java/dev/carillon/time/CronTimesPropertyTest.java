package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CronTimesPropertyTest {

  private static final int MOST = 150;

  /** Zones whose clocks change by odd amounts or at odd hours, with the instants to test. */
  private static final List<String> CHANGES =
      List.of(
          "America/Los_Angeles 2018-01-01",
          "America/Los_Angeles 2026-06-01",
          "Europe/Berlin 2025-12-01",
          "Europe/Berlin 2026-08-01",
          "Australia/Lord_Howe 2026-01-01",
          "Australia/Lord_Howe 2026-06-01",
          "Pacific/Apia 2011-12-01",
          "Pacific/Kwajalein 1993-08-01",
          "America/Sao_Paulo 2018-10-01",
          "America/Sao_Paulo 2018-01-01",
          "Africa/Cairo 2024-04-01",
          "Africa/Cairo 2024-10-01",
          "Asia/Beirut 2024-03-01",
          "Asia/Beirut 2024-10-01",
          "Africa/Casablanca 2025-02-01",
          "Africa/Casablanca 2025-03-15",
          "Europe/Dublin 2025-10-01",
          "America/Caracas 2007-12-01",
          "America/Caracas 2016-04-01",
          "Asia/Pyongyang 2018-05-01",
          "Antarctica/Troll 2026-03-01",
          "Antarctica/Troll 2026-10-01",
          "Pacific/Chatham 2026-04-01",
          "America/St_Johns 2006-03-01",
          "Asia/Kathmandu 1985-12-01",
          "America/Juneau 1983-10-01",
          "Asia/Manila 1978-03-01");

  private static final List<Dst> POLICIES = policies();

  @Test
  void firesAroundClockChangesEqualTheOracles() {
    IntStream.range(0, 150).forEach(this::checkAroundChange);
  }

  @Tag("proof")
  @Test
  void firesOfManyExpressionsAroundClockChangesEqualTheOracles() {
    IntStream.range(150, 1_500).forEach(this::checkAroundChange);
  }

  @Test
  void matchesWithoutAZoneEqualTheOracles() {
    IntStream.range(0, 200).forEach(this::checkWithoutZone);
  }

  @Tag("proof")
  @Test
  void matchesOfManyExpressionsWithoutAZoneEqualTheOracles() {
    IntStream.range(200, 2_500).forEach(this::checkWithoutZone);
  }

  private void checkAroundChange(int seed) {
    Random random = new Random(seed);
    String[] change = CHANGES.get(random.nextInt(CHANGES.size())).split(" ");
    ZoneRules rules = ZoneId.of(change[0]).getRules();
    ZoneOffsetTransition transition = rules.nextTransition(Instant.parse(change[1] + "T00:00:00Z"));
    Dialect dialect = Dialect.values()[random.nextInt(3)];
    Dst dst = POLICIES.get(random.nextInt(POLICIES.size()));
    String expression =
        new RandomCron(random).dailyAround(transition.getDateTimeBefore().getHour(), dialect);
    Instant from = transition.getInstant().minusSeconds(random.nextInt(100_000));
    Instant to = transition.getInstant().plusSeconds(random.nextInt(130_000));
    List<Fire> expected = new CronOracle(expression, dialect).fires(rules, dst, from, to);
    CronTimes times = CronTimes.parse(expression, dialect, ZoneId.of(change[0]), dst);
    String about =
        "seed %d: '%s' %s in %s around %s".formatted(seed, expression, dst, change[0], transition);

    assertThat(Fires.within(times, from, to, MOST)).as(about).isEqualTo(head(expected));
    assertThat(backwards(times, from, to)).as(about).isEqualTo(head(reversed(expected)));
    for (int i = 0; i < 5; i++) {
      long millis = (long) (random.nextDouble() * Duration.between(from, to).toMillis());
      checkFrom(times, from.plusMillis(millis).plusNanos(random.nextInt(2)), expected, to, about);
    }
  }

  private void checkFrom(
      CronTimes times, Instant point, List<Fire> expected, Instant to, String about) {
    Optional<Fire> next = times.next(point);
    Optional<Fire> wanted = expected.stream().filter(f -> f.at().isAfter(point)).findFirst();
    assertThat(next.filter(fire -> !fire.at().isAfter(to))).as(about + point).isEqualTo(wanted);
    if (next.isPresent() && times.previous(point).isPresent()) {
      Fire last = times.previous(point).orElseThrow();
      assertThat(last.at()).as(about + point).isBefore(point);
      assertThat(times.previous(next.get().at()).orElseThrow().at())
          .as(about + point)
          .isBetween(last.at(), point);
      assertThat(times.next(last.at().minusNanos(1))).as(about + point).contains(last);
    }
  }

  private void checkWithoutZone(int seed) {
    Random random = new Random(seed);
    Dialect dialect = Dialect.values()[random.nextInt(3)];
    String expression = new RandomCron(random).expression(dialect);
    CronOracle oracle = new CronOracle(expression, dialect);
    CronTimes times = CronTimes.parse(expression, dialect, ZoneOffset.UTC, Dst.DEFAULT);
    assertThat(times.describe()).as(expression).isNotBlank();
    for (int i = 0; i < 3; i++) {
      LocalDateTime point =
          LocalDateTime.of(2016, 1, 1, 0, 0).plusSeconds(random.nextInt(86_400 * 365 * 8));
      String about = "seed %d: '%s' (%s) at %s".formatted(seed, expression, dialect, point);
      assertThat(local(times.next(point.toInstant(ZoneOffset.UTC))))
          .as("next, " + about)
          .isEqualTo(oracle.next(point));
      assertThat(local(times.previous(point.toInstant(ZoneOffset.UTC))))
          .as("previous, " + about)
          .isEqualTo(oracle.previous(point));
    }
  }

  private static LocalDateTime local(Optional<Fire> fire) {
    return fire.map(f -> LocalDateTime.ofInstant(f.at(), ZoneOffset.UTC)).orElse(null);
  }

  private static List<Fire> backwards(CronTimes times, Instant from, Instant to) {
    List<Fire> found = new ArrayList<>();
    Optional<Fire> fire = times.previous(to.plusNanos(1));
    while (found.size() < MOST && fire.isPresent() && fire.get().at().isAfter(from)) {
      found.add(fire.get());
      fire = times.previous(fire.get().at());
    }
    return found;
  }

  private static List<Fire> head(List<Fire> fires) {
    return fires.subList(0, Math.min(MOST, fires.size()));
  }

  private static List<Fire> reversed(List<Fire> fires) {
    List<Fire> reversed = new ArrayList<>(fires);
    Collections.reverse(reversed);
    return reversed;
  }

  private static List<Dst> policies() {
    List<Dst> all = new ArrayList<>(List.of(Dst.DEFAULT, Dst.DEFAULT, Dst.DEFAULT));
    for (Dst.Gap gap : Dst.Gap.values()) {
      all.add(new Dst(gap, null));
      for (Dst.Overlap overlap : Dst.Overlap.values()) {
        all.add(new Dst(gap, overlap));
      }
    }
    for (Dst.Overlap overlap : Dst.Overlap.values()) {
      all.add(new Dst(null, overlap));
    }
    return all;
  }
}
