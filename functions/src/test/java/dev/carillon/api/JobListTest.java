package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The lists of the unfinished jobs of a namespace, and of the jobs of a link. */
class JobListTest {

  private static final String JOBS = "/v1/namespaces/default/jobs";
  private static final String MANUAL = "{\"type\": \"manual\"}";
  private static final String TRACKED =
      ", \"state\": \"ACTIVE\", \"tracking\": {}, \"customer\": \"acme\", \"retry\": {\"backoff\": \"PT1S\"}";
  private static final String LINKED = TRACKED + ", \"properties\": {\"linkId\": \"order-1\"}";

  private final Caller caller = new Caller();

  private String launch(String schedule, String body) {
    return caller.act(schedule, "launch", body).is(202).json().path("jobId").asText();
  }

  private List<String> launched(String schedule, int count) {
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      jobs.add(launch(schedule, "{}"));
    }
    caller.world.runFor(Duration.ofSeconds(2));
    return jobs;
  }

  private JsonNode list(String query) {
    return caller.get(JOBS + query).is(200).json();
  }

  private List<String> ids(String query) {
    return list(query).path("jobs").findValuesAsText("jobId");
  }

  private void end(String job, String report) {
    String path = JOBS + "/" + job;
    JsonNode claim =
        caller.send("POST", path + "/claim", "{\"worker\": \"w\"}", Map.of()).is(200).json();
    String token = "{\"claimToken\": \"" + claim.path("claimToken").asText() + "\"";
    String more = report.equals("fail") ? ", \"retriable\": false}" : "}";
    caller.send("POST", path + "/" + report, token + more, Map.of()).is(200);
  }

  @Test
  void eachKindOfUnfinishedJobIsListedAndEndedOnesAreNot() {
    caller.put("tracked", Docs.of(MANUAL, TRACKED)).is(201);
    String limited =
        ", \"state\": \"ACTIVE\", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]";
    caller.put("limited", Docs.of(MANUAL, limited)).is(201);
    caller.put("collects", Docs.active(Docs.partition("d", 2))).is(201);
    caller.put("plain", Docs.of(MANUAL, ", \"state\": \"ACTIVE\"")).is(201);
    List<String> tracked = launched("tracked", 2);
    List<String> limitedJobs = launched("limited", 2);
    launched("plain", 1);
    caller.world.partitions("d", 1);
    caller.world.runFor(Duration.ofSeconds(2));
    end(tracked.get(0), "succeed");

    JsonNode all = list("");

    Map<String, String> states = new java.util.TreeMap<>();
    all.path("jobs")
        .forEach(
            job ->
                states.merge(
                    job.path("schedule").asText(),
                    job.path("state").asText(),
                    (a, b) -> a.compareTo(b) < 0 ? a + b : b + a));
    assertThat(states)
        .isEqualTo(
            Map.of(
                "tracked", "ENQUEUED",
                "limited", "ENQUEUEDPENDING_CONSTRAINT",
                "collects", "PENDING_TRIGGER"));
    assertThat(all.path("next").isNull()).isTrue();
    assertThat(all.has("summary")).isFalse();
    assertThat(all.path("jobs").findValuesAsText("jobId"))
        .contains(tracked.get(1))
        .containsAll(limitedJobs);
  }

  @Test
  void aListIsFiltered() {
    caller.put("a", Docs.of(MANUAL, TRACKED)).is(201);
    caller
        .put("b", Docs.of(MANUAL, TRACKED.replace("acme", "umbrella") + ", \"program\": \"p\""))
        .is(201);
    List<String> ofA = launched("a", 2);
    List<String> ofB = launched("b", 1);
    String path = JOBS + "/" + ofA.get(0) + "/claim";
    caller.send("POST", path, "{\"worker\": \"w\"}", Map.of()).is(200);

    assertThat(ids("?state=CLAIMED")).containsExactly(ofA.get(0));
    assertThat(ids("?customer=umbrella")).isEqualTo(ofB);
    assertThat(ids("?program=default/p")).isEqualTo(ofB);
    assertThat(ids("?program=p&customer=acme")).isEmpty();
    assertThat(ids("?state=ENQUEUED")).hasSize(2);
  }

  @Test
  void pagesHaveEachJobOnceThoughOthersEndMeanwhile() {
    caller.put("a", Docs.of(MANUAL, TRACKED)).is(201);
    caller
        .put(
            "waits",
            Docs.of(
                MANUAL,
                ", \"state\": \"ACTIVE\", \"constraints\": [{\"type\": \"delay\", \"duration\": \"PT1H\"}]"))
        .is(201);
    Set<String> staying = new HashSet<>(launched("waits", 5));
    List<String> tracked = launched("a", 12);
    staying.addAll(tracked.subList(0, 6));
    List<String> found = new ArrayList<>();
    String next = null;
    int page = 0;
    do {
      JsonNode answer = list("?limit=3" + (next == null ? "" : "&next=" + next));
      found.addAll(answer.path("jobs").findValuesAsText("jobId"));
      next = answer.path("next").isNull() ? null : answer.path("next").asText();
      if (page < 6) {
        end(tracked.get(6 + page++), "succeed");
      }
    } while (next != null);
    assertThat(found).doesNotHaveDuplicates().containsAll(staying);
  }

  @Test
  void aLinkHasItsJobsOfAllSchedulesWithTheirProgress() {
    String operations = ", \"operations\": [{\"id\": \"x\"}, {\"id\": \"y\"}]";
    caller.put("a", Docs.of(MANUAL, LINKED + operations)).is(201);
    caller.put("b", Docs.of(MANUAL, TRACKED)).is(201);
    List<String> jobs = launched("a", 2);
    jobs.add(launch("b", "{\"properties\": {\"linkId\": \"order-1\"}}"));
    String other = launch("a", "{\"properties\": {\"linkId\": \"order-2\"}}");
    String none = launch("a", "{\"properties\": {\"linkId\": null}}");
    caller.world.runFor(Duration.ofSeconds(2));
    end(jobs.get(0), "succeed");
    end(jobs.get(2), "fail");

    JsonNode linked = list("?linkId=order-1");

    assertThat(linked.path("jobs").findValuesAsText("jobId")).hasSameElementsAs(jobs);
    assertThat(linked.at("/jobs/0/linkId").asText()).isEqualTo("order-1");
    assertThat(linked.path("summary"))
        .hasToString(
            "{\"jobs\":{\"ENQUEUED\":1,\"FAILED\":1,\"SUCCEEDED\":1},\"operations\":{\"WAITING\":4},\"moreJobs\":false}");
    assertThat(ids("?linkId=order-2")).containsExactly(other);
    assertThat(ids("?linkId=order-1&state=FAILED")).containsExactly(jobs.get(2));
    assertThat(caller.get(JOBS + "/" + none).is(200).json().has("linkId")).isFalse();
    String next = list("?linkId=order-1&limit=2").path("next").asText();
    assertThat(list("?linkId=order-1&limit=2&next=" + next).has("summary")).isFalse();
    assertThat(list("?linkId=order-3"))
        .hasToString(
            "{\"jobs\":[],\"next\":null,\"summary\":{\"jobs\":{},\"operations\":{},\"moreJobs\":false}}");
  }

  @Test
  void anUntrackedJobAndOneThatWaitsHaveTheirLink() {
    String more = ", \"state\": \"ACTIVE\", \"properties\": {\"linkId\": \"l\"}";
    caller.put("plain", Docs.of(MANUAL, more)).is(201);
    caller
        .put(
            "waits",
            Docs.of(
                MANUAL,
                more + ", \"constraints\": [{\"type\": \"delay\", \"duration\": \"PT1H\"}]"))
        .is(201);
    launched("plain", 1);
    launched("waits", 1);
    assertThat(list("?linkId=l").at("/summary/jobs"))
        .hasToString("{\"LAUNCHED\":1,\"PENDING_CONSTRAINT\":1}");
  }

  @Test
  void anotherNamespaceHasItsOwnJobsAndLinks() {
    caller.put("a", Docs.of(MANUAL, LINKED)).is(201);
    launched("a", 1);
    assertThat(caller.get("/v1/namespaces/other/jobs").is(200).json().path("jobs")).isEmpty();
    assertThat(caller.get("/v1/namespaces/other/jobs?linkId=order-1").is(200).json().path("jobs"))
        .isEmpty();
  }

  @Test
  void badQueriesAreRefused() {
    assertThat(
            caller
                .get(JOBS + "?state=FAILED&customer=&program=other/p&limit=0&next=x&linkid=y")
                .is(400)
                .pointers())
        .containsExactlyInAnyOrder(
            "/query/state",
            "/query/customer",
            "/query/program",
            "/query/limit",
            "/query/next",
            "/query/linkid");
    caller.get(JOBS + "?linkId=" + "x".repeat(257)).is(400);
    caller.put("a", Docs.of(MANUAL, LINKED)).is(201);
    launched("a", 3);
    String next = list("?linkId=order-1&limit=1").path("next").asText();
    caller.get(JOBS + "?linkId=order-2&next=" + next).is(400);
    caller.get(JOBS + "?next=" + next).is(400);
    String forged =
        Cursor.seal(
            "jobs in default null Filter[state=null, customer=null, program=null]",
            "waiting 0 5 5 default#program:x");
    caller.get(JOBS + "?next=" + forged).is(400);
  }

  @Test
  void aLinkIsATextOfOneLine() {
    for (String bad : List.of("5", "\"\"", "\"" + "x".repeat(257) + "\"", "\"a\\nb\"", "{}")) {
      String properties = "{\"linkId\": " + bad + "}";
      assertThat(
              caller
                  .put("bad", Docs.of(MANUAL, ", \"properties\": " + properties))
                  .is(400)
                  .pointers())
          .containsExactly("/properties/linkId");
      caller.put("a", Docs.of(MANUAL, TRACKED));
      assertThat(
              caller.act("a", "launch", "{\"properties\": " + properties + "}").is(400).pointers())
          .containsExactly("/properties/linkId");
    }
  }
}
