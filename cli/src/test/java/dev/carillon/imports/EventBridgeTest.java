package dev.carillon.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.imports.eventbridge.EventBridgeConverter;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventBridgeTest {

  private final Samples samples = Samples.of("eventbridge", new EventBridgeConverter());

  @Test
  void schedulesFireWhenEventBridgeInvokedThem() {
    // Counted from the creation at 09:15:30.5 UTC.
    assertThat(samples.fires("half-hourly", "2026-11-23T00:00:00Z", 2))
        .containsExactly("2026-11-23T00:15:30.500Z", "2026-11-23T00:45:30.500Z");
    assertThat(samples.fires("launch-day", "2026-11-23T00:00:00Z", 2))
        .containsExactly("2030-01-31T00:00:00Z");
    assertThat(samples.fires("nightly-backup", "2026-11-23T04:00:00Z", 1))
        .containsExactly("2026-11-24T03:00:00Z");
  }

  @Test
  void aFlexibleFireIsWithinItsWindow() {
    // 08:30 to 08:45 in Berlin on Friday, then on Monday.
    List<String> fires = samples.fires("report", "2026-11-27T00:00:00Z", 2);
    assertThat(fires.get(0)).isBetween("2026-11-27T07:30:00Z", "2026-11-27T07:45:00Z");
    assertThat(fires.get(1)).isBetween("2026-11-30T07:30:00Z", "2026-11-30T07:45:00Z");
  }

  @Test
  void startAndEndAreKept() {
    // From noon of 29 January to midnight before 1 February, at 06:00 in Berlin.
    assertThat(samples.fires("season", "2026-11-23T00:00:00Z", 10))
        .containsExactly("2027-01-30T05:00:00Z", "2027-01-31T05:00:00Z");
    List<String> rate = samples.fires("weekly-rate", "2026-11-23T00:00:00Z", 10);
    assertThat(rate).hasSizeBetween(1, 2);
    assertThat(rate.get(0)).isBetween("2026-12-01T08:20:00Z", "2026-12-01T09:20:00Z");
  }

  @Test
  void anEndInAnHourThatOccursTwiceIsExact() {
    // On 31 October 2027, 02:30 in Berlin occurs at 00:30 and at 01:30 UTC.
    for (String end : List.of("2027-10-31T00:30:00Z", "2027-10-31T01:30:00Z")) {
      Source source =
          new Source(
              "x",
              """
              {"Name": "autumn", "ScheduleExpression": "rate(10 minutes)", "State": "ENABLED",
               "ScheduleExpressionTimezone": "Europe/Berlin", "StartDate": "2027-10-30T00:00:00Z",
               "EndDate": "%s", "Target": {"Arn": "arn:aws:sqs:eu-west-1:1:q"}}
              """
                  .formatted(end));
      Samples autumn = Samples.of(source, new EventBridgeConverter());
      String last = Instant.parse(end).minusSeconds(600).toString();
      assertThat(autumn.fires("autumn", "2027-10-31T00:00:00Z", 99)).endsWith(last);
    }
  }

  @Test
  void schedulesWithLongNamesHaveDatesOfTheirOwn() {
    String name = "a-schedule-of-a-team-that-has-many-schedules-with-long-names-";
    Source source = new Source("x", dated(name + "one") + dated(name + "two"));
    Samples two = Samples.of(source, new EventBridgeConverter());
    String one = two.document(name + "one").at("/trigger/exclude/0").asText();
    String other = two.document(name + "two").at("/trigger/exclude/0").asText();
    assertThat(one).isNotEqualTo(other).startsWith("a-schedule").endsWith("-dates").hasSize(64);
    assertThat(Samples.of(source, new EventBridgeConverter()).document(name + "one"))
        .isEqualTo(two.document(name + "one"));
  }

  private static String dated(String name) {
    return """
    {"Name": "%s", "ScheduleExpression": "rate(1 day)", "State": "ENABLED",
     "EndDate": "2030-01-01T00:00:00Z", "Target": {"Arn": "arn:aws:sqs:eu-west-1:1:q"}}
    """
        .formatted(name);
  }

  @Test
  void theEndOfAOneTimeScheduleIsIgnored() {
    assertThat(samples.fires("once-after-its-end", "2026-11-23T00:00:00Z", 2))
        .containsExactly("2030-01-31T09:00:00Z");
    assertThat(samples.reason("ended")).isEqualTo("its EndDate, 2025-01-01T00:00:00Z, has passed");
  }

  @Test
  void aTimeThatClocksLeaveOutIsLeftOut() {
    Source source =
        new Source(
            "x",
            """
            {"Name": "gap", "ScheduleExpression": "cron(30 2 * * ? *)",
             "ScheduleExpressionTimezone": "Europe/Berlin", "State": "ENABLED",
             "Target": {"Arn": "arn:aws:sqs:eu-west-1:1:q"}}
            """);
    Samples gap = Samples.of(source, new EventBridgeConverter());
    // 28 March 2027 has no 02:30 in Berlin.
    assertThat(gap.fires("gap", "2027-03-27T00:00:00Z", 2))
        .containsExactly("2027-03-27T01:30:00Z", "2027-03-29T00:30:00Z");
  }

  @Test
  void anAnswerThatIsNoneOfTheCommandsNamesItsLine() {
    assertThatThrownBy(
            () ->
                Samples.of(new Source("x.json", "\n{\"Tables\": []}"), new EventBridgeConverter()))
        .isInstanceOf(UnreadableSource.class)
        .hasMessageStartingWith("x.json:2: neither");
    assertThatThrownBy(
            () ->
                Samples.of(
                    new Source("x.json", "{\n  \"Rules\": [,]\n}"), new EventBridgeConverter()))
        .isInstanceOf(UnreadableSource.class)
        .hasMessageStartingWith("x.json:2: ");
    assertThatThrownBy(
            () ->
                Samples.of(
                    new Source("x.json", "{\"Rules\": [], \"NextToken\": \"abc\"}"),
                    new EventBridgeConverter()))
        .hasMessageStartingWith("x.json:1: it is one page of several");
  }
}
