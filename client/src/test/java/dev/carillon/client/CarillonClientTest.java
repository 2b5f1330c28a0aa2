package dev.carillon.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.carillon.client.schedule.Json;
import dev.carillon.client.schedule.Schedule;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CarillonClientTest {

  private final Stub stub = new Stub();
  private final CarillonClient client = CarillonClient.local(stub.uri());
  private final Namespace team = client.namespace("team");

  @AfterEach
  void stop() {
    stub.close();
  }

  @ParameterizedTest
  @CsvSource({
    "400, Invalid",
    "413, Invalid",
    "415, Invalid",
    "401, Denied",
    "403, Denied",
    "404, NotFound",
    "409, Conflict",
    "412, Stale",
    "408, Unavailable",
    "425, Unavailable",
    "429, Unavailable",
    "500, Unavailable",
    "503, Unavailable"
  })
  void aRefusalIsAnExceptionWithTheApisWords(int status, String type) {
    stub.answers(
        status,
        """
        {"type": "about:blank", "title": "T", "status": %d, "detail": "there are 2 faults",
         "errors": [{"pointer": "/trigger", "detail": "one"}, {"pointer": "/zone", "detail": "two"}]}
        """
            .formatted(status));
    CarillonException.Refused refused =
        catchThrowableOfType(CarillonException.Refused.class, () -> team.schedule("a"));

    assertThat(refused.getClass().getSimpleName()).isEqualTo(type);
    assertThat(refused.status()).isEqualTo(status);
    assertThat(refused.problem().detail()).isEqualTo("there are 2 faults");
    assertThat(refused.problem().errors())
        .containsExactly(new Problem.Fault("/trigger", "one"), new Problem.Fault("/zone", "two"));
    assertThat(refused).hasMessage(status + " /trigger: one; /zone: two");
    assertThat(refused.request()).isEqualTo("GET /v1/namespaces/team/schedules/a");
  }

  @Test
  void aNameThatNoObjectCanHaveIsRefusedWithoutARequest() {
    String rule = "give 1 to 64 letters, digits, \".\", \"_\" or \"-\", but not only dots";
    List<ThrowingCallable> calls =
        List.of(
            () -> team.schedule("a/b"),
            () -> team.put(Schedule.of("a/b", "{}")),
            () -> team.program("a/b"),
            () -> team.resource("a/b"),
            () -> team.app("a/b"),
            () -> team.pools().pool("a/b"),
            () -> team.calendars().calendar("a/b"));
    for (ThrowingCallable call : calls) {
      assertThat(refusal(call)).isEqualTo("\"a/b\" is not a valid name; " + rule);
    }
    for (String name : List.of("", "..", "ä", "a b", "a\n", "a".repeat(65))) {
      assertThat(refusal(() -> team.schedule(name))).endsWith("is not a valid name; " + rule);
    }
    for (String name : List.of("", "a.b", "bad ns", "a".repeat(33))) {
      assertThat(refusal(() -> client.namespace(name)))
          .endsWith(
              "is not a valid name of a namespace; give 1 to 32 letters, digits, \"_\" or \"-\"");
    }
    assertThat(stub.request).isNull();
  }

  private static String refusal(ThrowingCallable call) {
    return catchThrowableOfType(CarillonException.Invalid.class, call).problem().detail();
  }

  @Test
  void theServersClockIsReadFromAnyAnswer() {
    stub.answers(200, "{}").answers(403, "");
    Instant before = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    // The server of the JDK writes its clock into each answer, to the second.
    assertThat(client.time())
        .hasValueSatisfying(it -> assertThat(it).isBetween(before, Instant.now()));
    assertThat(client.time())
        .hasValueSatisfying(it -> assertThat(it).isBetween(before, Instant.now()));
  }

  @Test
  void aComparisonIsADryRun() {
    stub.answers(400, "{}");
    assertThatThrownBy(() -> team.compare(Schedule.of("a", "{}")))
        .isInstanceOf(CarillonException.Invalid.class);
    assertThat(stub.request.query()).isEqualTo("dryRun=true");
  }

  @Test
  void calendarsAreStoredReadListedAndDeleted() {
    String stored =
        """
        {"namespace": "team", "name": "off", "etag": "\\"1\\"", "createdAt": "2026-03-10T12:00:00Z",
         "createdBy": "ann", "updatedAt": "2026-03-10T12:00:00Z", "updatedBy": "ann",
         "calendar": {"dates": ["2026-12-25"]}}
        """;
    stub.answers(201, stored)
        .answers(200, stored)
        .answers(200, "{\"calendars\": [" + stored + "], \"next\": \"n\"}")
        .answers(204, "");
    Calendars calendars = team.calendars();

    Calendar put = calendars.put("off", Json.tree(Map.of("dates", List.of("2026-12-25"))));
    assertThat(stub.body()).isEqualTo("{\"dates\":[\"2026-12-25\"]}");
    assertThat(calendars.calendar("off")).isEqualTo(put);
    assertThat(calendars.list(10, "m")).isEqualTo(new Page<>(List.of(put), "n"));
    assertThat(stub.request.query()).isEqualTo("limit=10&next=m");
    calendars.delete("off");
    assertThat(stub.request.method()).isEqualTo("DELETE");
    assertThat(stub.request.path()).isEqualTo("/v1/namespaces/team/calendars/off");
  }

  @Test
  void poolsAreStoredReadListedAndDeleted() {
    String stored =
        """
        {"namespace": "team", "name": "encode", "etag": "\\"1\\"", "createdAt": "2026-03-10T12:00:00Z",
         "createdBy": "ann", "updatedAt": "2026-03-10T12:00:00Z", "updatedBy": "ann",
         "pool": {"depth": 20}}
        """;
    stub.answers(201, stored)
        .answers(200, stored)
        .answers(200, stored)
        .answers(200, "{\"pools\": [" + stored + "], \"next\": \"n\"}")
        .answers(204, "");
    Pools pools = team.pools();

    Pool put = pools.put("encode", Json.tree(Map.of("depth", 20)));
    assertThat(stub.body()).isEqualTo("{\"depth\":20}");
    assertThat(pools.replace("encode", Json.tree(Map.of("depth", 30)), put.etag())).isEqualTo(put);
    assertThat(stub.request.headers()).containsEntry("if-match", "\"1\"");
    assertThat(pools.pool("encode")).isEqualTo(put);
    assertThat(pools.list(10, "m")).isEqualTo(new Page<>(List.of(put), "n"));
    assertThat(stub.request.query()).isEqualTo("limit=10&next=m");
    pools.delete("encode");
    assertThat(stub.request.method()).isEqualTo("DELETE");
    assertThat(stub.request.path()).isEqualTo("/v1/namespaces/team/pools/encode");
  }

  @Test
  void aPoolSaysHowItIsDoing() {
    stub.answers(
        200,
        """
        {"namespace": "team", "name": "encode", "etag": "\\"1\\"", "createdAt": "2026-03-10T12:00:00Z",
         "createdBy": "ann", "updatedAt": "2026-03-10T12:00:00Z", "updatedBy": "ann", "pool": {},
         "status": {"depth": 20, "visible": 5, "inFlight": null, "moved": 9, "claimed": 4,
          "nextChoiceAt": null, "oldestReadyAt": "2026-03-10T11:00:00.000Z", "waiting":
          {"jobs": 3, "isAtLeast": true, "customers": 2, "byCustomer":
           [{"customer": "acme", "jobs": 2}, {"customer": null, "jobs": 1}]},
          "servedSince": "2026-03-10T11:30:00.000Z", "servedOthers": 5,
          "servedLastHour": [{"customer": "acme", "jobs": 5, "share": 0.5}]}}
        """);
    assertThat(team.pools().pool("encode").status())
        .isEqualTo(
            new PoolStatus(
                20,
                5,
                null,
                9,
                4,
                null,
                Instant.parse("2026-03-10T11:00:00Z"),
                new PoolStatus.Waiting(
                    3,
                    true,
                    2,
                    List.of(
                        new PoolStatus.CustomerJobs("acme", 2),
                        new PoolStatus.CustomerJobs(null, 1))),
                Instant.parse("2026-03-10T11:30:00Z"),
                List.of(new PoolStatus.CustomerShare("acme", 5, 0.5)),
                5));
  }

  @Test
  void brokenSchedulesCanBeListed() {
    stub.answers(200, "{\"schedules\": [], \"next\": null}");
    assertThat(team.schedules(ScheduleFilter.all().broken(), 10, null).items()).isEmpty();
    assertThat(stub.request.query()).isEqualTo("broken=true&limit=10");
  }

  @Test
  void anUnavailableAnswerSaysForHowLong() {
    String problem = "{\"status\": 429, \"detail\": \"busy\"}";
    stub.answers(429, problem, Map.of("Retry-After", "7")).answers(429, problem);

    assertThat(unavailable()).isEqualTo(Duration.ofSeconds(7));
    assertThat(unavailable()).isEqualTo(Duration.ofSeconds(1));
  }

  private Duration unavailable() {
    return catchThrowableOfType(CarillonException.Unavailable.class, client::status).retryAfter();
  }

  @Test
  void answersOfTheGatewayItselfAreUnderstood() {
    stub.answers(403, "{\"message\": \"Missing Authentication Token\"}")
        .answers(502, "<html>")
        .answers(417, "{\"title\": \"Refused\", \"detail\": \"why\", \"errors\": []}");

    assertThatThrownBy(client::status)
        .isInstanceOf(CarillonException.Denied.class)
        .hasMessageContaining("Missing Authentication Token");
    assertThatThrownBy(client::status)
        .isInstanceOf(CarillonException.Unavailable.class)
        .hasMessageContaining("502");
    assertThatThrownBy(client::status)
        .isInstanceOf(CarillonException.Invalid.class)
        .hasMessage("417 why");
  }

  @Test
  void somethingElseAtTheAddressIsSaidToBeSo() {
    stub.answers(200, "<html>").answers(200, "{\"state\": \"HAPPY\"}");

    assertThatThrownBy(client::status)
        .isInstanceOf(CarillonException.Unintelligible.class)
        .hasMessageContaining("GET /v1/status");
    assertThatThrownBy(() -> team.schedule("a"))
        .isInstanceOf(CarillonException.Unintelligible.class);
  }

  @Test
  void aListOfSomethingElseIsSaidToBeSo() {
    List<String> foreign =
        List.of(
            "{}",
            "{\"schedules\": [{\"name\": \"a\"}]}",
            "{\"schedules\": [{\"state\": \"HAPPY\"}]}",
            "{\"schedules\": [{\"state\": \"ACTIVE\", \"nextFire\": \"soon\"}]}");
    for (String answer : foreign) {
      stub.answers(200, answer);
      assertThatThrownBy(() -> team.schedules(ScheduleFilter.all(), 10, null))
          .as(answer)
          .isInstanceOf(CarillonException.Unintelligible.class);
    }
    stub.answers(200, "{}").answers(200, "{\"jobs\": [{\"state\": \"HAPPY\"}]}").answers(200, "{}");
    assertThatThrownBy(() -> team.send(List.of()))
        .isInstanceOf(CarillonException.Unintelligible.class);
    assertThatThrownBy(() -> team.jobs("a", null, 10, null))
        .isInstanceOf(CarillonException.Unintelligible.class);
    assertThatThrownBy(() -> team.progress("order"))
        .isInstanceOf(CarillonException.Unintelligible.class);
  }

  @Test
  void theLinkOfAJobIsRead() {
    stub.answers(
        200,
        """
        {"jobId": "j", "namespace": "team", "schedule": "a", "generation": 1, "state": "RUNNING",
         "linkId": "order-81", "version": 1, "transitions": []}
        """);
    assertThat(team.job("j").linkId()).isEqualTo("order-81");
  }

  @Test
  void anAddressWithoutAServerIsUnreachable() {
    URI absent = stub.uri();
    stub.close();
    assertThatThrownBy(() -> CarillonClient.local(absent).status())
        .isInstanceOf(CarillonException.Unreachable.class)
        .hasMessageContaining("/v1/status got no answer");
  }

  @Test
  void anInterruptedCallLeavesTheInterruption() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(client::status).isInstanceOf(CarillonException.Unreachable.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void anEndpointMayEndWithASlashAndHaveAPath() {
    stub.answers(404, "");
    CarillonClient deployed = CarillonClient.local(URI.create(stub.uri() + "/live/"));
    assertThatThrownBy(deployed::status).isInstanceOf(CarillonException.NotFound.class);
    assertThat(stub.request.path()).isEqualTo("/live/v1/status");
  }

  @Test
  void theDeletionOfAProgramShowsWhatItKeeps() {
    stub.answers(
        200,
        """
        {"deleted": 2, "keptByApps": 1,
         "cancelled": {"waiting": 3, "collecting": 0, "mayBeMore": false}}
        """);
    assertThat(team.deleteProgram("etl"))
        .isEqualTo(new DeletedSchedules(2, 1, new Cancelled(3, 0, false)));
    assertThat(stub.request.path()).isEqualTo("/v1/namespaces/team/programs/etl");
  }

  @Test
  void conditionsAreHeaders() {
    stub.answers(412, "").answers(412, "").answers(412, "").answers(412, "").answers(204, "");
    Schedule schedule = Schedule.of("a", "{}");

    assertThatThrownBy(() -> team.create(schedule)).isInstanceOf(CarillonException.Stale.class);
    assertThat(stub.request.headers()).containsEntry("if-none-match", "*");
    assertThatThrownBy(() -> team.replace(schedule, "\"7\""))
        .isInstanceOf(CarillonException.Stale.class);
    assertThat(stub.request.headers()).containsEntry("if-match", "\"7\"");
    assertThatThrownBy(() -> team.put(schedule)).isInstanceOf(CarillonException.Stale.class);
    assertThat(stub.request.headers()).doesNotContainKeys("if-match", "if-none-match");
    assertThatThrownBy(() -> team.delete("a", "\"7\"")).isInstanceOf(CarillonException.Stale.class);
    assertThat(stub.request.method()).isEqualTo("DELETE");
    assertThat(stub.request.headers()).containsEntry("if-match", "\"7\"");
    team.delete("a");
    assertThat(stub.request.headers()).doesNotContainKey("if-match");
  }

  @Test
  void halfOfASurrogatePairIsSentAsItIs() {
    stub.answers(400, "{}").answers(400, "{}");
    String whole = " \ud83d\ude00 é";

    refusal(() -> team.put(Schedule.of("a", "{\"zone\": \"\\\\\\ud800" + whole + "\"}")));
    assertThat(body()).isEqualTo("{\"zone\":\"\\\\\\ud800" + whole + "\"}");
    refusal(() -> team.suspend("a", SuspendMode.HOLD, "a\ud800b" + whole));
    assertThat(body()).contains("\"reason\":\"a\\ud800b" + whole + "\"");
  }

  private String body() {
    return new String(stub.request.body(), StandardCharsets.UTF_8);
  }

  @Test
  void aDeletionCountsTheJobsThatItCancels() {
    String header = "Carillon-Cancelled";
    stub.answers(204, "", Map.of(header, "waiting=2, collecting=1"))
        .answers(204, "", Map.of(header, "waiting=0, collecting=0, may-be-more"))
        .answers(204, "", Map.of(header, "waiting=3"))
        .answers(204, "");

    assertThat(team.delete("a")).contains(new Cancelled(2, 1, false));
    assertThat(team.delete("a", "\"7\"")).contains(new Cancelled(0, 0, true));
    assertThat(team.deleteApp("a")).contains(new Cancelled(3, 0, false));
    assertThat(team.delete("a")).as("of an older server").isEmpty();
  }

  @Test
  void requestedNamesAreEncoded() {
    stub.answers(200, "{\"schedules\": [], \"next\": null}").answers(404, "");
    ScheduleFilter filter =
        ScheduleFilter.all()
            .withProgram("p")
            .withApp("a")
            .withState(StoredSchedule.State.ACTIVE)
            .withTag("team=data & more")
            .withEventKey("event:aws.s3:Object Created")
            .withTriggerType("and");
    assertThat(team.schedules(filter, 7, "a+b/=").items()).isEmpty();
    assertThat(stub.request.path()).isEqualTo("/v1/namespaces/team/schedules");
    assertThat(stub.request.query())
        .isEqualTo(
            "app=a&eventKey=event%3Aaws.s3%3AObject%20Created&limit=7&next=a%2Bb%2F%3D&program=p"
                + "&state=ACTIVE&tag=team%3Ddata%20%26%20more&triggerType=and");

    assertThatThrownBy(() -> team.job("a/b c~d")).isInstanceOf(CarillonException.NotFound.class);
    assertThat(stub.request.path()).isEqualTo("/v1/namespaces/team/jobs/a%2Fb%20c~d");
  }

  @Test
  void theJobsOfANamespaceAreReadPageByPageAlsoThroughAnEmptyPage() {
    stub.answers(200, "{\"jobs\": [], \"next\": \"n1\"}")
        .answers(200, "{\"jobs\": [], \"next\": null}")
        .answers(
            200,
            "{\"jobs\": [], \"next\": null, \"summary\": {\"jobs\": {\"RUNNING\": 2},"
                + " \"operations\": {\"WAITING\": 3}, \"moreJobs\": true}}");
    JobFilter filter =
        JobFilter.unfinished()
            .withState(Job.State.RUNNING)
            .withCustomer("acme")
            .withProgram("encoder");
    assertThat(team.jobs(filter)).isEmpty();
    assertThat(stub.request.query())
        .isEqualTo("customer=acme&limit=100&next=n1&program=encoder&state=RUNNING");
    assertThat(team.progress("order"))
        .isEqualTo(new LinkSummary(Map.of("RUNNING", 2), Map.of("WAITING", 3), true));
    assertThat(stub.request.query()).isEqualTo("limit=1&linkId=order");
  }

  @Test
  void pagesAreReadAsTheStreamIs() {
    stub.answers(200, page("a", "\"n1\"")).answers(200, page("b", "null"));
    var schedules = team.schedules(ScheduleFilter.all());
    assertThat(schedules.map(StoredSchedule::name)).containsExactly("a", "b");
    assertThat(stub.request.query()).isEqualTo("limit=100&next=n1");
  }

  private static String page(String name, String next) {
    return "{\"schedules\": [{\"name\": \"%s\", \"state\": \"ACTIVE\", \"schedule\": {}}], \"next\": %s}"
        .formatted(name, next);
  }

  @Test
  void aScheduleOfAListIsTheOneThatIsReadAlone() {
    String schedule =
        """
        {"namespace": "team", "name": "a", "generation": 3, "etag": "7", "state": "SUSPENDED",
         "nextFire": "2030-01-01T00:00:00.000Z", "createdAt": "2029-01-01T00:00:00Z",
         "createdBy": "me", "updatedAt": "2029-01-02T00:00:00Z", "later": true,
         "generationSince": "2029-01-01T00:00:00Z", "activeSince": "2029-01-02T00:00:00Z",
         "suspended": {"mode": "hold", "reason": null, "until": "2030-02-01T00:00:00Z",
           "by": "me", "at": "2029-01-02T00:00:00Z", "later": 1},
         "cancelled": {"waiting": 1, "collecting": 2, "mayBeMore": true},
         "schedule": {"trigger": {"type": "partition", "count": 1.50}}}
        """;
    stub.answers(200, "{\"schedules\": [" + schedule + "], \"next\": null}").answers(200, schedule);
    assertThat(team.schedules(ScheduleFilter.all()))
        .singleElement()
        .isEqualTo(team.schedule("a"))
        .hasNoNullFieldsOrProperties();
  }

  @Test
  void eventsHaveAnIdThatStaysWhenTheyAreSentAgain() {
    stub.answers(503, "").answers(202, "{\"ids\": [\"x\"]}");
    Event event = Event.size("clicks", 5);
    assertThatThrownBy(() -> team.send(event)).isInstanceOf(CarillonException.Unavailable.class);
    String first = stub.body();
    assertThat(team.send(event)).containsExactly("x");
    assertThat(stub.body())
        .isEqualTo(first)
        .isEqualTo(
            "{\"events\":[{\"id\":\"%s\",\"eventType\":\"SIZE\",\"payload\":{\"streamId\":\"clicks\","
                    .formatted(event.id())
                + "\"bytes\":5}}]}");
    assertThat(Event.size("clicks", 5).id()).isNotEqualTo(event.id());
  }

  @Test
  void aChangeReportsTheJobsThatItCancels() {
    stub.answers(
        200,
        """
        {"namespace": "team", "name": "a", "generation": 1, "etag": "\\"2\\"", "state": "SUSPENDED",
         "nextFire": null, "createdAt": "2026-03-10T12:00:00.000Z", "createdBy": "local",
         "updatedAt": "2026-03-10T12:00:00.000Z", "suspended": null, "schedule": {},
         "cancelled": {"waiting": 2, "collecting": 1, "mayBeMore": false}}
        """);
    assertThat(team.suspend("a", SuspendMode.DISCARD, null).cancelled())
        .isEqualTo(new Cancelled(2, 1, false));

    stub.answers(
        200,
        """
        {"namespace": "team", "name": "x", "programs": [], "schedules": [], "deployedAt": null,
         "deployedBy": null, "deploying": null, "created": [], "replaced": [], "deleted": ["a"],
         "unchanged": [], "cancelled": {"waiting": 0, "collecting": 1, "mayBeMore": true}}
        """);
    Deployment deployment = team.deploy(App.of("x", List.of(), List.of()));
    assertThat(deployment.difference().deleted()).containsExactly("a");
    assertThat(deployment.cancelled()).isEqualTo(new Cancelled(0, 1, true));
  }

  @Test
  void anAppKeepsItsSchedulesIfItSaysSo() {
    String none = "{\"created\":[],\"replaced\":[],\"deleted\":[],\"unchanged\":[\"a\"]}";
    stub.answers(200, none);
    App app = App.of("x", List.of("p"), List.of(Schedule.of("a", "{}"))).keepingSchedules();
    assertThat(team.compare(app))
        .isEqualTo(new Difference(List.of(), List.of(), List.of(), List.of("a")));
    assertThat(stub.request.query()).isEqualTo("dryRun=true");
    assertThat(stub.body())
        .isEqualTo("{\"programs\":[\"p\"],\"schedules\":{\"a\":{}},\"updateSchedules\":false}");
  }
}
