package dev.carillon.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchRendererTest {

  @Test
  void theAttributesOfARequestNameItsJob() {
    Launch launch = Launch.ofText("go");
    launch.priority = 3;
    launch.attributes = Map.of("kind", "daily-${todaysDate}");
    LaunchRequest request = launch.request();

    assertThat(request.attributes())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "kind", "daily-2018-03-21",
                "carillon-job-id", launch.job().id().toString(),
                "carillon-attempt", "1",
                "carillon-schedule", "default/report",
                "carillon-program", "default/exporter",
                "carillon-scheduled-for", "2018-03-22T00:09:00.000Z",
                "carillon-priority", "3"));
    assertThat(request.job()).isEqualTo(launch.job().id());
    assertThat(request.queueArn()).isEqualTo(Launch.STANDARD_QUEUE);
    assertThat(request.groupId()).isNull();
    assertThat(launch.notes()).isEmpty();
  }

  @Test
  void renderingIsDeterministic() {
    Launch launch = Launch.ofJson("{\"a\":\"${trigger}\",\"b\":\"${properties}\"}");

    assertThat(launch.rendering()).isEqualTo(launch.rendering());
  }

  @Test
  void anAttributeThatRendersToNothingIsOmitted() {
    Launch launch = Launch.ofText("go");
    launch.attributes = Map.of("for", "${payload.name}");

    assertThat(launch.request().attributes()).doesNotContainKey("for");
    assertThat(launch.notes())
        .containsExactly(
            "${payload.name} has no value",
            "the attribute for was omitted because its value is empty");
  }

  @Test
  void anEmptyBodyCanNeverBeSent() {
    assertThat(Launch.ofText("${payload.x}").unsendable()).contains("the body is empty");
  }

  @Test
  void aBodyOrAttributeWithACharacterThatSqsForbidsCanNeverBeSent() {
    Launch body = Launch.ofText("${properties.x}").withProperties("{\"x\":\"a\\u0000\"}");
    Launch attribute = Launch.ofText("go").withProperties("{\"x\":\"a\\ufffe\"}");
    attribute.attributes = Map.of("kind", "${properties.x}");

    assertThat(body.unsendable()).startsWith("the body contains the character U+0000");
    assertThat(attribute.unsendable())
        .startsWith("the attribute kind: contains the character U+FFFE");
  }

  @Test
  void jsonEscapesTheCharactersThatSqsForbids() {
    Launch launch = Launch.ofJson("[\"${properties.x}\"]");

    assertThat(
            launch.withProperties("{\"x\":\"\\u0000\\ufffe\\ud800 \\ud83d\\ude00\\u007f\"}").body())
        .isEqualTo("[\"\\u0000\\ufffe\\ud800 \ud83d\ude00\u007f\"]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"carillon-job-id", "Carillon-x", "AWS.x", "amazon.x", "a b", "", ".a"})
  void anAttributeWithAReservedNameCanNeverBeSent(String name) {
    Launch launch = Launch.ofText("go");
    launch.attributes = Map.of(name, "x");

    assertThat(launch.unsendable()).startsWith("the attribute " + name + ": ");
  }

  @Test
  void theLargestMessageIsMeasuredToTheByteIncludingItsAttributes() {
    int others = bytesOfAttributes(Launch.ofText("go").request());
    int most = 1_048_576 - others;
    Launch largest = launchOf("é".repeat(most / 2) + "x".repeat(most % 2));
    Launch larger = launchOf("é".repeat(most / 2) + "x".repeat(most % 2 + 1));

    assertThat(largest.body().getBytes(StandardCharsets.UTF_8)).hasSize(most);
    assertThat(larger.unsendable())
        .isEqualTo(
            "body and attributes have 1048577 bytes, more than the 1048576 that SQS accepts; send less");
  }

  @Test
  void valuesThatTogetherExceedEveryMessageFailEarly() {
    Launch launch = launchOf("x".repeat(60_000));
    launch.template = Launch.json("[" + "\"${payload}\",".repeat(4_000) + "1]");

    assertThat(launch.unsendable()).contains("the most that an SQS message can have");
  }

  @Test
  void aStoredTemplateWithAFaultFailsItsJobWithAReason() {
    assertThat(Launch.ofJson("[\"${nonsense}\"]").unsendable())
        .startsWith("the variable ${nonsense} is unknown");
    assertThat(Launch.ofText("${jobId").unsendable()).contains("${jobId is not closed");
  }

  @Test
  void theGroupIsTheRenderedOneOrTheCustomerOrOnFifoQueuesTheName() {
    Launch launch = Launch.ofText("go");
    launch.queueArn = Launch.FIFO_QUEUE;
    assertThat(launch.request().groupId()).isEqualTo("report");

    launch.customer = "acme";
    assertThat(launch.request().groupId()).isEqualTo("acme");

    launch.groupId = "g-${customer}";
    assertThat(launch.request().groupId()).isEqualTo("g-acme");

    launch.groupId = "${payload.absent}";
    assertThat(launch.request().groupId()).isEqualTo("acme");
  }

  @Test
  void onAStandardQueueTheCustomerIsAlsoTheGroup() {
    Launch launch = Launch.ofText("go");
    launch.customer = "acme";

    assertThat(launch.request().groupId()).isEqualTo("acme");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Müller & Söhne", "a b", "\u0000", "\ud83d\ude00", "tab\there"})
  void aGroupIsReducedToAcceptedCharactersAndStaysDistinct(String customer) {
    Launch launch = Launch.ofText("go");
    launch.customer = customer;
    Launch similar = Launch.ofText("go");
    similar.customer = customer + "\n";

    assertThat(launch.request().groupId()).matches("[!-~]{1,128}");
    assertThat(launch.request().groupId()).isNotEqualTo(similar.request().groupId());
  }

  @Test
  void aCleanedGroupStaysReadable() {
    Launch launch = Launch.ofText("go");
    launch.customer = "Great Customer";

    assertThat(launch.request().groupId()).matches("Great_Customer-[0-9a-f]{16}");
  }

  @Test
  void aLongGroupIsShortenedToTheLimitAndStaysDistinct() {
    Launch launch = Launch.ofText("go");
    launch.customer = "c".repeat(129);
    Launch similar = Launch.ofText("go");
    similar.customer = "c".repeat(130);

    assertThat(launch.request().groupId()).hasSize(128).startsWith("ccc");
    assertThat(launch.request().groupId()).isNotEqualTo(similar.request().groupId());
  }

  @Test
  void theDeduplicationIdIsJobAndAttemptWithinTheLimit() {
    LaunchRequest request = Launch.ofText("go").request();
    JobId longest =
        JobId.ofEvents(
            new ScheduleId("n".repeat(32), "s".repeat(64)), 7, Instant.EPOCH, 36L * 36 * 36 * 36);
    LaunchRequest long1 = requestOf(longest, 1_000_000_000);
    LaunchRequest long2 = requestOf(longest, 1_000_000_001);

    assertThat(request.deduplicationId()).isEqualTo(request.job() + ".1");
    assertThat(requestOf(longest, 1).deduplicationId()).isEqualTo(longest + ".1");
    assertThat(long1.deduplicationId()).hasSizeLessThanOrEqualTo(128);
    assertThat(long1.deduplicationId()).isNotEqualTo(long2.deduplicationId());
  }

  private static LaunchRequest requestOf(JobId id, int attempt) {
    return new LaunchRequest(id, attempt, Launch.FIFO_QUEUE, "go", Map.of(), "g");
  }

  private static Launch launchOf(String payload) {
    Launch launch = Launch.ofText("${payload}");
    launch.launchNow = Launch.object("{}").put("payload", payload);
    return launch;
  }

  // The id of a launch-now job is longer by its suffix, "~mabcd".
  private static int bytesOfAttributes(LaunchRequest request) {
    return "~mabcd".length()
        + request.attributes().entrySet().stream()
            .mapToInt(entry -> (entry.getKey() + "String" + entry.getValue()).length())
            .sum();
  }
}
