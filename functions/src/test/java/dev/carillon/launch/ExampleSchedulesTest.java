package dev.carillon.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Bridge's example schedules, at Bridge's example time 2018-03-21T17:09-07:00. */
class ExampleSchedulesTest {

  @Test
  void theExporterRequestsEverythingUpToTheHour() {
    String template =
        """
        {
          "endDateTime":"${startOfHour}",
          "useLastExportTime":true,
          "tag":"[scheduler=Bridge-EX-Scheduler-dwaynejeng,endDateTime=${startOfHour}]"
        }
        """;

    assertThat(Launch.ofJson(template).body())
        .isEqualTo(
            "{\"endDateTime\":\"2018-03-21T17:00:00.000-07:00\",\"useLastExportTime\":true,"
                + "\"tag\":\"[scheduler=Bridge-EX-Scheduler-dwaynejeng,"
                + "endDateTime=2018-03-21T17:00:00.000-07:00]\"}");
  }

  @Test
  void theReporterCoversThePreviousDay() {
    String template =
        """
        {
          "service":"REPORTER",
          "body":{
            "scheduler":"Bridge-Reporter-Scheduler-dwaynejeng",
            "scheduleType":"DAILY",
            "startDateTime":"${startOfPreviousDay}",
            "endDateTime":"${endOfPreviousDay}"
          }
        }
        """;

    assertThat(Launch.ofJson(template).body())
        .isEqualTo(
            "{\"service\":\"REPORTER\",\"body\":{"
                + "\"scheduler\":\"Bridge-Reporter-Scheduler-dwaynejeng\","
                + "\"scheduleType\":\"DAILY\","
                + "\"startDateTime\":\"2018-03-20T00:00:00.000-07:00\","
                + "\"endDateTime\":\"2018-03-20T23:59:59.999-07:00\"}}");
  }

  @Test
  void theFitBitWorkerGetsYesterday() {
    String template =
        """
        {
          "service":"FitBitWorker",
          "body":{
            "date":"${yesterdaysDate}"
          }
        }
        """;

    assertThat(Launch.ofJson(template).body())
        .isEqualTo("{\"service\":\"FitBitWorker\",\"body\":{\"date\":\"2018-03-20\"}}");
  }

  @Test
  void aTextTemplateJoinsTwoVariables() {
    Launch launch = Launch.ofText("${startOfPreviousDay}-${endOfPreviousDay}");

    assertThat(launch.at("2018-03-28T02:00:00Z").body())
        .isEqualTo("2018-03-26T00:00:00.000-07:00-2018-03-26T23:59:59.999-07:00");
  }
}
