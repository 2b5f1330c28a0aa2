package dev.carillon.client.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.schedule.Constraint.Day;
import dev.carillon.client.schedule.Policies.CatchUp;
import dev.carillon.client.schedule.Policies.Operation;
import dev.carillon.client.schedule.Policies.Retry;
import dev.carillon.client.schedule.Policies.Timeout;
import dev.carillon.client.schedule.Policies.Tracking;
import dev.carillon.client.schedule.Trigger.Dialect;
import dev.carillon.client.schedule.Trigger.Dst;
import dev.carillon.client.schedule.Trigger.Status;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class JsonBothWaysTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  static Stream<Arguments> triggers() {
    return Stream.of(
        Arguments.of(
            Trigger.cron("0 0 3 * * ?"),
            "{'type': 'cron', 'expression': '0 0 3 * * ?', 'dialect': 'quartz'}"),
        Arguments.of(
            Trigger.cron("0 3 * * ? *")
                .withDialect(Dialect.AWS)
                .withZone(BERLIN)
                .withDst(new Dst(Dst.Gap.SHIFT, null))
                .excluding("us-holidays")
                .flexible(HOUR.multipliedBy(4)),
            "{'type': 'cron', 'expression': '0 3 * * ? *', 'zone': 'Europe/Berlin',"
                + " 'dialect': 'aws', 'dst': {'gap': 'shift'}, 'exclude': ['us-holidays'],"
                + " 'flexible': 'PT4H'}"),
        Arguments.of(
            Trigger.every(HOUR)
                .withAnchor(Instant.parse("2026-01-01T00:00:00Z"))
                .excluding("a", "b")
                .flexible(HOUR),
            "{'type': 'rate', 'every': 'PT1H', 'anchor': '2026-01-01T00:00:00Z',"
                + " 'exclude': ['a', 'b'], 'flexible': 'PT1H'}"),
        Arguments.of(
            Trigger.at(LocalDateTime.parse("2026-07-01T09:00"), BERLIN),
            "{'type': 'at', 'time': '2026-07-01T09:00', 'zone': 'Europe/Berlin'}"),
        Arguments.of(
            Trigger.partition("d", 3), "{'type': 'partition', 'dataset': 'd', 'count': 3}"),
        Arguments.of(Trigger.size("s", 100), "{'type': 'size', 'stream': 's', 'bytes': 100}"),
        Arguments.of(
            Trigger.programStatus("etl", Status.FAILED, Status.STARTED),
            "{'type': 'programStatus', 'program': 'etl', 'statuses': ['STARTED', 'FAILED'],"
                + " 'count': 1}"),
        Arguments.of(
            Trigger.event("orders").matching(json("{'amount': [{'numeric': ['>', 1.50]}]}")),
            "{'type': 'event', 'key': 'orders', 'count': 1,"
                + " 'filter': {'amount': [{'numeric': ['>', 1.50]}]}}"),
        Arguments.of(
            Trigger.elapsedSinceLastLaunch(HOUR),
            "{'type': 'elapsed', 'since': 'lastLaunch', 'duration': 'PT1H'}"),
        Arguments.of(
            Trigger.elapsedSince(Trigger.partition("d", 1), HOUR),
            "{'type': 'elapsed', 'since': {'type': 'partition', 'dataset': 'd', 'count': 1},"
                + " 'duration': 'PT1H'}"),
        Arguments.of(
            Trigger.quiet(Trigger.size("s", 1), Duration.ofMinutes(5)).atMost(HOUR),
            "{'type': 'quiet', 'of': {'type': 'size', 'stream': 's', 'bytes': 1},"
                + " 'period': 'PT5M', 'atMost': 'PT1H'}"),
        Arguments.of(Trigger.manual(), "{'type': 'manual'}"),
        Arguments.of(
            Trigger.or(Trigger.elapsedSinceLastLaunch(HOUR), Trigger.and(Trigger.manual())),
            "{'type': 'or', 'triggers': ["
                + "{'type': 'elapsed', 'since': 'lastLaunch', 'duration': 'PT1H'},"
                + " {'type': 'and', 'triggers': [{'type': 'manual'}]}]}"));
  }

  @ParameterizedTest
  @MethodSource("triggers")
  void triggers(Trigger trigger, String json) {
    assertThat(Json.tree(trigger)).isEqualTo(json(json));
    assertThat(Json.read(json(json), Trigger.class)).isEqualTo(trigger);
    assertThat(Json.read(Json.write(trigger), Trigger.class)).isEqualTo(trigger);
  }

  static Stream<Arguments> constraints() {
    return Stream.of(
        Arguments.of(
            Constraint.concurrency(1), "{'type': 'concurrency', 'max': 1, 'onUnmet': 'wait'}"),
        Arguments.of(
            Constraint.concurrency(2).inGroup("etl").orSkip(),
            "{'type': 'concurrency', 'max': 2, 'group': 'etl', 'onUnmet': 'skip'}"),
        Arguments.of(
            Constraint.rate(10, HOUR).inGroup("etl").orSkip(),
            "{'type': 'rate', 'max': 10, 'per': 'PT1H', 'group': 'etl', 'onUnmet': 'skip'}"),
        Arguments.of(
            Constraint.delay(HOUR), "{'type': 'delay', 'duration': 'PT1H', 'onUnmet': 'wait'}"),
        Arguments.of(
            Constraint.timeWindow(LocalTime.of(22, 0), LocalTime.of(6, 0, 30))
                .withZone(BERLIN)
                .on(Day.SUN, Day.MON)
                .orSkip(),
            "{'type': 'timeWindow', 'from': '22:00', 'to': '06:00:30', 'zone': 'Europe/Berlin',"
                + " 'days': ['MON', 'SUN'], 'onUnmet': 'skip'}"),
        Arguments.of(
            Constraint.sinceLastRun(HOUR).orSkip(),
            "{'type': 'sinceLastRun', 'duration': 'PT1H', 'onUnmet': 'skip'}"),
        Arguments.of(
            Constraint.resourceAtMost("load", new BigDecimal("0.75")).orAllowIfUnknown().orSkip(),
            "{'type': 'resource', 'name': 'load', 'atMost': 0.75, 'ifUnknown': 'allow',"
                + " 'onUnmet': 'skip'}"),
        Arguments.of(
            Constraint.resourceAtLeast("free", BigDecimal.TEN),
            "{'type': 'resource', 'name': 'free', 'atLeast': 10, 'ifUnknown': 'wait',"
                + " 'onUnmet': 'wait'}"));
  }

  @ParameterizedTest
  @MethodSource("constraints")
  void constraints(Constraint constraint, String json) {
    assertThat(Json.tree(constraint)).isEqualTo(json(json));
    assertThat(Json.read(json(json), Constraint.class)).isEqualTo(constraint);
  }

  static Stream<Arguments> policies() {
    return Stream.of(
        Arguments.of(
            new Timeout(Duration.ofDays(1), Timeout.Action.LAUNCH),
            "{'after': 'PT24H', 'action': 'launch'}"),
        Arguments.of(
            new CatchUp(CatchUp.Policy.LATEST, HOUR), "{'policy': 'latest', 'window': 'PT1H'}"),
        Arguments.of(new CatchUp(CatchUp.Policy.NONE, null), "{'policy': 'none', 'window': null}"),
        Arguments.of(
            new Retry(5, HOUR, new BigDecimal("1.5"), HOUR),
            "{'maxAttempts': 5, 'backoff': 'PT1H', 'rate': 1.5, 'maxBackoff': 'PT1H'}"),
        Arguments.of(
            Tracking.USUAL,
            "{'enqueueTimeout': 'PT15M', 'claimTimeout': 'PT1M', 'heartbeatTimeout': 'PT1M',"
                + " 'runTimeout': 'PT6H'}"),
        Arguments.of(
            new Operation("b", "load", List.of("a")),
            "{'id': 'b', 'type': 'load', 'after': ['a']}"),
        Arguments.of(
            Target.of("q", List.of(1)).withAttribute("a", "b").withGroupId("g"),
            "{'queue': 'q', 'template': [1], 'attributes': {'a': 'b'}, 'groupId': 'g'}"),
        Arguments.of(Target.ofPool("x"), "{'template': 'x', 'attributes': {}, 'groupId': null}"));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void policies(Object policy, String json) {
    assertThat(Json.tree(policy)).isEqualTo(json(json));
    assertThat((Object) Json.read(json(json), policy.getClass())).isEqualTo(policy);
  }

  /** What users leave out has its default. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {'type': 'cron', 'expression': 'x', 'exclude': []} | {'type': 'cron', 'expression': 'x', 'dialect': 'quartz'}
          {'type': 'partition', 'dataset': 'd'}              | {'type': 'partition', 'dataset': 'd', 'count': 1}
          {'type': 'event', 'key': 'k', 'filter': null}      | {'type': 'event', 'key': 'k', 'count': 1}
          {'type': 'programStatus', 'program': 'p', 'statuses': ['FAILED']} | {'type': 'programStatus', 'program': 'p', 'statuses': ['FAILED'], 'count': 1}
          """)
  void anAbsentMemberHasItsDefault(String given, String written) {
    assertThat(Json.tree(Json.read(json(given), Trigger.class))).isEqualTo(json(written));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {'type': 'moon'}
          {'expression': 'x'}
          {'type': 'rate', 'every': 'often'}
          {'type': 'partition', 'dataset': 'd', 'count': 0}
          {'type': 'partition', 'dataset': 'd', 'newer': 1}
          {'type': 'elapsed', 'since': 'ever', 'duration': 'PT1H'}
          {'type': 'cron', 'expression': 'x', 'zone': 'Nowhere'}
          """)
  void invalidTriggerIsRefused(String given) {
    assertThatThrownBy(() -> Json.read(json(given), Trigger.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the JSON is not a Trigger: ");
  }

  private static JsonNode json(String text) {
    return Json.read(text.replace('\'', '"'), JsonNode.class);
  }
}
