package dev.carillon.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.imports.cdap.CdapConverter;
import org.junit.jupiter.api.Test;

class CdapTest {

  private final Samples samples = Samples.of("cdap", new CdapConverter());

  @Test
  void timeTriggersFireWhenCdapLaunched() {
    // CDAP reads day 2 as Quartz does: Monday. 30 November and 7 December 2026 are Mondays.
    assertThat(samples.fires("sales-pipeline.nightly", "2026-11-23T12:00:00Z", 2))
        .containsExactly("2026-11-30T02:30:00Z", "2026-12-07T02:30:00Z");
    assertThat(samples.fires("sales-pipeline.quartz", "2026-11-23T12:00:00Z", 2))
        .containsExactly("2026-12-01T03:00:00Z", "2027-01-01T03:00:00Z");
  }

  @Test
  void aTimeThatOccursTwiceFiresTheSecondTime() {
    String schedule =
        """
        {"name": "daily", "application": "a", "program": {"programName": "p"},
         "trigger": {"type": "TIME", "cronExpression": "30 2 * * *"}}
        """;
    Conversion how = new Conversion("default", "work", "Europe/Berlin", Samples.NOW);
    Samples daily = Samples.of(new Source("x.json", schedule), new CdapConverter(), how);
    // 02:30 in Berlin does not occur on 28 March 2027, and occurs twice on 31 October.
    assertThat(daily.fires("a.daily", "2027-03-27T12:00:00Z", 1))
        .containsExactly("2027-03-29T00:30:00Z");
    assertThat(daily.fires("a.daily", "2027-10-30T12:00:00Z", 2))
        .containsExactly("2027-10-31T01:30:00Z", "2027-11-01T01:30:00Z");
  }

  @Test
  void aProgramIsNamedWithItsApplicationWhereverItIsNamed() {
    assertThat(samples.document("sales-pipeline.nightly").path("program").asText())
        .isEqualTo("sales-pipeline.DataPipelineWorkflow")
        .isEqualTo(
            samples
                .document("ingest.all-of")
                .at("/trigger/triggers/1/triggers/0/program")
                .asText());
  }

  @Test
  void anotherAnswerIsRefusedWithItsLine() {
    assertThatThrownBy(
            () -> Samples.of(new Source("x.json", "{\"message\": \"no\"}"), new CdapConverter()))
        .hasMessageStartingWith("x.json:1: this is not a schedule of CDAP");
  }
}
