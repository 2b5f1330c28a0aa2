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
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

class LocalEngineTest {

  private static final Path TEMPLATE = Path.of("src/test/resources/stub-template.yaml");

  private static LocalEngine engine;
  private static SqsClient client;

  @BeforeAll
  static void start() {
    engine = LocalEngine.start(new LocalEngine.Options(TEMPLATE, 0, 0, 0, null));
    client = LocalAccount.sqs(engine.sqs());
  }

  @AfterAll
  static void stop() {
    client.close();
    engine.close();
    assertThat(StubRoot.named("api").closed).isTrue();
  }

  @Test
  void aFunctionGetsItsEnvironmentWithLocalNamesAndEndpoints() {
    assertThat(StubRoot.named("single").environment)
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
  void theScheduleRuleTicksAtOnceWithTheTimeThatTheFunctionHas() throws InterruptedException {
    StubRoot tick = StubRoot.named("tick");
    assertThat(tick.next(Integer.class)).isBetween(1, 5_000);
    assertThat(tick.next(ScheduledEvent.class).getSource()).isEqualTo("aws.events");
  }

  @Test
  void onlyTheMessagesThatFailedComeAgain() throws InterruptedException {
    send("carillon-single", List.of("good", "fail", "good"));
    List<SQSMessage> seen = new ArrayList<>();
    while (seen.stream().filter(message -> message.getBody().equals("fail")).count() < 2) {
      seen.addAll(StubRoot.named("single").next(SQSEvent.class).getRecords());
    }
    assertThat(seen)
        .extracting(SQSMessage::getBody)
        .containsExactly("good", "fail", "good", "fail");
    assertThat(seen.get(3).getAttributes())
        .containsEntry("ApproximateReceiveCount", "2")
        .containsKeys("SentTimestamp", "ApproximateFirstReceiveTimestamp");
    assertThat(seen.get(3).getEventSourceArn())
        .isEqualTo("arn:aws:sqs:us-east-1:000000000000:carillon-single");
    assertThat(seen.get(3).getMessageAttributes().get("kind").getStringValue()).isEqualTo("test");
  }

  @Test
  void aBatchWhoseFunctionThrowsComesAgainWhole() throws InterruptedException {
    send("carillon-whole", List.of("first", "throw"));
    List<String> seen = new ArrayList<>();
    while (seen.size() < 4) {
      StubRoot.named("whole").next(SQSEvent.class).getRecords().stream()
          .map(SQSMessage::getBody)
          .forEach(seen::add);
    }
    assertThat(seen).containsExactlyInAnyOrder("first", "throw", "first", "throw");
  }

  @Test
  void aBatchIsAssembledOfManyReceiptsUntilItIsFull() throws InterruptedException {
    List<String> bodies = IntStream.range(0, 25).mapToObj(Integer::toString).toList();
    for (int from = 0; from < bodies.size(); from += 10) {
      send("carillon-batched", bodies.subList(from, Math.min(from + 10, bodies.size())));
    }
    assertThat(StubRoot.named("batched").next(SQSEvent.class).getRecords())
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
        .containsEntry(QueueAttributeName.VISIBILITY_TIMEOUT, "1");
  }

  @Test
  void aHandlerThatIsNotThereIsNamed(@TempDir Path directory) throws Exception {
    Path template = directory.resolve("template.yaml");
    Files.writeString(
        template,
        Files.readString(TEMPLATE)
            .replace("NAME: ", "NAME: other-")
            .replace("dev.carillon.local.StubApiHandler", "dev.carillon.Missing"));
    assertThatThrownBy(() -> LocalEngine.start(new LocalEngine.Options(template, 0, 0, 0, null)))
        .isInstanceOf(StartFault.class)
        .hasMessageContaining("ApiFunction")
        .hasMessageContaining("dev.carillon.Missing");
  }

  @Test
  void aDataDirectoryBelongsToOneEngine(@TempDir Path directory) throws IOException {
    LocalEngine.Options options = new LocalEngine.Options(TEMPLATE, 0, 0, 0, directory);
    try (DataDirectory taken = DataDirectory.take(directory)) {
      assertThat(taken.queues()).startsWithRaw(directory);
      assertThatThrownBy(() -> LocalEngine.start(options))
          .isInstanceOf(StartFault.class)
          .hasMessageContaining("in use by another engine");
    }
  }

  private static void send(String queueName, List<String> bodies) {
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
