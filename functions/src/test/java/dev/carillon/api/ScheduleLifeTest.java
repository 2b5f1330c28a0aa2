package dev.carillon.api;

import static dev.carillon.api.Docs.DAILY;
import static dev.carillon.api.Docs.MINUTELY;
import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.api.Caller.Reply;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Head;
import dev.carillon.system.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleLifeTest {

  private final Caller caller = new Caller();
  private final World world = caller.world;

  private Head head(String name) {
    ScheduleId id = new ScheduleId("default", name);
    return world.schedules.heads(List.of(id)).get(id);
  }

  @Test
  void aNewScheduleIsSuspendedAndShownWithAllItsDefaults() {
    JsonNode created = caller.put("a", Docs.of(DAILY)).is(201).json();

    assertThat(created.path("namespace").asText()).isEqualTo("default");
    assertThat(created.path("name").asText()).isEqualTo("a");
    assertThat(created.path("generation").asLong()).isEqualTo(1);
    assertThat(created.path("state").asText()).isEqualTo("SUSPENDED");
    assertThat(created.path("nextFire").isNull()).isTrue();
    assertThat(created.path("createdAt").asText()).isEqualTo("2026-03-10T12:00:00.000Z");
    assertThat(created.path("createdBy").asText()).isEqualTo("local");
    assertThat(created.path("updatedAt").asText()).isEqualTo("2026-03-10T12:00:00.000Z");
    assertThat(created.path("suspended").path("mode").asText()).isEqualTo("discard");
    assertThat(created.path("suspended").path("by").asText()).isEqualTo("local");
    assertThat(created.path("schedule").path("program").asText()).isEqualTo("a");
    assertThat(created.path("schedule").path("zone").asText()).isEqualTo("Z");
    assertThat(created.path("schedule").path("priority").asInt()).isEqualTo(5);
  }

  @Test
  void anActiveScheduleShowsItsNextFire() {
    JsonNode created = caller.put("a", Docs.active(DAILY)).is(201).json();

    assertThat(created.path("state").asText()).isEqualTo("ACTIVE");
    assertThat(created.path("nextFire").asText()).isEqualTo("2026-03-11T03:00:00.000Z");
    assertThat(created.path("suspended").isNull()).isTrue();
  }

  @Test
  void aReadScheduleEqualsTheAnswerOfItsCreationIncludingTheEtagHeader() {
    Reply created = caller.put("a", Docs.of(DAILY));
    Reply read = caller.schedule("a").is(200);

    ObjectNode answered = (ObjectNode) created.json();
    assertThat(read.json()).isEqualTo(answered.without("cancelled"));
    assertThat(read.etag()).isEqualTo(created.etag()).isEqualTo(read.json().path("etag").asText());
  }

  @Test
  void theCallerIsTheSignerOfTheRequest() {
    var request = Caller.request("PUT", Caller.SCHEDULES + "/a", Docs.of(DAILY), Map.of());
    var identity = new APIGatewayProxyRequestEvent.RequestIdentity();
    identity.setUserArn("arn:aws:iam::000000000000:user/ann");
    var context = new APIGatewayProxyRequestEvent.ProxyRequestContext();
    context.setIdentity(identity);
    Reply created = Caller.reply(caller.api.handle(request.withRequestContext(context)));

    assertThat(created.is(201).json().path("createdBy").asText())
        .isEqualTo("arn:aws:iam::000000000000:user/ann");
  }

  @Test
  void storingTheSameDocumentAgainChangesNothing() {
    Reply created = caller.put("a", Docs.active(DAILY));
    world.runFor(Duration.ofMinutes(1));
    Reply again = caller.put("a", Docs.active(DAILY)).is(200);
    JsonNode withDefaults = created.json().path("schedule");

    assertThat(again.json()).isEqualTo(created.json());
    assertThat(caller.put("a", withDefaults.toString()).is(200).etag()).isEqualTo(created.etag());
  }

  @Test
  void aChangeOfDescriptionOrTagsKeepsTheGeneration() {
    Reply created = caller.put("a", Docs.active(DAILY));
    long activation = head("a").activation();
    Reply changed =
        caller
            .put("a", Docs.of(DAILY, ", \"description\": \"x\", \"tags\": {\"team\": \"data\"}"))
            .is(200);

    assertThat(changed.json().path("generation").asLong()).isEqualTo(1);
    assertThat(changed.json().path("state").asText()).isEqualTo("ACTIVE");
    assertThat(changed.etag()).isNotEqualTo(created.etag());
    assertThat(changed.json().path("schedule").path("tags").path("team").asText())
        .isEqualTo("data");
    assertThat(head("a").activation()).isEqualTo(activation);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ", \"priority\": 3",
        ", \"customer\": \"acme\"",
        ", \"properties\": {\"a\": 1}",
        ", \"program\": \"other\"",
        ", \"app\": \"exports\"",
        ", \"zone\": \"Europe/Berlin\"",
        ", \"afterCompletion\": \"delete\""
      })
  void anyOtherChangeBeginsAGenerationAndKeepsTheState(String change) {
    Reply created = caller.put("a", Docs.active(DAILY));
    world.runFor(Duration.ofMinutes(1));
    JsonNode replaced = caller.put("a", Docs.of(DAILY, change)).is(200).json();

    assertThat(replaced.path("generation").asLong()).isEqualTo(2);
    assertThat(replaced.path("state").asText()).isEqualTo("ACTIVE");
    assertThat(replaced.path("createdAt")).isEqualTo(created.json().path("createdAt"));
    assertThat(replaced.path("updatedAt").asText()).isEqualTo("2026-03-10T12:01:00.000Z");
  }

  @Test
  void aReplacedScheduleFiresOnlyAsTheNewDefinitionSays() {
    caller.put("a", Docs.active(MINUTELY));
    caller.put("a", Docs.active("{\"type\": \"cron\", \"expression\": \"30 * * * * ?\"}")).is(200);
    world.runFor(Duration.ofSeconds(61));

    assertThat(world.bodies()).containsExactly("{\"at\":\"2026-03-10T12:00:30.000Z\"}");
  }

  @Test
  void aScheduleCreatedAgainContinuesItsGenerations() {
    Reply first = caller.put("a", Docs.active(DAILY));
    assertThat(caller.delete("a").is(204).body()).isEmpty();
    caller.schedule("a").is(404);
    caller.delete("a").is(404);
    Reply second = caller.put("a", Docs.active(DAILY)).is(201);

    assertThat(second.json().path("generation").asLong()).isEqualTo(2);
    assertThat(second.etag()).isNotEqualTo(first.etag());
  }

  @Test
  void aDeletedScheduleNeverLaunches() {
    caller.put("a", Docs.active(MINUTELY));
    world.runUntil("2026-03-10T12:00:59.500Z");
    caller.delete("a");
    world.runFor(Duration.ofMinutes(3));

    assertThat(world.arrivals).isEmpty();
  }

  @Test
  void aFireSecondsAwayIsOnTimeWithoutATick() {
    world.runFor(Duration.ofSeconds(1));
    caller.put("a", Docs.active(Docs.at("2026-03-10T12:00:03Z"))).is(201);
    world.runUntil("2026-03-10T12:00:03Z");

    assertThat(world.arrivals)
        .singleElement()
        .satisfies(arrival -> assertThat(arrival.at()).isEqualTo("2026-03-10T12:00:03Z"));
  }

  @Test
  void theFirstFiresAreHandedOverBeforeTheAnswer() {
    caller.put("soon", Docs.active(MINUTELY));
    caller.put("later", Docs.active(DAILY));

    assertThat(world.checkQueue.all()).isNotEmpty();
    assertThat(world.checkQueue.all())
        .allSatisfy(
            check ->
                assertThat(check.subjects())
                    .allSatisfy(
                        job -> assertThat(((JobId) job).schedule().name()).isEqualTo("soon")));
  }

  @Test
  void ifMatchRefusesAChangeBasedOnAnOldState() {
    String first = caller.put("a", Docs.active(DAILY)).etag();
    caller.put("a", Docs.of(MINUTELY), Map.of("if-match", first)).is(200);
    caller.put("a", Docs.of(DAILY), Map.of("If-Match", first)).is(412);
    caller.send("DELETE", Caller.SCHEDULES + "/a", null, Map.of("If-Match", first)).is(412);
    assertThat(caller.schedule("a").json().path("generation").asLong()).isEqualTo(2);

    String now = caller.schedule("a").etag();
    caller
        .send("DELETE", Caller.SCHEDULES + "/a", null, Map.of("If-Match", "\"77\", " + now))
        .is(204);
    caller.put("a", Docs.of(DAILY), Map.of("If-Match", now)).is(412);
    caller.put("a", Docs.of(DAILY), Map.of("If-Match", "*")).is(412);
  }

  @Test
  void ifNoneMatchCreatesOnlyAbsentSchedules() {
    Map<String, String> onlyNew = Map.of("If-None-Match", "*");
    caller.put("a", Docs.of(DAILY), onlyNew).is(201);
    caller.put("a", Docs.of(DAILY), onlyNew).is(412);
    caller.delete("a").is(204);
    caller.put("a", Docs.of(DAILY), onlyNew).is(201);
  }

  @Test
  void localQueuesAreCreatedWhenAScheduleNamesThem() {
    caller.put("a", Docs.to("reports.fifo")).is(201);
    assertThat(world.targets.prepared())
        .containsExactly("arn:aws:sqs:eu-west-1:000000000000:reports.fifo");
  }

  @Test
  void localQueuesOfCallbacksAreCreatedToo() {
    caller.put("a", callingTo("ended")).is(201);
    assertThat(world.targets.prepared())
        .containsExactlyInAnyOrder(
            "arn:aws:sqs:eu-west-1:000000000000:work", "arn:aws:sqs:eu-west-1:000000000000:ended");
  }

  private static String callingTo(String queue) {
    return Docs.of(
        "{\"type\": \"manual\"}",
        ", \"onEnd\": {\"queue\": \"%s\", \"template\": \"${outcome}\"}".formatted(queue));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        Caller.RESERVED_ARN,
        "carillon-check",
        "arn:aws:sqs:us-east-1:000000000000:ended",
        "arn:aws:sqs:eu-west-1:111111111111:ended",
        "a queue"
      })
  void aCallbackToADisallowedQueueIsRefused(String queue) {
    Reply refused = caller.put("a", callingTo(queue)).is(400);

    assertThat(refused.pointers()).containsExactly("/onEnd/queue");
    assertThat(world.targets.prepared()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        Caller.RESERVED_ARN,
        "carillon-check",
        "arn:aws:sqs:us-east-1:000000000000:work",
        "arn:aws:sqs:eu-west-1:111111111111:work",
        "https://sqs.eu-west-1.amazonaws.com/111111111111/work",
        "a queue"
      })
  void aDisallowedTargetIsRefusedAndNoQueueIsCreated(String queue) {
    Reply refused = caller.put("a", Docs.to(queue)).is(400);

    assertThat(refused.pointers()).containsExactly("/target/queue");
    assertThat(world.targets.prepared()).isEmpty();
    caller.schedule("a").is(404);
  }
}
