package dev.carillon.imports;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.exports.Entry;
import dev.carillon.imports.crontab.CrontabConverter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrontabTest {

  private final Samples samples = Samples.of("crontab", new CrontabConverter(false));

  @Test
  void entriesFireWhenCronRanThem() {
    // 02:30 in Berlin on workdays: UTC+1 in winter; Sunday 29 March 2026 has no 02:30.
    assertThat(samples.fires("flock-n-export.lock-export-region-eu", "2026-11-26T00:00:00Z", 3))
        .containsExactly("2026-11-26T01:30:00Z", "2026-11-27T01:30:00Z", "2026-11-30T01:30:00Z");
    assertThat(samples.fires("rotate-keep-7", "2026-11-23T00:00:00Z", 1))
        .containsExactly("2026-11-23T23:00:00Z");
    // Sundays; 7 is Sunday.
    assertThat(samples.fires("backup.sh", "2026-11-23T00:00:00Z", 1))
        .containsExactly("2026-11-28T23:00:00Z");
    assertThat(samples.fires("sunday", "2026-11-28T23:00:00Z", 2))
        .containsExactly("2026-11-28T23:20:00Z", "2026-11-28T23:40:00Z");
    // The first of the month and of the year, in Berlin.
    assertThat(samples.fires("backup.sh-2", "2026-11-23T00:00:00Z", 1))
        .containsExactly("2026-11-30T23:00:00Z");
    assertThat(samples.fires("backup.sh-3", "2026-11-23T00:00:00Z", 1))
        .containsExactly("2026-12-31T23:00:00Z");
  }

  @Test
  void eitherOfTwoRestrictedDaysFiresAndBothIfOneBeginsWithAStar() {
    // Friday 4, 11, Sunday 13 and Friday 18 December 2026 at 04:00 in Berlin.
    assertThat(samples.fires("friday", "2026-12-01T00:00:00Z", 4))
        .containsExactly(
            "2026-12-04T03:00:00Z",
            "2026-12-11T03:00:00Z",
            "2026-12-13T03:00:00Z",
            "2026-12-18T03:00:00Z");
    // Mondays in December 2026 are 7, 14, 21 and 28; odd days are 7 and 21.
    assertThat(samples.fires("both", "2026-12-01T00:00:00Z", 3))
        .containsExactly("2026-12-07T02:00:00Z", "2026-12-21T02:00:00Z", "2027-01-11T02:00:00Z");
  }

  @Test
  void aStepAfterASingleNumberIsLeftOut() {
    assertThat(samples.reason("/usr/local/bin/step"))
        .isEqualTo(
            "\"5/15\": cron allows a step only after a range or *; write 5-59/15 for a sequence, or"
                + " 5");
    assertThat(samples.reason("/usr/local/bin/names"))
        .startsWith("\"mon/2\": cron allows a step only after a range or *");
  }

  @Test
  void aSettingHoldsForTheEntriesBelowIt() {
    // 05:00 in New York.
    assertThat(samples.fires("quiet", "2026-11-23T00:00:00Z", 1))
        .containsExactly("2026-11-23T10:00:00Z");
    assertThat(samples.document("rotate-keep-7").at("/target/template/environment").has("TZ"))
        .isFalse();
  }

  @Test
  void onlyAStarInFrontFollowsRealTime() {
    Source source = new Source("x", "30 0-6/2 * * * a\n5,*/20 2 * * * b\n*/30 2 * * * c\n");
    Conversion how = new Conversion("default", "work", "Europe/Berlin", Samples.NOW);
    List<Outcome> outcomes = new CrontabConverter(false).convert(List.of(source), how);
    assertThat(outcomes)
        .extracting(each -> ((Outcome.Converted) each).entry().document().at("/trigger/dst"))
        .extracting(JsonNode::toString)
        .containsExactly(
            "{\"gap\":\"shift\",\"overlap\":\"first\"}",
            "{\"gap\":\"shift\",\"overlap\":\"first\"}",
            "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "/bin/x > /dev/null 2>&1 ~ x",
        "/bin/x >/dev/null 2>&1 & ~ x",
        "/bin/x 2>>/var/log/x.log >&2 -v ~ x-v",
        "/bin/x &> out.txt && y2>z ~ x-y2",
        "x < in.csv | sort ~ x-sort",
        "x 2>&1 | /usr/bin/logger -t nightly ~ x",
        "x | logger -t a; y ~ x-y",
        "x | loggers ~ x-loggers",
        "> /tmp/x ~ unnamed"
      })
  void redirectionsAreNotPartOfTheName(String command, String name) {
    Source source = new Source("x", "0 3 * * * " + command + "\n");
    Conversion how = new Conversion("default", "work", "Europe/Berlin", Samples.NOW);
    List<Outcome> outcomes = new CrontabConverter(false).convert(List.of(source), how);
    Entry entry = ((Outcome.Converted) outcomes.get(0)).entry();
    assertThat(entry.name()).isEqualTo(name);
    assertThat(entry.document().at("/target/template/command").asText()).isEqualTo(command);
  }

  @Test
  void withoutAQueueEachEntryIsLeftOut() {
    Source source = new Source("x", "0 3 * * * a\n0 4 * * * b\n");
    Conversion how = new Conversion("default", null, "Europe/Berlin", Samples.NOW);
    List<Outcome> outcomes = new CrontabConverter(false).convert(List.of(source), how);
    assertThat(outcomes)
        .containsExactly(
            new Outcome.LeftOut(
                new Place("x", 1), "0 3 * * * a", "it names no SQS queue; give --queue NAME"),
            new Outcome.LeftOut(
                new Place("x", 2), "0 4 * * * b", "it names no SQS queue; give --queue NAME"));
  }
}
