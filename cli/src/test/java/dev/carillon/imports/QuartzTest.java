package dev.carillon.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.imports.quartz.QuartzConverter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuartzTest {

  private final Samples samples = Samples.of("quartz", new QuartzConverter());

  @Test
  void triggersFireWhenQuartzFiredThem() {
    // 08:30 in Berlin on workdays, from 1 to 3 December at 00:00 UTC.
    assertThat(samples.fires("sales.report-daily", "2026-11-23T00:00:00Z", 9))
        .containsExactly("2026-12-01T07:30:00Z", "2026-12-02T07:30:00Z");
    assertThat(samples.fires("endless", "2026-11-23T00:00:00Z", 2))
        .containsExactly("2026-11-23T00:10:00Z", "2026-11-23T01:10:00Z");
    // Once, and two repetitions.
    assertThat(samples.fires("three-times", "2026-11-23T00:00:00Z", 9))
        .containsExactly("2026-12-01T00:00:00Z", "2026-12-01T00:01:00Z", "2026-12-01T00:02:00Z");
    assertThat(samples.fires("once", "2026-11-23T00:00:00Z", 9))
        .containsExactly("2030-01-31T09:00:00Z");
    assertThat(samples.fires("without-count", "2026-11-23T00:00:00Z", 9))
        .containsExactly("2030-02-28T09:00:00Z");
    // Every second week from Monday, 5 January 2026.
    assertThat(samples.fires("weekly", "2026-11-23T00:00:00Z", 2))
        .containsExactly("2026-12-07T00:00:00Z", "2026-12-21T00:00:00Z");
  }

  @Test
  void aTimeThatDoesNotExistIsLeftOutAndOneThatOccursTwiceFiresTheSecondTime() {
    // 02:30 in Berlin does not occur on 28 March 2027, and occurs twice on 31 October.
    assertThat(inBerlin("0 30 2 * * ?").fires("t", "2027-03-27T12:00:00Z", 1))
        .containsExactly("2027-03-29T00:30:00Z");
    assertThat(inBerlin("0 30 2 * * ?").fires("t", "2027-10-30T12:00:00Z", 2))
        .containsExactly("2027-10-31T01:30:00Z", "2027-11-01T01:30:00Z");
    // Quartz skips the first of the two hours even if it fires each hour.
    assertThat(inBerlin("0 30 * * * ?").fires("t", "2027-10-30T23:00:00Z", 3))
        .containsExactly("2027-10-30T23:30:00Z", "2027-10-31T01:30:00Z", "2027-10-31T02:30:00Z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 0 22-2 ? * MON-FRI | 0 0 22-23,0-2 ? * MON-FRI",
        "0 0 3 ? * FRI-SUN,TUE | 0 0 3 ? * FRI-SAT,SUN,TUE",
        "0 0 3 ? * FRI-MON/2 | 0 0 3 ? * FRI-SAT,SUN-MON",
        "0 0 3 ? * MON-FRI/2 | 0 0 3 ? * MON-FRI",
        "0 0 3 ? nov-feb 6-2 | 0 0 3 ? NOV-DEC,JAN-FEB 6-7,1-2",
        "50-10 55-5/5 23-0 25-5 * ? 2026-2030 | 50-59,0-10 55,0,5 23,0 25-31,1-5 * ? 2026-2030",
        "0 0 99-2 L-3 * ? | 0 0 99-2 L-3 * ?"
      })
  void aRangeThatWrapsIsWrittenInTwo(String quartz, String carillon) {
    assertThat(inBerlin(quartz).document("t").at("/trigger/expression").asText())
        .isEqualTo(carillon);
  }

  @Test
  void aRangeThatWrapsFiresOnBothSidesOfTheEnd() {
    assertThat(inBerlin("0 0 22-2/3 * * ?").fires("t", "2026-12-01T12:00:00Z", 3))
        .containsExactly("2026-12-01T21:00:00Z", "2026-12-02T00:00:00Z", "2026-12-02T21:00:00Z");
    // From Saturday to Sunday.
    assertThat(inBerlin("0 0 12 ? * SAT-SUN").fires("t", "2026-12-01T12:00:00Z", 3))
        .containsExactly("2026-12-05T11:00:00Z", "2026-12-06T11:00:00Z", "2026-12-12T11:00:00Z");
  }

  private static Samples inBerlin(String cron) {
    return inBerlin(cron, "", null);
  }

  private static Samples inBerlin(String cron, String bounds, String zone) {
    String members =
        "<cron-expression>%s</cron-expression><time-zone>Europe/Berlin</time-zone>".formatted(cron);
    return trigger("cron", bounds + members, zone);
  }

  /** A trigger t of this kind with these members. */
  private static Samples trigger(String kind, String members, String zone) {
    String xml =
        """
        <job-scheduling-data><schedule><trigger><%s>
          <name>t</name><job-name>j</job-name>
          %s
        </%s></trigger></schedule></job-scheduling-data>
        """;
    return Samples.of(
        new Source("x.xml", xml.formatted(kind, members, kind)),
        new QuartzConverter(),
        new Conversion("default", "work", zone, Samples.NOW));
  }

  @Test
  void boundsWithoutAnOffsetAreInTheZoneOfTheMachine() {
    String hourly = "0 0 * * * ?";
    String bounds =
        "<start-time>2026-12-01T00:00:00</start-time><end-time>2026-12-01T01:30:00</end-time>";
    // New York is five hours behind UTC, and Berlin one hour ahead.
    Samples newYork = inBerlin(hourly, bounds, "America/New_York");
    assertThat(newYork.fires("t", "2026-11-23T00:00:00Z", 9))
        .containsExactly("2026-12-01T05:00:00Z", "2026-12-01T06:00:00Z");
    assertThat(newYork.document("t").path("zone").asText()).isEqualTo("Europe/Berlin");
    assertThat(newYork.notes("t")).noneMatch(note -> note.contains("--zone"));

    Samples utc = inBerlin(hourly, bounds, null);
    assertThat(utc.fires("t", "2026-11-23T00:00:00Z", 9))
        .containsExactly("2026-12-01T00:00:00Z", "2026-12-01T01:00:00Z");
    assertThat(utc.notes("t")).anyMatch(note -> note.contains("unless --zone is given"));
    assertThat(inBerlin(hourly, bounds.replace(":00<", ":00Z<"), null).notes("t"))
        .noneMatch(note -> note.contains("--zone"));
  }

  @Test
  void onlyACronFiresAtItsEnd() {
    String bounds =
        "<start-time>2026-11-20T00:00:00Z</start-time><end-time>%s</end-time>"
            + "<repeat-count>-1</repeat-count><repeat-interval>3600000</repeat-interval>"
            + "<cron-expression>0 0 * * * ?</cron-expression><time-zone>UTC</time-zone>";
    String later = bounds.formatted("2026-11-23T02:00:00Z");
    assertThat(trigger("cron", later, null).fires("t", "2026-11-23T00:00:00Z", 9))
        .containsExactly("2026-11-23T01:00:00Z", "2026-11-23T02:00:00Z");
    assertThat(trigger("simple", later, null).fires("t", "2026-11-23T00:00:00Z", 9))
        .containsExactly("2026-11-23T01:00:00Z");

    String now = bounds.formatted("2026-11-23T00:00:00Z");
    assertThat(trigger("cron", now, null).fires("t", "2026-11-22T23:30:00Z", 9))
        .containsExactly("2026-11-23T00:00:00Z");
    assertThat(trigger("simple", now, null).reason("t"))
        .isEqualTo("its end-time, 2026-11-23T00:00:00Z, has passed");
    assertThat(trigger("cron", bounds.formatted("2026-11-22T23:59:59Z"), null).reason("t"))
        .isEqualTo("its end-time, 2026-11-22T23:59:59Z, has passed");
  }

  @ParameterizedTest
  @CsvSource({
    "simple, -1, , none",
    "simple, -1, MISFIRE_INSTRUCTION_SMART_POLICY, none",
    "simple, -1, MISFIRE_INSTRUCTION_FIRE_NOW, latest",
    "simple, -1, MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY, all",
    "simple, 5000, , latest",
    "cron, -1, , latest"
  })
  void aSimpleTriggerWithoutAnEndMakesUpForNothingByDefault(
      String kind, int count, String instruction, String policy) {
    String misfire =
        instruction == null
            ? ""
            : "<misfire-instruction>%s</misfire-instruction>".formatted(instruction);
    String members =
        "<start-time>2026-11-20T00:00:00Z</start-time>%s<repeat-count>%d</repeat-count>"
            + "<repeat-interval>3600000</repeat-interval>"
            + "<cron-expression>0 0 * * * ?</cron-expression>";
    assertThat(
            trigger(kind, members.formatted(misfire, count), "UTC")
                .document("t")
                .at("/catchUp/policy")
                .asText())
        .isEqualTo(policy);
  }

  @Test
  void aRequestForRecoveryIsNoted() {
    assertThat(samples.notes("agenda")).contains("recover has no equivalent");
    assertThat(samples.notes("once")).doesNotContain("recover has no equivalent");
  }

  @Test
  void entitiesAndFaultsOfXmlAreRefusedWithTheirLine() {
    String entity =
        """
        <!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>
        <job-scheduling-data><schedule>&e;</schedule></job-scheduling-data>
        """;
    assertThatThrownBy(() -> Samples.of(new Source("x.xml", entity), new QuartzConverter()))
        .isInstanceOf(UnreadableSource.class)
        .hasMessageStartingWith("x.xml:1: found: DTD");
    assertThatThrownBy(() -> Samples.of(new Source("x.xml", "<a>\n<b></a>"), new QuartzConverter()))
        .isInstanceOf(UnreadableSource.class)
        .hasMessageStartingWith("x.xml:2: ");
    assertThatThrownBy(() -> Samples.of(new Source("x.xml", "<a/>"), new QuartzConverter()))
        .hasMessage("x.xml:1: this is not job-scheduling-data of Quartz");
  }
}
