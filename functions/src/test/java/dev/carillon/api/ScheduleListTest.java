package dev.carillon.api;

import static dev.carillon.api.Docs.DAILY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleListTest {

  private final Caller caller = new Caller();

  private List<String> names(String query) {
    return names(caller.get(Caller.SCHEDULES + query).is(200).json());
  }

  private static List<String> names(JsonNode page) {
    return page.path("schedules").findValuesAsText("name");
  }

  @Test
  void anEmptyNamespaceHasAnEmptyList() {
    assertThat(caller.get("/v1/namespaces/unused/schedules").is(200).body())
        .isEqualTo("{\"schedules\":[],\"next\":null}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                            | cron,data,mixed,paid
          ?program=etl                  | cron
          ?program=none                 | ''
          ?app=exports                  | data
          ?state=ACTIVE                 | data,mixed
          ?state=SUSPENDED              | cron,paid
          ?state=COMPLETED              | ''
          ?program=default/etl          | cron
          ?tag=team=data                | cron
          ?tag=team=other               | mixed
          ?eventKey=partition:d         | data,mixed
          ?eventKey=partition:e         | ''
          ?eventKey=invoice             | paid
          ?eventKey=event:invoice       | paid
          ?eventKey=event:event:invoice | ''
          ?triggerType=cron             | cron,mixed
          ?triggerType=partition        | data,mixed
          ?triggerType=and              | mixed
          ?broken=false                 | cron,data,mixed,paid
          ?state=ACTIVE&triggerType=and | mixed
          """)
  void filtersNarrowTheList(String query, String expected) {
    caller.put("cron", Docs.of(DAILY, ", \"program\": \"etl\", \"tags\": {\"team\": \"data\"}"));
    caller.put(
        "data", Docs.of(Docs.partition("d", 1), ", \"app\": \"exports\", \"state\": \"ACTIVE\""));
    caller.put(
        "mixed",
        Docs.of(
            Docs.and(DAILY, Docs.partition("d", 1)),
            ", \"tags\": {\"team\": \"other\"}, \"state\": \"ACTIVE\""));
    caller.put("paid", Docs.of("{\"type\": \"event\", \"key\": \"invoice\"}"));
    caller.send("PUT", "/v1/namespaces/other/schedules/far", Docs.of(DAILY), Map.of());

    assertThat(String.join(",", names(query))).isEqualTo(expected);
  }

  @Test
  void schedulesThatWaitForAProgramThatNoScheduleLaunchesAreBroken() {
    String waits =
        "{\"type\": \"programStatus\", \"program\": \"%s\", \"statuses\": [\"SUCCEEDED\"],"
            + " \"count\": 2}";
    String etl = waits.formatted("etl");
    caller.put("upstream", Docs.of(DAILY, ", \"program\": \"etl\""));
    caller.put("other", Docs.of(DAILY, ", \"program\": \"clean\""));
    caller.put("a", Docs.of(Docs.and(DAILY, Docs.or(etl, Docs.partition("d", 1)))));
    caller.put(
        "b",
        Docs.of(
            "{\"type\": \"elapsed\", \"since\": %s, \"duration\": \"PT1H\"}"
                .formatted(waits.formatted("default/clean").replace("2}", "1}"))));
    caller.put("c", Docs.of(Docs.or(etl, waits.formatted("clean"))));
    caller.send(
        "PUT",
        "/v1/namespaces/far/schedules/far",
        Docs.of(DAILY, ", \"program\": \"etl\""),
        Map.of());
    assertThat(names("?broken=true")).isEmpty();

    caller.put("upstream", Docs.of(DAILY, ", \"program\": \"load\"")).is(200);
    assertThat(names("?broken=true")).containsExactly("a", "c");
    caller.delete("other").is(204);
    assertThat(names("?broken=true")).containsExactly("a", "b", "c");
    assertThat(names("?broken=true&triggerType=and")).containsExactly("a");
    String next =
        caller.get(Caller.SCHEDULES + "?broken=true&limit=2").json().path("next").asText();
    assertThat(names("?broken=true&limit=2&next=" + next)).containsExactly("c");
    caller.get(Caller.SCHEDULES + "?limit=2&next=" + next).is(400);
  }

  @Test
  void pagesFollowEachOtherToTheEnd() {
    for (int i = 10; i < 17; i++) {
      caller.put("s" + i, Docs.of(DAILY)).is(201);
    }
    List<String> seen = new ArrayList<>();
    String next = "";
    do {
      JsonNode page = caller.get(Caller.SCHEDULES + "?limit=3" + next).is(200).json();
      assertThat(page.path("schedules").size()).isLessThanOrEqualTo(3);
      seen.addAll(names(page));
      next = page.path("next").isNull() ? "" : "&next=" + page.path("next").asText();
    } while (!next.isEmpty());

    assertThat(seen).containsExactly("s10", "s11", "s12", "s13", "s14", "s15", "s16");
  }

  @Test
  void aDeletedScheduleIsNotListed() {
    caller.put("a", Docs.of(DAILY));
    caller.delete("a");
    assertThat(names("")).isEmpty();
  }

  @Test
  void theListContainsWholeSchedules() {
    caller.put("a", Docs.active(DAILY));
    JsonNode listed = caller.get(Caller.SCHEDULES).json().path("schedules").path(0);
    assertThat(listed).isEqualTo(caller.schedule("a").json());
  }

  @Test
  void aPageThatWouldBeTooLargeForOneAnswerIsShorter() {
    String large = ", \"properties\": {\"x\": \"" + "x".repeat(60_000) + "\"}";
    for (int i = 100; i < 200; i++) {
      caller.put("s" + i, Docs.of(DAILY, large)).is(201);
    }
    Caller.Reply reply = caller.get(Caller.SCHEDULES + "?limit=1000").is(200);
    assertThat(reply.body().length()).isLessThan(Listing.MOST_ANSWER_BYTES);
    assertThat(reply.json().path("next").isNull()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ?limit=0             | /query/limit
          ?limit=1001          | /query/limit
          ?limit=ten           | /query/limit
          ?limit=              | /query/limit
          ?limit=99999999999999999999 | /query/limit
          ?limit=5&limit=6     | /query/limit
          ?state=DELETED       | /query/state
          ?state=active        | /query/state
          ?program=a/b         | /query/program
          ?app=a b             | /query/app
          ?tag=team            | /query/tag
          ?tag==data           | /query/tag
          ?tag=team=           | /query/tag
          ?tag=team:data       | /query/tag
          ?triggerType=sunset  | /query/triggerType
          ?triggerType=elapsd  | /query/triggerType
          ?broken=yes          | /query/broken
          ?next=AAAA           | /query/next
          ?next=§              | /query/next
          ?next=               | /query/next
          ?colour=red          | /query/colour
          """)
  void badParametersAreRefused(String query, String pointer) {
    assertThat(caller.get(Caller.SCHEDULES + query).is(400).pointers()).containsExactly(pointer);
  }

  @Test
  void aCursorOfAnotherListIsRefused() {
    caller.put("a", Docs.of(DAILY));
    caller.put("b", Docs.of(DAILY));
    String next = caller.get(Caller.SCHEDULES + "?limit=1").json().path("next").asText();

    caller.get(Caller.SCHEDULES + "?limit=1&next=" + next).is(200);
    caller.get(Caller.SCHEDULES + "?state=ACTIVE&limit=1&next=" + next).is(400);
    caller.get("/v1/namespaces/other/schedules?next=" + next).is(400);
    for (int place = 0; place < next.length(); place++) {
      char changed = next.charAt(place) == 'A' ? 'B' : 'A';
      String tampered = next.substring(0, place) + changed + next.substring(place + 1);
      caller.get(Caller.SCHEDULES + "?limit=1&next=" + tampered).is(400);
    }
  }
}
