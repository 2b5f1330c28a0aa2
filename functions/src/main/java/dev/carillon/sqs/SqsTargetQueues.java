package dev.carillon.sqs;

import dev.carillon.document.MessageLimits;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.TargetQueues;
import dev.carillon.runtime.Fanout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResultEntry;

/** Target queues on SQS. */
public final class SqsTargetQueues implements TargetQueues {

  private final SqsClient client;
  private final TargetUrls urls;
  private final boolean createsQueues;
  private final Fanout fanout;

  /**
   * @param createsQueues whether {@link #prepare} creates a queue that does not exist
   */
  public SqsTargetQueues(SqsClient client, boolean createsQueues, Fanout fanout) {
    this.client = client;
    this.urls = new TargetUrls(client);
    this.createsQueues = createsQueues;
    this.fanout = fanout;
  }

  /** Messages for one queue, whose ids are the indexes of their requests. */
  private record Batch(String queueArn, List<SendMessageBatchRequestEntry> entries) {
    Map<Integer, Outcome> all(Outcome outcome) {
      Map<Integer, Outcome> outcomes = new HashMap<>();
      entries.forEach(entry -> outcomes.put(Integer.valueOf(entry.id()), outcome));
      return outcomes;
    }
  }

  @Override
  public void prepare(String queueArn) {
    if (createsQueues) {
      urls.create(queueArn);
    }
  }

  @Override
  public OptionalLong waiting(String queueArn) {
    try {
      String url = urls.of(queueArn);
      QueueAttributeName waiting = QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES;
      String number =
          client
              .getQueueAttributes(get -> get.queueUrl(url).attributeNames(waiting))
              .attributes()
              .get(waiting);
      return number == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(number));
    } catch (QueueDoesNotExistException deleted) {
      urls.discard(queueArn);
      return OptionalLong.empty();
    }
  }

  @Override
  public List<Outcome> send(List<LaunchRequest> requests) {
    Map<Integer, Outcome> outcomes = new HashMap<>();
    Map<String, List<SendMessageBatchRequestEntry>> byQueue = new LinkedHashMap<>();
    for (int i = 0; i < requests.size(); i++) {
      LaunchRequest request = requests.get(i);
      Optional<String> fault = MessageLimits.faultOf(request.body(), request.attributes());
      if (fault.isPresent()) {
        outcomes.put(i, new Impossible(fault.get()));
      } else {
        byQueue
            .computeIfAbsent(request.queueArn(), any -> new ArrayList<>())
            .add(entry(i, request));
      }
    }
    fanout.map(sequences(byQueue), this::sendInOrder).forEach(outcomes::putAll);
    List<Outcome> inOrder = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      inOrder.add(outcome(outcomes, i));
    }
    return inOrder;
  }

  /**
   * Groups batches into sequences that can be sent in parallel. The batches of a FIFO queue stay in
   * order.
   */
  private static List<List<Batch>> sequences(
      Map<String, List<SendMessageBatchRequestEntry>> byQueue) {
    List<List<Batch>> sequences = new ArrayList<>();
    for (Map.Entry<String, List<SendMessageBatchRequestEntry>> queue : byQueue.entrySet()) {
      String arn = queue.getKey();
      List<Batch> inOrder = new ArrayList<>();
      for (var part : Entries.batches(queue.getValue(), MessageLimits.MOST_BYTES)) {
        inOrder.add(new Batch(arn, part));
      }
      if (TargetUrls.isFifo(arn)) {
        sequences.add(inOrder);
      } else {
        inOrder.forEach(batch -> sequences.add(List.of(batch)));
      }
    }
    return sequences;
  }

  private Map<Integer, Outcome> sendInOrder(List<Batch> batches) {
    Map<Integer, Outcome> outcomes = new HashMap<>();
    for (Batch batch : batches) {
      outcomes.putAll(send(batch));
    }
    return outcomes;
  }

  private static Outcome outcome(Map<Integer, Outcome> outcomes, int number) {
    return outcomes.getOrDefault(number, new Refused("SQS returned no result for this message"));
  }

  private Map<Integer, Outcome> send(Batch batch) {
    SendMessageBatchResponse answer;
    try {
      String url = urls.of(batch.queueArn());
      answer =
          client.sendMessageBatch(
              SendMessageBatchRequest.builder().queueUrl(url).entries(batch.entries()).build());
    } catch (RuntimeException failure) {
      urls.discard(batch.queueArn());
      Outcome outcome = Refusals.of(failure);
      return outcome instanceof Impossible && batch.entries().size() > 1
          ? sendOneByOne(batch)
          : batch.all(outcome);
    }
    Map<Integer, Outcome> outcomes = new HashMap<>();
    for (SendMessageBatchResultEntry sent : answer.successful()) {
      outcomes.put(Integer.valueOf(sent.id()), new Sent());
    }
    for (BatchResultErrorEntry failed : answer.failed()) {
      outcomes.put(Integer.valueOf(failed.id()), Refusals.of(failed.code()));
    }
    return outcomes;
  }

  /**
   * Sends each message alone, because one message can be the cause of the whole batch's refusal.
   */
  private Map<Integer, Outcome> sendOneByOne(Batch batch) {
    Map<Integer, Outcome> outcomes = new HashMap<>();
    for (SendMessageBatchRequestEntry entry : batch.entries()) {
      outcomes.putAll(send(new Batch(batch.queueArn(), List.of(entry))));
    }
    return outcomes;
  }

  private static SendMessageBatchRequestEntry entry(int number, LaunchRequest request) {
    boolean fifo = TargetUrls.isFifo(request.queueArn());
    return SendMessageBatchRequestEntry.builder()
        .id(Integer.toString(number))
        .messageBody(request.body())
        .messageAttributes(Entries.attributes(request.attributes()))
        .messageGroupId(fifo ? groupOf(request) : request.groupId())
        .messageDeduplicationId(fifo ? request.deduplicationId() : null)
        .build();
  }

  /** SQS requires a group for a FIFO queue; the default keeps the fires of a schedule in order. */
  private static String groupOf(LaunchRequest request) {
    return request.groupId() == null ? request.job().schedule().name() : request.groupId();
  }
}
