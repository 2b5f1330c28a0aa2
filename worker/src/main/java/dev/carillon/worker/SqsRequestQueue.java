package dev.carillon.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** An SQS queue. Its URL is requested at the first use. */
final class SqsRequestQueue implements RequestQueue {

  private static final int LONG_POLL_SECONDS = 20;
  private static final int LARGEST_BATCH = 10;
  private static final int ACCOUNT = 4;
  private static final int NAME = 5;

  /**
   * The error codes of missing permissions. Their status is 400 or 403, depending on the protocol.
   */
  private static final Set<String> DENIALS =
      Set.of(
          "AccessDenied",
          "AccessDeniedException",
          "AWS.SimpleQueueService.AccessDenied",
          "NotAuthorized",
          "InvalidClientTokenId",
          "MissingAuthenticationToken",
          "UnrecognizedClientException");

  private final SqsClient client;
  private final String address;
  private volatile @Nullable String url;

  /**
   * @param address the name, URL or ARN of the queue
   */
  SqsRequestQueue(SqsClient client, String address) {
    this.client = client;
    this.address = address;
    this.url = address.contains("://") ? address : null;
  }

  @Override
  public String name() {
    return address.substring(Math.max(address.lastIndexOf('/'), address.lastIndexOf(':')) + 1);
  }

  private String url() {
    String known = url;
    if (known == null) {
      String[] arn = address.split(":", NAME + 1);
      known =
          permitted(
              "sqs:GetQueueUrl",
              () ->
                  client
                      .getQueueUrl(
                          get ->
                              get.queueName(name())
                                  .queueOwnerAWSAccountId(arn.length > NAME ? arn[ACCOUNT] : null))
                      .queueUrl());
      url = known;
    }
    return known;
  }

  @Override
  public List<Message> receive(int most) {
    String queueUrl = url();
    return permitted(
            "sqs:ReceiveMessage",
            () ->
                client.receiveMessage(
                    receive ->
                        receive
                            .queueUrl(queueUrl)
                            .maxNumberOfMessages(Math.min(most, LARGEST_BATCH))
                            .waitTimeSeconds(LONG_POLL_SECONDS)
                            .visibilityTimeout((int) VISIBILITY.toSeconds())
                            .messageAttributeNames("All")
                            .messageSystemAttributeNames(
                                MessageSystemAttributeName.SENT_TIMESTAMP)))
        .messages()
        .stream()
        .map(SqsRequestQueue::message)
        .toList();
  }

  private static Message message(software.amazon.awssdk.services.sqs.model.Message received) {
    Map<String, String> attributes = new HashMap<>();
    received
        .messageAttributes()
        .forEach(
            (name, value) -> {
              if (value.stringValue() != null) {
                attributes.put(name, value.stringValue());
              }
            });
    String sent = received.attributes().get(MessageSystemAttributeName.SENT_TIMESTAMP);
    return new Message(
        received.receiptHandle(),
        received.body(),
        attributes,
        Instant.ofEpochMilli(Long.parseLong(sent)));
  }

  @Override
  public void delete(List<String> receiptHandles) {
    String queueUrl = url();
    for (List<String> batch : batches(receiptHandles)) {
      DeleteMessageBatchResponse answer =
          permitted(
              "sqs:DeleteMessage",
              () ->
                  client.deleteMessageBatch(
                      delete -> delete.queueUrl(queueUrl).entries(deletions(batch))));
      answer.failed().stream()
          .findFirst()
          .ifPresent(
              first -> {
                throw new IllegalStateException(
                    "%d messages were not deleted: %s"
                        .formatted(answer.failed().size(), first.message()));
              });
    }
  }

  private static List<DeleteMessageBatchRequestEntry> deletions(List<String> receiptHandles) {
    return IntStream.range(0, receiptHandles.size())
        .mapToObj(
            number ->
                DeleteMessageBatchRequestEntry.builder()
                    .id(Integer.toString(number))
                    .receiptHandle(receiptHandles.get(number))
                    .build())
        .toList();
  }

  private static List<List<String>> batches(List<String> receiptHandles) {
    List<List<String>> batches = new ArrayList<>();
    for (int from = 0; from < receiptHandles.size(); from += LARGEST_BATCH) {
      batches.add(
          receiptHandles.subList(from, Math.min(receiptHandles.size(), from + LARGEST_BATCH)));
    }
    return batches;
  }

  @Override
  public void setVisibility(List<String> receiptHandles, Duration after) {
    String queueUrl = url();
    for (List<String> batch : batches(receiptHandles)) {
      permitted(
          "sqs:ChangeMessageVisibility",
          () ->
              client.changeMessageVisibilityBatch(
                  change -> change.queueUrl(queueUrl).entries(entries(batch, after))));
    }
  }

  private static List<ChangeMessageVisibilityBatchRequestEntry> entries(
      List<String> receiptHandles, Duration after) {
    return IntStream.range(0, receiptHandles.size())
        .mapToObj(
            number ->
                ChangeMessageVisibilityBatchRequestEntry.builder()
                    .id(Integer.toString(number))
                    .receiptHandle(receiptHandles.get(number))
                    .visibilityTimeout((int) after.toSeconds())
                    .build())
        .toList();
  }

  private <T> T permitted(String action, Supplier<T> request) {
    try {
      return request.get();
    } catch (SqsException failure) {
      if (isDenial(failure)) {
        throw new DeniedException(action + " on the queue " + address, failure);
      }
      throw failure;
    }
  }

  private static boolean isDenial(SqsException failure) {
    int status = failure.statusCode();
    return status == 401
        || status == 403
        || (failure.awsErrorDetails() != null
            && DENIALS.contains(failure.awsErrorDetails().errorCode()));
  }
}
