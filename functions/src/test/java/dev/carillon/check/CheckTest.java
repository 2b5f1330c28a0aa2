package dev.carillon.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.check.CheckJson.Parsed;
import dev.carillon.id.BackfillId;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.RunId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.id.SuspensionEnd;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckTest {

  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00.500Z");
  private static final ScheduleId REPORT = new ScheduleId("default", "report.v-1");

  // ---- the message

  static Stream<Arguments> subjects() {
    return Stream.of(
        Arguments.of(JobId.ofFire(REPORT, 3, NOW), "default~report.v-1~00003~0mm7kwnhw"),
        Arguments.of(JobId.ofEvents(REPORT, 3, NOW, 7), "default~report.v-1~00003~0mm7kwnhw~e7"),
        Arguments.of(
            new RunId(JobId.ofFire(REPORT, 3, NOW), 2, false),
            "default~report.v-1~00003~0mm7kwnhw#run:2"),
        Arguments.of(
            new RunId(JobId.ofFire(REPORT, 3, NOW), 12, true),
            "default~report.v-1~00003~0mm7kwnhw#run:12c"),
        Arguments.of(new CollectingJobId(REPORT), "default/report.v-1#collecting"),
        Arguments.of(new SuspensionEnd(REPORT), "default/report.v-1#suspension"),
        Arguments.of(new BackfillId(REPORT, "x1y2z"), "default/report.v-1#backfill:x1y2z"),
        Arguments.of(new PoolId("default", "encode"), "default#pool:encode"),
        Arguments.of(GateKey.ofProgram("default", "load"), "default#program:load"),
        Arguments.of(GateKey.ofGroup("default", "db"), "default#group:db"),
        Arguments.of(GateKey.ofResource("default", "disk"), "default#resource:disk"));
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void eachKindOfSubjectIsReadAsItWasWritten(Subject subject, String text) {
    Check check = new Check(NOW, List.of(subject));

    String message = CheckJson.write(check);

    assertThat(message).isEqualTo("{\"due\":1772359200500,\"wake\":[\"" + text + "\"]}");
    assertThat(CheckJson.read(message)).isEqualTo(new Parsed(check, null));
  }

  @Test
  void everyKindOfSubjectThatTheCheckerProcessesIsInTheTable() {
    assertThat(Set.<Class<?>>of(Subject.class.getPermittedSubclasses()))
        .containsExactlyInAnyOrderElementsOf(
            subjects().map(row -> row.get()[0].getClass()).collect(Collectors.toSet()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{}",
        "{\"due\": 1}",
        "{\"wake\": []}",
        "{\"due\": 1, \"wake\": []}",
        "{\"due\": \"1\", \"wake\": [\"default/report#collecting\"]}",
        "{\"due\": 1.5, \"wake\": [\"default/report#collecting\"]}"
      })
  void aMalformedMessageIsRefused(String body) {
    assertThatThrownBy(() -> CheckJson.read(body)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "7",
        "\"report\"",
        "\"#\"",
        "\"/#collecting\"",
        "\"default#collecting\"",
        "\"default/re port#suspension\"",
        "\"default/report#other\"",
        "\"default/report#backfill:\"",
        "\"default#pool:\"",
        "\"default~report~00001\""
      })
  void aSubjectThatIsNotKnownStaysInTheMessageAsItIs(String subject) {
    String known = "\"" + new CollectingJobId(REPORT) + "\"";
    String message = "{\"due\":1,\"wake\":[%s],\"sentBy\":{\"version\":[2]}}";

    Parsed parsed = CheckJson.read(message.formatted(known + "," + subject + "," + known));

    CollectingJobId collecting = new CollectingJobId(REPORT);
    assertThat(parsed.known())
        .isEqualTo(new Check(Instant.ofEpochMilli(1), List.of(collecting, collecting)));
    assertThat(parsed.unknown()).isEqualTo(message.formatted(subject));
  }

  // ---- what goes into one message

  @Test
  void wakeUpsOfOneSecondShareACheckThatIsDueWithTheLast() {
    Wakeup collecting = new Wakeup(new CollectingJobId(REPORT), at("10:00:07.200"));
    Wakeup gate = new Wakeup(GateKey.ofGroup("default", "db"), at("10:00:07.900"));
    Wakeup end = new Wakeup(new SuspensionEnd(REPORT), at("10:00:08"));

    assertThat(Check.of(List.of(end, collecting, gate), NOW))
        .containsExactly(
            new Check(gate.at(), List.of(collecting.subject(), gate.subject())),
            new Check(end.at(), List.of(end.subject())));
  }

  @Test
  void firesOfOneSecondShareACheckThatIsDueWithTheFirst() {
    Wakeup first = fire("10:00:07.200");
    Wakeup second = fire("10:00:07.900");
    Wakeup gate = new Wakeup(GateKey.ofGroup("default", "db"), at("10:00:07.500"));

    List<Check> checks = Check.of(List.of(second, gate, first), NOW);

    assertThat(checks)
        .containsExactly(
            new Check(gate.at(), List.of(gate.subject())),
            new Check(first.at(), List.of(second.subject(), first.subject())));
    assertThat(checks.get(1).wakeups()).containsExactly(second, first);
  }

  @Test
  void aFireThatIsProcessedLaterThanItsInstantSharesACheckWithOtherJobs() {
    Wakeup fire = new Wakeup(fire("10:00:00").subject(), at("10:00:15.100"));
    Wakeup job = new Wakeup(JobId.ofEvents(REPORT, 1, NOW, 7), at("10:00:15"));

    assertThat(Check.of(List.of(fire, job), NOW))
        .containsExactly(new Check(fire.at(), List.of(fire.subject(), job.subject())));
  }

  @Test
  void dueWakeUpsShareChecksInTheirOrder() {
    Wakeup old = new Wakeup(JobId.ofEvents(REPORT, 1, NOW, 7), at("09:00:00"));
    Wakeup due = new Wakeup(new CollectingJobId(REPORT), NOW);
    Wakeup soon = new Wakeup(new SuspensionEnd(REPORT), NOW.plusMillis(1));
    Wakeup missed = fire("08:00:00");
    Wakeup missedLater = fire("09:30:00");

    assertThat(Check.of(List.of(soon, missedLater, due, missed, old), NOW))
        .containsExactly(
            new Check(due.at(), List.of(due.subject(), old.subject())),
            new Check(soon.at(), List.of(soon.subject())),
            new Check(missed.at(), List.of(missedLater.subject(), missed.subject())));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 99, 100, 101, 250})
  void aMessageNamesAtMostAHundredSubjects(int count) {
    List<Wakeup> wakeups =
        IntStream.range(0, count)
            .mapToObj(i -> new Wakeup(JobId.ofEvents(REPORT, 1, NOW, i), NOW))
            .toList();

    List<Check> checks = Check.of(wakeups, NOW);

    assertThat(checks).hasSize((count + 99) / 100);
    assertThat(checks).allSatisfy(check -> assertThat(check.subjects()).hasSizeLessThan(101));
    assertThat(checks.stream().flatMap(check -> check.wakeups().stream())).isEqualTo(wakeups);
  }

  private static Wakeup fire(String time) {
    return new Wakeup(JobId.ofFire(REPORT, 3, at(time)), at(time));
  }

  private static Instant at(String time) {
    return Instant.parse("2026-03-01T" + time + "Z");
  }
}
