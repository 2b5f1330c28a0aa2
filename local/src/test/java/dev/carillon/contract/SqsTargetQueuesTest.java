package dev.carillon.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.TargetQueues;
import dev.carillon.launch.TargetQueues.Impossible;
import dev.carillon.launch.TargetQueues.Outcome;
import dev.carillon.launch.TargetQueues.Refused;
import dev.carillon.launch.TargetQueues.Sent;
import dev.carillon.local.meter.Meter;
import dev.carillon.sqs.SqsTargetQueues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SqsException;

class SqsTargetQueuesTest extends TargetQueuesContract {

  private final TargetQueues targets = new SqsTargetQueues(Servers.sqs(), true, Servers.fanout());

  @Override
  TargetQueues targets() {
    return targets;
  }

  @Override
  String queue() {
    return made(Servers.fresh("target"));
  }

  @Override
  String fifoQueue() {
    return made(Servers.fresh("target") + ".fifo");
  }

  private static String made(String name) {
    Servers.queue(name);
    return Servers.arn(name);
  }

  @Override
  String missing() {
    return Servers.arn(Servers.fresh("missing"));
  }

  @Override
  List<String> arrived(String queueArn) {
    return Servers.take(url(queueArn));
  }

  private static String url(String queueArn) {
    String name = queueArn.substring(queueArn.lastIndexOf(':') + 1);
    return Servers.sqs().getQueueUrl(get -> get.queueName(name)).queueUrl();
  }

  @Test
  void attributesAndGroupTravelWithTheRequest() {
    String queue = queue();
    LaunchRequest request = request(queue, "body", 1);
    targets.send(
        List.of(
            new LaunchRequest(
                request.job(), 2, queue, "body", Map.of("kind", "daily", "by", "ä"), "acme")));

    Message message =
        Servers.sqs()
            .receiveMessage(
                it ->
                    it.queueUrl(url(queue))
                        .messageAttributeNames("All")
                        .messageSystemAttributeNamesWithStrings("MessageGroupId"))
            .messages()
            .get(0);

    assertThat(message.messageAttributes().get("kind").stringValue()).isEqualTo("daily");
    assertThat(message.messageAttributes().get("by").stringValue()).isEqualTo("ä");
    assertThat(message.attributesAsStrings()).containsEntry("MessageGroupId", "acme");
  }

  @Test
  void anAttributeThatSqsNeverTakesIsImpossible() {
    String queue = queue();
    LaunchRequest request = request(queue, "body", 1);

    assertThat(
            targets.send(
                List.of(
                    new LaunchRequest(request.job(), 1, queue, "body", Map.of("kind", ""), null))))
        .allMatch(Impossible.class::isInstance);
  }

  @Test
  void aQueueIsMadeWhereThisDeploymentMakesThem() {
    String plain = missing();
    String fifo = missing() + ".fifo";

    for (String queue : List.of(plain, fifo)) {
      targets.prepare(queue);
      targets.prepare(queue);
      assertThat(targets.send(List.of(request(queue, "a", 1)))).containsExactly(new Sent());
    }
  }

  @Test
  void elsewhereAMissingQueueStaysMissing() {
    TargetQueues onAws = new SqsTargetQueues(Servers.sqs(), false, Servers.fanout());
    String queue = missing();

    onAws.prepare(queue);

    assertThat(onAws.send(List.of(request(queue, "a", 1))))
        .containsExactly(new Refused("the queue does not exist; create it"));
  }

  @Test
  void aQueueThatWasDeletedIsMissingUntilItIsMadeAgain() {
    String queue = queue();
    targets.send(List.of(request(queue, "a", 1)));
    Servers.sqs().deleteQueue(it -> it.queueUrl(url(queue)));

    assertThat(targets.send(List.of(request(queue, "b", 2))))
        .containsExactly(new Refused("the queue does not exist; create it"));

    targets.prepare(queue);
    assertThat(targets.send(List.of(request(queue, "c", 3)))).containsExactly(new Sent());
  }

  @Test
  void theMessagesOfAQueueAreCountedIfItExists() {
    String queue = queue();
    assertThat(targets.waiting(queue)).hasValue(0);
    targets.send(List.of(request(queue, "a", 1), request(queue, "b", 2)));
    assertThat(targets.waiting(queue)).hasValue(2);
    assertThat(targets.waiting(missing())).isEmpty();
    Servers.sqs().deleteQueue(it -> it.queueUrl(url(queue)));
    assertThat(targets.waiting(queue)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "AccessDenied, access to the queue is denied; allow Carillon's checker role sqs:GetQueueUrl"
        + " and sqs:SendMessage and the use of the queue's key",
    "RequestThrottled, the queue is throttled",
    "AWS.SimpleQueueService.NonExistentQueue, the queue does not exist; create it",
    "InternalError, SQS answered InternalError",
  })
  void aTemporaryRefusalIsReportedInWords(String code, String reason) {
    assertThat(failing(code, 0).send(requests())).hasSize(5).containsOnly(new Refused(reason));
  }

  @Test
  void aQueueThatIsNotReachedRefuses() {
    assertThat(failing("", 0).send(requests()))
        .hasSize(5)
        .containsOnly(new Refused("SQS is not reachable: SdkClientException"));
  }

  @Test
  void anArnThatIsNoneHarmsNoOther() {
    String queue = queue();

    List<Outcome> outcomes =
        targets.send(List.of(request("nonsense", "a", 1), request(queue, "b", 2)));

    assertThat(outcomes).containsExactly(new Refused("the queue's ARN is not valid"), new Sent());
  }

  @Test
  void aBatchThatIsTooLongAsAWholeIsSentOneByOne() {
    String queue = queue();
    TargetQueues strict = failing("AWS.SimpleQueueService.BatchRequestTooLong", 1);
    List<LaunchRequest> requests = new ArrayList<>();
    IntStream.range(0, 5).forEach(i -> requests.add(request(queue, "body " + i, i)));

    assertThat(strict.send(requests)).hasSize(5).containsOnly(new Sent());
    assertThat(arrived(queue)).hasSize(5);
  }

  @Test
  void tenRequestsToOneQueueAreOneRequestToSqs() {
    String queue = queue();
    Meter meter = new Meter();
    TargetQueues recorded =
        new SqsTargetQueues(Servers.sqs(List.of(meter)), false, Servers.fanout());

    recorded.send(IntStream.range(0, 30).mapToObj(i -> request(queue, "b", i)).toList());

    assertThat(meter.requests("SendMessageBatch")).isEqualTo(3);
  }

  private List<LaunchRequest> requests() {
    String queue = queue();
    return IntStream.range(0, 5).mapToObj(i -> request(queue, "b", i)).toList();
  }

  /** Fails batches larger than this, with an error code or, without one, as a lost connection. */
  private static TargetQueues failing(String code, int above) {
    ExecutionInterceptor failing =
        new ExecutionInterceptor() {
          @Override
          public SdkRequest modifyRequest(
              Context.ModifyRequest context, ExecutionAttributes attributes) {
            if (context.request() instanceof SendMessageBatchRequest batch
                && batch.entries().size() > above) {
              throw code.isEmpty()
                  ? SdkClientException.create("no route")
                  : SqsException.builder()
                      .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
                      .build();
            }
            return context.request();
          }
        };
    return new SqsTargetQueues(Servers.sqs(List.of(failing)), false, Servers.fanout());
  }
}
