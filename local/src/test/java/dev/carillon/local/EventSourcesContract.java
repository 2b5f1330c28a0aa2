package dev.carillon.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** The event sources of a template, with functions that record their events. */
@Execution(ExecutionMode.SAME_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EventSourcesContract {

  private final boolean isolated;
  private Path directory;
  private Path template;
  private LocalEngine engine;
  private SqsClient client;

  EventSourcesContract(boolean isolated) {
    this.isolated = isolated;
  }

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    this.directory = directory;
    template = StubArtifact.template(directory);
    engine = LocalEngine.start(options(template, null));
    client = LocalAccount.sqs(engine.sqs());
  }

  private LocalEngine.Options options(Path template, Path data) {
    return new LocalEngine.Options(template, 0, 0, 0, data, isolated);
  }

  @AfterAll
  void stop() {
    client.close();
    engine.close();
    assertThat(records("api").closed()).as("only what ends by itself").isEqualTo(!isolated);
  }

  private StubRecords records(String name) {
    return new StubRecords(directory.resolve("records"), name);
  }

  @Test
  void aFunctionGetsItsEnvironmentWithLocalNamesAndEndpoints() throws IOException {
    assertThat(records("single").environment())
        .containsEntry("THINGS", "carillon-Things")
        .containsEntry("AWS_ENDPOINT_URL_SQS", engine.sqs().toString())
        .containsEntry("AWS_ENDPOINT_URL_DYNAMODB", engine.dynamoDb().toString())
        .containsEntry("AWS_REGION", "us-east-1")
        .containsEntry("CREATE_TARGET_QUEUES", "true");
  }

  @Test
  void everyAddressIsOnTheLoopbackInterface() {
    assertThat(Stream.of(engine.http(), engine.sqs(), engine.dynamoDb()).map(URI::getHost))
        .containsOnly("127.0.0.1");
  }

  @Test
  void theScheduleRuleTicksAtOnceWithTheTimeThatTheFunctionHas() throws Exception {
    StubRecords tick = records("tick");
    assertThat(Integer.parseInt(tick.next())).isBetween(1, 5_000);
    assertThat(tick.next(ScheduledEvent.class).getSource()).isEqualTo("aws.events");
  }

  @Test
  void onlyTheMessagesThatFailedComeAgain() throws Exception {
    send("carillon-single", List.of("good", "fail", "good"));
    StubRecords single = records("single");
    List<SQSMessage> seen = new ArrayList<>();
    while (seen.stream().filter(message -> message.getBody().equals("fail")).count() < 2) {
      seen.addAll(single.next(SQSEvent.class).getRecords());
    }
    assertThat(seen)
        .extracting(SQSMessage::getBody)
        .containsExactlyInAnyOrder("good", "fail", "good", "fail");
    SQSMessage last = seen.get(3);
    assertThat(last.getAttributes())
        .containsEntry("ApproximateReceiveCount", "2")
        .containsKeys("SentTimestamp", "ApproximateFirstReceiveTimestamp");
    assertThat(last.getEventSourceArn())
        .isEqualTo("arn:aws:sqs:us-east-1:000000000000:carillon-single");
    assertThat(last.getMessageAttributes().get("kind").getStringValue()).isEqualTo("test");
  }

  @Test
  void aBatchWhoseFunctionThrowsIsReceivedAgainWhole() throws Exception {
    send("carillon-whole", List.of("first", "throw"));
    StubRecords whole = records("whole");
    List<String> seen = new ArrayList<>();
    while (seen.size() < 4) {
      whole.next(SQSEvent.class).getRecords().stream().map(SQSMessage::getBody).forEach(seen::add);
    }
    assertThat(seen).containsExactlyInAnyOrder("first", "throw", "first", "throw");
  }

  @Test
  void aBatchIsAssembledOfManyReceiptsUntilItIsFull() throws Exception {
    List<String> bodies = IntStream.range(0, 25).mapToObj(Integer::toString).toList();
    for (int from = 0; from < bodies.size(); from += 10) {
      send("carillon-batched", bodies.subList(from, Math.min(from + 10, bodies.size())));
    }
    assertThat(records("batched").next(SQSEvent.class).getRecords())
        .extracting(SQSMessage::getBody)
        .containsExactlyInAnyOrderElementsOf(bodies);
  }

  @Test
  void aQueueHasTheAttributesOfTheTemplate() {
    String url = client.getQueueUrl(request -> request.queueName("carillon-single")).queueUrl();
    assertThat(
            client
                .getQueueAttributes(
                    request ->
                        request.queueUrl(url).attributeNames(QueueAttributeName.VISIBILITY_TIMEOUT))
                .attributes())
        .containsEntry(QueueAttributeName.VISIBILITY_TIMEOUT, "6");
  }

  @Test
  void aHandlerThatIsNotThereIsNamed(@TempDir Path directory) throws Exception {
    Path other = directory.resolve("template.yaml");
    Files.writeString(
        other,
        Files.readString(template)
            .replace("NAME: ", "NAME: other-")
            .replace("dev.carillon.local.StubApiHandler", "dev.carillon.Missing"));
    assertThatThrownBy(() -> LocalEngine.start(options(other, null)))
        .isInstanceOf(StartFault.class)
        .hasMessageContaining("ApiFunction")
        .hasMessageContaining("dev.carillon.Missing");
  }

  @Test
  void aDataDirectoryBelongsToOneEngine(@TempDir Path directory) throws IOException {
    LocalEngine.Options options = options(template, directory);
    try (DataDirectory taken = DataDirectory.take(directory)) {
      assertThat(taken.queues()).startsWithRaw(directory);
      assertThatThrownBy(() -> LocalEngine.start(options))
          .isInstanceOf(StartFault.class)
          .hasMessageContaining("in use by another engine");
    }
  }

  private void send(String queueName, List<String> bodies) {
    String url = client.getQueueUrl(request -> request.queueName(queueName)).queueUrl();
    MessageAttributeValue kind =
        MessageAttributeValue.builder().dataType("String").stringValue("test").build();
    List<SendMessageBatchRequestEntry> entries =
        IntStream.range(0, bodies.size())
            .mapToObj(
                index ->
                    SendMessageBatchRequestEntry.builder()
                        .id(Integer.toString(index))
                        .messageBody(bodies.get(index))
                        .messageAttributes(Map.of("kind", kind))
                        .build())
            .toList();
    client.sendMessageBatch(request -> request.queueUrl(url).entries(entries));
  }
}
