package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** What SQS refuses; the tests of the local engine show what it accepts. */
class SqsRefusalTest {

  private final FakeSqs server = new FakeSqs();
  private final SqsClient client =
      SqsClient.builder()
          .endpointOverride(server.uri())
          .region(Region.US_EAST_1)
          .credentialsProvider(AnonymousCredentialsProvider.create())
          .build();

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "400, com.amazonaws.sqs#AccessDeniedException",
    "403, com.amazonaws.sqs#ExpiredToken",
    "401, com.amazonaws.sqs#Strange"
  })
  void aMissingPermissionIsNamed(int status, String type) {
    server.refuse(status, type);
    assertThatThrownBy(() -> new SqsRequestQueue(client, server.uri() + "/0/exports").receive(1))
        .isInstanceOf(DeniedException.class)
        .hasMessageStartingWith("sqs:ReceiveMessage on the queue http://127.0.0.1:");
    assertThatThrownBy(() -> new SqsRequestQueue(client, "exports").receive(1))
        .isInstanceOf(DeniedException.class)
        .hasMessageStartingWith("sqs:GetQueueUrl on the queue exports; the answer was: ");
  }

  @Test
  void anotherRefusalIsNone() {
    server.refuse(400, "com.amazonaws.sqs#QueueDoesNotExist");
    assertThatThrownBy(() -> new SqsRequestQueue(client, "exports").receive(1))
        .isInstanceOf(SqsException.class);
  }

  @Test
  void aQueueOfAnotherAccountIsLookedUpThere() throws InterruptedException {
    new SqsRequestQueue(client, "arn:aws:sqs:eu-west-1:123456789012:exports").delete("r");
    assertThat(Rig.next(server.requests))
        .hasToString("{\"QueueName\":\"exports\",\"QueueOwnerAWSAccountId\":\"123456789012\"}");
    assertThat(Rig.next(server.deleted)).isEqualTo("r");
  }
}
