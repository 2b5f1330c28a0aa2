package dev.carillon.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Check messages name their subjects by these texts, also those of other versions. */
class SubjectTest {

  private static final ScheduleId REPORT = new ScheduleId("default", "report");
  private static final Instant NOON = Instant.ofEpochMilli(36);
  private static final String FIRE = "default~report~00007~000000010";
  private static final BackfillId BACKFILL = new BackfillId(REPORT, "x1");

  private static Stream<Arguments> subjects() {
    JobId fire = JobId.ofFire(REPORT, 7, NOON);
    return Stream.of(
        Arguments.of(FIRE, fire),
        Arguments.of(FIRE + "~e1", JobId.ofEvents(REPORT, 7, NOON, 1)),
        Arguments.of(FIRE + "~mabcd", JobId.ofLaunchNow(REPORT, 7, NOON, "abcd")),
        Arguments.of(FIRE + "~bx1", JobId.ofBackfill(BACKFILL, 7, NOON)),
        Arguments.of(FIRE + "#run:1", new RunId(fire, 1, false)),
        Arguments.of(FIRE + "#run:12c", new RunId(fire, 12, true)),
        Arguments.of("default#pool:encode", new PoolId("default", "encode")),
        Arguments.of("default#program:encode", GateKey.ofProgram("default", "encode")),
        Arguments.of("default#group:disks", GateKey.ofGroup("default", "disks")),
        Arguments.of("default#resource:disk", GateKey.ofResource("default", "disk")),
        Arguments.of("default/report#collecting", new CollectingJobId(REPORT)),
        Arguments.of("default/report#suspension", new SuspensionEnd(REPORT)),
        Arguments.of("default/report#backfill:x1", BACKFILL));
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void aSubjectIsReadFromItsText(String text, Subject subject) {
    assertThat(subject).hasToString(text);
    assertThat(Subject.parse(text)).isEqualTo(subject);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "#",
        "report",
        "default/report",
        "default~report",
        "default~report~7~000000010",
        FIRE + "~",
        FIRE + "~E1",
        FIRE + "#run:0",
        FIRE + "#run:1d",
        FIRE + "#collecting",
        "default/report#run:1",
        "default/report#pool:encode",
        "#pool:encode",
        "default#pool:",
        "default#pool:a b",
        "default#disk:a",
        "default#program:",
        "#collecting",
        "default#collecting",
        "/report#collecting",
        "default/#suspension",
        "de fault/report#suspension",
        "default/report/x#collecting",
        "default/report#backfill:",
        "default/report#backfill:toolong",
        "default/report#other"
      })
  void anotherTextIsRefused(String text) {
    assertThatThrownBy(() -> Subject.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  /** The form of the readers of one kind; {@link Subject#parse} does not call them with others. */
  @Test
  void eachKindRefusesTheTextsOfOthers() {
    assertThatThrownBy(() -> RunId.parse(FIRE)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PoolId.parse("default#program:a"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ScheduleId.parse("report"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(ScheduleId.parse("/report")).isEqualTo(new ScheduleId("", "report"));
  }

  @Test
  void namesWithinANamespaceAreWrittenBehindIt() {
    assertThat(new AppId("default", "shop")).hasToString("default/shop");
    assertThat(new CalendarId("default", "holidays")).hasToString("default/holidays");
    assertThat(REPORT).hasToString("default/report");
    assertThat(GateKey.ofGroup("default", "disks").shown()).isEqualTo("group disks");
  }

  /** Slots are the scarcest, so the gates that have them come last. */
  @Test
  void aJobPassesTheGatesOfProgramsLast() {
    assertThat(
            Stream.of(
                    GateKey.ofProgram("default", "a"),
                    GateKey.ofResource("default", "d"),
                    GateKey.ofGroup("default", "b"),
                    GateKey.ofResource("default", "c"))
                .sorted(GateKey.ORDER)
                .map(GateKey::shown))
        .containsExactly("resource c", "resource d", "group b", "program a");
  }

  @ParameterizedTest
  @CsvSource({
    "a, b, a, c, -1",
    "a, b, a, b, 0",
    "b, a, a, b, 1",
    // the separator sorts behind a hyphen
    "a, b, a-b, a, 1"
  })
  void schedulesSortByTheirTexts(
      String namespace, String name, String otherNamespace, String otherName, int order) {
    ScheduleId one = new ScheduleId(namespace, name);
    ScheduleId other = new ScheduleId(otherNamespace, otherName);
    assertThat(Integer.signum(one.compareTo(other))).isEqualTo(order);
  }

  // ---- equality, which is written out

  @ParameterizedTest
  @CsvSource({
    // namespace, name, generation, milliseconds, suffix
    "other,   report, 7, 36, e1",
    "default, other,  7, 36, e1",
    "default, report, 8, 36, e1",
    "default, report, 7, 37, e1",
    "default, report, 7, 36, e2"
  })
  void jobsDifferIfOnePartOfTheirIdsDiffers(
      String namespace, String name, long generation, long millis, String suffix) {
    JobId one = new JobId(REPORT, 7, NOON, "e1");
    ScheduleId schedule = new ScheduleId(namespace, name);
    JobId other = new JobId(schedule, generation, Instant.ofEpochMilli(millis), suffix);
    assertThat(other).isNotEqualTo(one);
    assertThat(other.hashCode()).isNotEqualTo(one.hashCode());
    assertThat(schedule.equals(REPORT)).isEqualTo(schedule.toString().equals(REPORT.toString()));
  }

  /** The hash of an enum constant differs between processes. */
  @Test
  void theHashOfAGateIsTheSameInAllProcesses() {
    assertThat(GateKey.ofProgram("default", "encode").hashCode())
        .isEqualTo(Objects.hash("default", "PROGRAM", "encode"));
  }

  @Test
  void equalIdsHaveEqualHashes() {
    JobId job = new JobId(REPORT, 7, NOON, "e1");
    assertThat(JobId.parse(job.toString())).isEqualTo(job).hasSameHashCodeAs(job);
    assertThat(ScheduleId.parse("default/report")).isEqualTo(REPORT).hasSameHashCodeAs(REPORT);
    assertThat(job).isNotEqualTo(REPORT);
    assertThat(REPORT).isNotEqualTo(job);
  }
}
