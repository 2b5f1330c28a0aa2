package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.contract.Servers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** The worker's queue on a server. */
class SqsRequestQueueTest {

  private final String name = Servers.fresh("requests");
  private final String url = Servers.queue(name);
  private final SqsRequestQueue queue = new SqsRequestQueue(Servers.sqs(), name);

  private void send(String body) {
    Servers.sqs()
        .sendMessage(
            send ->
                send.queueUrl(url)
                    .messageBody(body)
                    .messageAttributes(
                        Map.of(
                            "kind",
                            MessageAttributeValue.builder()
                                .dataType("String")
                                .stringValue("daily")
                                .build())));
  }

  private String counted(QueueAttributeName attribute) {
    return Servers.sqs()
        .getQueueAttributes(get -> get.queueUrl(url).attributeNames(attribute))
        .attributes()
        .get(attribute);
  }

  @Test
  void aMessageIsReceivedWithWhatTheWorkerNeeds() {
    Instant before = Instant.now().minusSeconds(10);
    send("body");
    assertThat(queue.receive(25))
        .singleElement()
        .satisfies(
            message -> {
              assertThat(message.body()).isEqualTo("body");
              assertThat(message.attributes()).containsEntry("kind", "daily");
              assertThat(message.sentAt()).isBetween(before, before.plusSeconds(60));
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"name", "url", "arn"})
  void aQueueHasThreeAddresses(String kind) {
    String address =
        switch (kind) {
          case "url" -> url;
          case "arn" -> Servers.arn(name);
          default -> name;
        };
    send("body");
    SqsRequestQueue addressed = new SqsRequestQueue(Servers.sqs(), address);
    assertThat(addressed.name()).isEqualTo(name);
    assertThat(addressed.receive(1)).hasSize(1);
  }

  @Test
  void deletedMessagesAreNotDeliveredAgainThoughTheyAreMoreThanOneBatch() {
    IntStream.range(0, 12).forEach(number -> send("body " + number));
    queue.delete(
        IntStream.range(0, 12)
            .mapToObj(number -> queue.receive(1).get(0).receiptHandle())
            .toList());
    assertThat(counted(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES)).isEqualTo("0");
    assertThat(counted(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))
        .isEqualTo("0");
  }

  @Test
  void aDeletionThatFailedInPartIsATrouble() {
    BatchResultErrorEntry late =
        BatchResultErrorEntry.builder().id("0").message("too late").build();
    SqsClient failing =
        Servers.sqs(
            List.of(
                new ExecutionInterceptor() {
                  @Override
                  public SdkResponse modifyResponse(
                      Context.ModifyResponse context, ExecutionAttributes attributes) {
                    return context.response() instanceof DeleteMessageBatchResponse answer
                        ? answer.toBuilder().failed(late).build()
                        : context.response();
                  }
                }));
    send("body");
    String received = queue.receive(1).get(0).receiptHandle();
    assertThatThrownBy(() -> new SqsRequestQueue(failing, url).delete(List.of(received)))
        .hasMessage("1 messages were not deleted: too late");
  }

  @Test
  void moreMessagesThanOneBatchAreGivenBack() {
    IntStream.range(0, 12).forEach(number -> send("body " + number));
    List<String> received =
        IntStream.range(0, 12).mapToObj(number -> queue.receive(1).get(0).receiptHandle()).toList();
    assertThat(counted(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))
        .isEqualTo("12");

    queue.setVisibility(received, RequestQueue.VISIBILITY);
    assertThat(counted(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))
        .isEqualTo("12");
    queue.setVisibility(received, Duration.ZERO);
    assertThat(counted(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES)).isEqualTo("12");
  }

  @ParameterizedTest
  @CsvSource({
    "400, AccessDeniedException, true",
    "403, ExpiredToken, true",
    "401, Strange, true",
    "400, QueueDoesNotExist, false",
    "500, InternalError, false"
  })
  void aMissingPermissionIsNamed(int status, String code, boolean isDenied) {
    SqsClient refusing = Servers.sqs(List.of(refusal(status, code)));
    assertThatThrownBy(() -> new SqsRequestQueue(refusing, url).receive(1))
        .isInstanceOf(isDenied ? DeniedException.class : SqsException.class)
        .hasMessageContaining(isDenied ? "sqs:ReceiveMessage on the queue " + url : code);
    assertThatThrownBy(() -> new SqsRequestQueue(refusing, name).delete(List.of("receipt")))
        .hasMessageContaining(isDenied ? "sqs:GetQueueUrl on the queue " + name : code);
  }

  private static ExecutionInterceptor refusal(int status, String code) {
    return new ExecutionInterceptor() {
      @Override
      public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
        throw SqsException.builder()
            .statusCode(status)
            .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).errorMessage(code).build())
            .build();
      }
    };
  }
}
