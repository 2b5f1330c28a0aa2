package dev.carillon.client.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Policies.AfterCompletion;
import dev.carillon.client.schedule.Policies.CatchUp;
import dev.carillon.client.schedule.Policies.Retry;
import dev.carillon.client.schedule.Policies.State;
import dev.carillon.client.schedule.Policies.Timeout;
import dev.carillon.client.schedule.Policies.Timeout.Action;
import dev.carillon.client.schedule.Policies.WhilePending;
import dev.carillon.client.schedule.Trigger.Dialect;
import dev.carillon.client.schedule.Trigger.Dst;
import dev.carillon.client.schedule.Trigger.Status;
import dev.carillon.document.InvalidDocument;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.ScheduleParser;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that this library writes documents in the server's canonical form. The server only adds
 * the zone of the deployment and stores the state separately.
 */
class SameDocumentsTest {

  private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");
  private static final Instant LATER = Instant.parse("2026-07-01T09:00:00Z");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final ScheduleParser SERVER = new ScheduleParser(ZoneId.of("UTC"));

  static Stream<Trigger> triggers() {
    return Stream.of(
        Trigger.cron("0 0 3 * * ?"),
        Trigger.cron("0 0 3 * * ?").withZone(BERLIN),
        Trigger.cron("0 2 * * 1").withDialect(Dialect.UNIX),
        Trigger.cron("0 0 3 * * ?").withDst(new Dst(Dst.Gap.SKIP, Dst.Overlap.BOTH)),
        Trigger.cron("0 0 3 * * ?").withDst(new Dst(null, Dst.Overlap.SECOND)),
        Trigger.cron("0 0 3 * * ?").withDst(new Dst(Dst.Gap.SHIFT, Dst.Overlap.FIRST)),
        Trigger.every(Duration.ofMinutes(90)),
        Trigger.every(Duration.ofDays(1)).withAnchor(LATER),
        Trigger.at(LATER),
        Trigger.partition("default.purchases", 3),
        Trigger.size("clicks", 1_000_000_000_000L),
        Trigger.event("aws.s3:Object Created").times(5),
        Trigger.programStatus("etl", Status.FAILED, Status.SUCCEEDED).times(2),
        Trigger.manual(),
        Trigger.and(Trigger.cron("0 0 3 * * ?"), Trigger.partition("d", 1)),
        Trigger.or(
            Trigger.event("a"),
            Trigger.and(Trigger.size("s", 1), Trigger.every(Duration.ofHours(1)))));
  }

  @ParameterizedTest
  @MethodSource("triggers")
  void triggersAreWrittenAsTheServerWritesThem(Trigger trigger) {
    Schedule schedule =
        Schedules.builder("report").setTarget(Target.of("work", Map.of())).build(trigger);
    assertThat(stored(schedule)).isEqualTo(schedule.document().put("zone", "UTC"));
  }

  static Stream<Schedules.Builder> builders() {
    Target target = Target.of("work", Map.of("at", "${scheduledFor}", "n", List.of(1, 2.5)));
    return Stream.of(
            Schedules.builder("a"),
            Schedules.builder("a").setDescription("All of it").setProgram("exporter"),
            Schedules.builder("a").setApp("exports").setTags(Map.of("b", "2", "a", "1")),
            Schedules.builder("a").setCustomer("${properties.customer}").setPriority(0),
            Schedules.builder("a").setPriority("${properties.priority}"),
            Schedules.builder("a").setZone(BERLIN),
            Schedules.builder("a")
                .setProperties(
                    Map.of("region", "eu", "nested", Map.of("a", List.of(1, 2.50, "x")))),
            Schedules.builder("a")
                .addConstraint(Constraint.resourceAtMost("load", new BigDecimal("0.75")).orSkip())
                .addConstraint(Constraint.resourceAtLeast("disk", BigDecimal.TEN)),
            Schedules.builder("a").setAfterCompletion(AfterCompletion.DELETE),
            Schedules.builder("a").setWhilePending(WhilePending.QUEUE),
            Schedules.builder("a").setWhilePending(WhilePending.MERGE),
            Schedules.builder("a").setWhilePending(WhilePending.SKIP),
            Schedules.builder("a").setTimeout(new Timeout(Duration.ofDays(1), Action.LAUNCH)),
            Schedules.builder("a").setTimeout(new Timeout(Duration.ofHours(6), Action.DISCARD)),
            Schedules.builder("a").setCatchUp(new CatchUp(CatchUp.Policy.ALL, null)),
            Schedules.builder("a").setRetry(Retry.USUAL).setTimeout(null).setTracking(null))
        .map(builder -> builder.setTarget(target));
  }

  @ParameterizedTest
  @MethodSource("builders")
  void documentsAreWrittenAsTheServerWritesThem(Schedules.Builder builder) {
    Schedule schedule = builder.build(Trigger.manual());
    ObjectNode expected = schedule.document();
    if (schedule.zone() == null) {
      expected.put("zone", "UTC");
    }
    assertThat(stored(schedule)).isEqualTo(expected);
  }

  static Stream<Target> targets() {
    return Stream.of(
        Target.of("work", "a text with ${jobId}"),
        Target.of("work.fifo", List.of("a", 1)).withGroupId("${customer}"),
        Target.of("arn:aws:sqs:eu-west-1:000000000000:work", Map.of())
            .withAttribute("kind", "daily")
            .withAttribute("a", "${program}"));
  }

  @ParameterizedTest
  @MethodSource("targets")
  void targetsAreWrittenAsTheServerWritesThem(Target target) {
    Schedule schedule = Schedules.builder("a").setTarget(target).build(Trigger.manual());
    assertThat(stored(schedule)).isEqualTo(schedule.document().put("zone", "UTC"));
  }

  @ParameterizedTest
  @MethodSource("triggers")
  void aStoredDocumentIsReadAndBuiltAgain(Trigger trigger) {
    Schedule schedule =
        Schedules.builder("report")
            .setTarget(Target.of("work", Map.of()))
            .setState(State.ACTIVE)
            .build(trigger);
    Schedule stored = Schedule.of("report", stored(schedule));

    assertThat(stored.trigger()).isEqualTo(trigger);
    assertThat(stored.target()).isEqualTo(schedule.target());
    assertThat(stored.toBuilder().build(stored.trigger())).isEqualTo(stored);
    assertThat(stored(stored)).isEqualTo(stored.document());
  }

  @Test
  void aLocalTimeIsResolvedByTheServer() {
    Trigger local = Trigger.at(LocalDateTime.parse("2026-07-01T11:00"), BERLIN);
    Schedule schedule = Schedules.builder("a").setTarget(Target.of("work", Map.of())).build(local);
    assertThat(Schedule.of("a", stored(schedule)).trigger()).isEqualTo(Trigger.at(LATER));
  }

  @Test
  void retryOfAnotherKindOfNumberIsTheSameToTheServer() {
    Schedule schedule =
        Schedules.builder("a")
            .setTarget(Target.of("work", Map.of()))
            .setTracking(Policies.Tracking.USUAL)
            .setRetry(
                new Retry(3, Duration.ofSeconds(10), new BigDecimal("2.0"), Duration.ofMinutes(60)))
            .build(Trigger.manual());
    assertThat(stored(schedule).path("retry").path("rate").intValue()).isEqualTo(2);
  }

  private static ObjectNode stored(Schedule schedule) {
    try {
      return SERVER
          .parse(new ScheduleId("default", schedule.name()), schedule.document(), NOW)
          .document();
    } catch (InvalidDocument invalid) {
      throw new AssertionError(invalid.getMessage(), invalid);
    }
  }
}
