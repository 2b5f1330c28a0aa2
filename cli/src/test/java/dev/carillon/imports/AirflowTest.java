package dev.carillon.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.imports.airflow.AirflowConverter;
import java.util.List;
import org.junit.jupiter.api.Test;

class AirflowTest {

  private final Samples samples = Samples.of("airflow", new AirflowConverter());

  @Test
  void dagsFireWhenAirflowStartedTheirRuns() {
    // 03:00 in Berlin on workdays: Friday, and then Monday.
    assertThat(samples.fires("sales", "2026-11-27T00:00:00Z", 2))
        .containsExactly("2026-11-27T02:00:00Z", "2026-11-30T02:00:00Z");
    // An odd day, or a Monday: 14 December 2026 is one.
    assertThat(samples.fires("either-day", "2026-12-11T12:00:00Z", 3))
        .containsExactly("2026-12-13T04:00:00Z", "2026-12-14T04:00:00Z", "2026-12-15T04:00:00Z");
    // Every four hours from the start date, which is midnight.
    assertThat(samples.fires("four_hours", "2026-11-23T00:30:00Z", 2))
        .containsExactly("2026-11-23T04:00:00Z", "2026-11-23T08:00:00Z");
    // The end date is June.
    assertThat(samples.fires("quarterly", "2026-11-23T00:00:00Z", 9))
        .containsExactly("2027-01-01T00:00:00Z", "2027-04-01T00:00:00Z");
  }

  @Test
  void aTimeThatOccursTwiceRunsTheSecondTimeAndAnHourlyDagRunsEachHour() {
    // On 31 October 2027, 02:00 to 03:00 in Berlin occurs from 00:00 and from 01:00 UTC.
    assertThat(inBerlin("30 2 * * *").fires("dag", "2027-10-30T12:00:00Z", 2))
        .containsExactly("2027-10-31T01:30:00Z", "2027-11-01T01:30:00Z");
    assertThat(inBerlin("0,30 2 * * *").fires("dag", "2027-10-30T12:00:00Z", 3))
        .containsExactly("2027-10-31T01:00:00Z", "2027-10-31T01:30:00Z", "2027-11-01T01:00:00Z");
    assertThat(inBerlin("0 */2 * * *").fires("dag", "2027-10-30T23:00:00Z", 2))
        .containsExactly("2027-10-31T01:00:00Z", "2027-10-31T03:00:00Z");
    for (String hours : List.of("*", "*/1", "0-23")) {
      assertThat(inBerlin("30 " + hours + " * * *").fires("dag", "2027-10-30T23:00:00Z", 4))
          .containsExactly(
              "2027-10-30T23:30:00Z",
              "2027-10-31T00:30:00Z",
              "2027-10-31T01:30:00Z",
              "2027-10-31T02:30:00Z");
    }
  }

  @Test
  void aTimeThatDoesNotExistRunsAfterTheGapAndAnHourlyDagOmitsIt() {
    // On 28 March 2027, Berlin's clocks change from 02:00 to 03:00, at 01:00 UTC.
    assertThat(inBerlin("30 2 * * *").fires("dag", "2027-03-27T12:00:00Z", 2))
        .containsExactly("2027-03-28T01:00:00Z", "2027-03-29T00:30:00Z");
    assertThat(inBerlin("0 */2 * * *").fires("dag", "2027-03-28T00:00:00Z", 2))
        .containsExactly("2027-03-28T01:00:00Z", "2027-03-28T02:00:00Z");
    assertThat(inBerlin("30 * * * *").fires("dag", "2027-03-28T00:00:00Z", 3))
        .containsExactly("2027-03-28T00:30:00Z", "2027-03-28T01:30:00Z", "2027-03-28T02:30:00Z");
  }

  private static Samples inBerlin(String timetable) {
    String dag =
        "[{\"dag_id\": \"dag\", \"timetable_summary\": \"%s\", \"timezone\": \"Europe/Berlin\"}]"
            .formatted(timetable);
    return Samples.of(new Source("x.json", dag), new AirflowConverter());
  }

  @Test
  void aDagRunsAtItsEndDate() {
    assertThat(ending("2026-11-23T02:00:00Z").fires("dag", "2026-11-23T00:00:00Z", 9))
        .containsExactly("2026-11-23T01:00:00Z", "2026-11-23T02:00:00Z");
    assertThat(ending("2026-11-23T00:00:00Z").fires("dag", "2026-11-22T23:30:00Z", 9))
        .containsExactly("2026-11-23T00:00:00Z");
    assertThat(ending("2026-11-22T23:59:59Z").reason("dag"))
        .isEqualTo("its end_date, 2026-11-22T23:59:59Z, has passed");
  }

  private static Samples ending(String end) {
    String dag =
        "[{\"dag_id\": \"dag\", \"timetable_summary\": \"@hourly\", \"end_date\": \"%s\"}]"
            .formatted(end);
    return Samples.of(new Source("x.json", dag), new AirflowConverter());
  }

  @Test
  void dagsThatAirflowDoesNotFindAreLeftOut() {
    assertThat(samples.reason("not_found")).startsWith("it is not active");
    assertThat(samples.reason("stale")).startsWith("it is not active");
  }

  @Test
  void whatTheListKnowsIsCompletedByTheDetails() {
    assertThat(samples.document("hourly").path("state").asText()).isEqualTo("ACTIVE");
    assertThat(samples.document("weekly").path("state").asText()).isEqualTo("SUSPENDED");
    assertThat(samples.reason("no_details")).contains("airflow dags details");
  }

  @Test
  void anythingElseIsRefusedWithItsLine() {
    assertThatThrownBy(
            () -> Samples.of(new Source("x.json", "[\n{\"a\": 1}]"), new AirflowConverter()))
        .isInstanceOf(UnreadableSource.class)
        .hasMessageStartingWith("x.json:2: this is not a DAG");
  }
}
