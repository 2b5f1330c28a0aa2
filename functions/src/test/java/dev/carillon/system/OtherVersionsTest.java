package dev.carillon.system;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.check.Check;
import dev.carillon.check.CheckJson;
import dev.carillon.check.CheckJson.Parsed;
import dev.carillon.document.Json;
import dev.carillon.event.Event;
import dev.carillon.event.EventParser;
import dev.carillon.event.ParsedMessage;
import dev.carillon.event.Resend;
import dev.carillon.id.BackfillId;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.RunId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.id.SuspensionEnd;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The messages that functions send each other: of the present version, of the version before, and
 * with members that only a newer version knows. While a deployment is under way, both versions
 * receive both. For stored items, {@code GoldenRowsTest} does the same.
 */
class OtherVersionsTest {

  private static final ScheduleId REPORT = new ScheduleId("default", "report");
  private static final Instant AT = Instant.ofEpochMilli(1_772_359_200_500L);
  private static final Event EVENT =
      new Event(
          "e1",
          "default",
          AT,
          "done",
          Json.readObject("{\"a\": [1, null]}"),
          Map.of("event:orders", 1L));

  private static final List<ScheduleId> SCHEDULES =
      List.of(REPORT, new ScheduleId("default", "audit"));
  private static final JobId JOB = JobId.parse("default~report~00001~0mm7kwn40");

  /** A subject of each kind. */
  private static final List<Subject> SUBJECTS =
      List.of(
          JOB,
          new RunId(JOB, 2, true),
          new CollectingJobId(REPORT),
          GateKey.ofProgram("default", "exporter"),
          new PoolId("default", "encode"),
          new BackfillId(REPORT, "k3"),
          new SuspensionEnd(REPORT));

  /** What is left of an event, of each kind. */
  private static final List<Resend> RESENDS =
      List.of(
          new Resend(EVENT, new Resend.Count(SCHEDULES, true), AT.minusMillis(100)),
          new Resend(EVENT, new Resend.EndRun()),
          new Resend(EVENT, new Resend.SearchRest("event:orders", "report"), AT.minusMillis(100)),
          new Resend(EVENT, new Resend.SearchAgain(), AT.minusMillis(100)));

  private static String golden(String name) {
    try (InputStream file = OtherVersionsTest.class.getResourceAsStream("/golden/" + name)) {
      return new String(Objects.requireNonNull(file).readAllBytes(), UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** With members that only a newer version knows, in each object but the caller's payload. */
  private static String newer(String message) {
    ObjectNode newer = Json.readObject(message);
    addMember(newer);
    return Json.write(newer);
  }

  private static void addMember(ObjectNode object) {
    object.properties().stream()
        .filter(member -> !member.getKey().equals("payload"))
        .map(Map.Entry::getValue)
        .filter(ObjectNode.class::isInstance)
        .forEach(member -> addMember((ObjectNode) member));
    object.putObject("sentBy").put("version", 2);
  }

  @Test
  void eachKindHasAMessage() {
    assertThat(SUBJECTS)
        .extracting(subject -> (Object) subject.getClass())
        .containsExactlyInAnyOrder((Object[]) Subject.class.getPermittedSubclasses());
    assertThat(RESENDS)
        .extracting(resend -> (Object) resend.work().getClass())
        .containsExactlyInAnyOrder((Object[]) Resend.Work.class.getPermittedSubclasses());
  }

  @Test
  void aCheckOfThePresentVersion() {
    String message = golden("present/check.json");
    Parsed check = new Parsed(new Check(AT, SUBJECTS), null);
    assertThat(CheckJson.write(check.known())).isEqualTo(message);
    assertThat(CheckJson.read(message)).isEqualTo(check);
    assertThat(CheckJson.read(newer(message))).isEqualTo(check);
  }

  static List<Resend> resends() {
    return RESENDS;
  }

  @ParameterizedTest
  @MethodSource("resends")
  void aRestOfThePresentVersion(Resend resend) {
    String message = golden("present/" + resend.work().getClass().getSimpleName() + ".json");
    assertThat(resend.write()).isEqualTo(message);
    assertThat(Resend.read(message)).contains(resend);
    assertThat(Resend.read(newer(message))).contains(resend);
  }

  @Test
  void anEvent() {
    String message = golden("present/event.json");
    assertThat(Json.write(EVENT.document())).isEqualTo(message);
    assertThat(read(message)).isEqualTo(new ParsedMessage.Events(List.of(EVENT)));
    assertThat(read(newer(message))).isEqualTo(new ParsedMessage.Events(List.of(EVENT)));
  }

  private static ParsedMessage read(String message) {
    return EventParser.parse(message, "m1", Instant.EPOCH, Optional.empty());
  }

  @Test
  void aCheckOfTheVersionBefore() {
    Check check =
        new Check(
            AT,
            List.of(
                JOB,
                JobId.parse("default~report~00001~0mm7kwn40~e1z"),
                GateKey.ofProgram("default", "exporter"),
                new CollectingJobId(REPORT),
                new SuspensionEnd(REPORT),
                new BackfillId(REPORT, "k3")));

    assertThat(CheckJson.read(golden("former/check.json"))).isEqualTo(new Parsed(check, null));
    assertThat(CheckJson.read(golden("former/check-newer.json")))
        .isEqualTo(new Parsed(check, null));
  }

  @Test
  void anEventThatSomeSchedulesHaveNotCounted() {
    assertRead(new Resend(EVENT, new Resend.Count(SCHEDULES, false)), "resend");
  }

  @Test
  void anEventThatEndsARun() {
    assertRead(new Resend(EVENT, new Resend.EndRun()), "counted");
  }

  private static void assertRead(Resend resend, String name) {
    assertThat(Resend.read(golden("former/" + name + ".json"))).contains(resend);
    assertThat(Resend.read(golden("former/" + name + "-newer.json"))).contains(resend);
  }
}
