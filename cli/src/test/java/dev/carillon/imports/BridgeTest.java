package dev.carillon.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.imports.bridge.BridgeConverter;
import java.util.List;
import org.junit.jupiter.api.Test;

class BridgeTest {

  private final Samples samples = Samples.of("bridge", new BridgeConverter());

  @Test
  void rowsFireInUtc() {
    assertThat(samples.fires("Bridge-EX-Scheduler-dev", "2018-03-21T16:30:00Z", 2))
        .containsExactly("2018-03-21T17:00:00Z", "2018-03-21T18:00:00Z");
    assertThat(samples.fires("Bridge-FitBit-Scheduler-uat", "2018-03-25T02:05:00Z", 3))
        .containsExactly("2018-03-25T03:00:00Z", "2018-03-26T03:00:00Z", "2018-03-27T03:00:00Z");
    assertThat(samples.fires("test-schedule", "2018-03-28T00:15:00Z", 2))
        .containsExactly("2018-03-28T00:45:00Z", "2018-03-28T01:15:00Z");
    // The last day of February.
    assertThat(samples.fires("without-queue", "2018-02-28T00:00:00Z", 1))
        .containsExactly("2018-02-28T03:00:00Z");
  }

  @Test
  void requestsRenderAsBridgeSentThem() {
    String fire = "2018-03-28T00:00:00Z";
    assertThat(samples.rendered("Bridge-EX-Scheduler-dev", fire))
        .isEqualTo(
            "{\"endDateTime\":\"2018-03-27T17:00:00.000-07:00\",\"useLastExportTime\":true,"
                + "\"tag\":\"[scheduler=Bridge-EX-Scheduler-dev,"
                + "endDateTime=2018-03-27T17:00:00.000-07:00]\"}");
    assertThat(samples.rendered("Bridge-Reporter-Scheduler-prod", fire))
        .isEqualTo(
            "{\"service\":\"REPORTER\",\"body\":{\"scheduler\":\"Bridge-Reporter-Scheduler-prod\","
                + "\"scheduleType\":\"DAILY\",\"startDateTime\":\"2018-03-26T00:00:00.000-07:00\","
                + "\"endDateTime\":\"2018-03-26T23:59:59.999-07:00\"}}");
    assertThat(samples.rendered("Bridge-FitBit-Scheduler-uat", fire))
        .isEqualTo("{\"service\":\"FitBitWorker\",\"body\":{\"date\":\"2018-03-26\"}}");
    assertThat(samples.rendered("test-schedule", fire))
        .isEqualTo(
            "plain 2018-03-27T17:00:00.000-07:00 2018-03-27 2018-03-27T00:00:00.000-07:00"
                + " 2018-03-20T00:00:00.000-07:00 ${unknown} ${literal}");
  }

  @Test
  void onePageOfSeveralIsRefused() {
    for (String next :
        List.of("\"LastEvaluatedKey\": {\"id\": {\"S\": \"a\"}}", "\"NextToken\": \"a\"")) {
      Source page = new Source("x.json", "{\"Items\": [], " + next + "}");
      assertThatThrownBy(() -> Samples.of(page, new BridgeConverter()))
          .isInstanceOf(UnreadableSource.class)
          .hasMessageStartingWith("x.json:1: it is one page of several");
    }
  }

  @Test
  void anotherDocumentIsRefusedWithItsLine() {
    assertThatThrownBy(
            () -> Samples.of(new Source("x.json", "{\"Item\": {}}\n[]"), new BridgeConverter()))
        .hasMessageStartingWith("x.json:1: neither \"Item\" nor \"Items\"");
  }
}
