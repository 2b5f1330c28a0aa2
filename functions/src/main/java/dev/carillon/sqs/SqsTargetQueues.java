package dev.carillon.sqs;

import dev.carillon.Fanout;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.MessageLimits;
import dev.carillon.launch.TargetQueues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/** The targets' queues on SQS. */
public final class SqsTargetQueues implements TargetQueues {

  private final SqsClient client;
  private final TargetUrls urls;
  private final boolean createsQueues;
  private final Fanout fanout;

  /**
   * @param createsQueues whether {@link #prepare} makes a queue that is missing
   */
  public SqsTargetQueues(SqsClient client, boolean createsQueues, Fanout fanout) {
    this.client = client;
    this.urls = new TargetUrls(client);
    this.createsQueues = createsQueues;
    this.fanout = fanout;
  }

  /** Entries for one queue, named by the numbers of their requests. */
  private record Batch(String queueArn, List<SendMessageBatchRequestEntry> entries) {
    Map<Integer, Outcome> all(Outcome outcome) {
      return entries.stream()
          .collect(Collectors.toMap(entry -> Integer.valueOf(entry.id()), entry -> outcome));
    }
  }

  @Override
  public void prepare(String queueArn) {
    if (createsQueues) {
      urls.create(queueArn);
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
    return IntStream.range(0, requests.size()).mapToObj(i -> outcome(outcomes, i)).toList();
  }

  /** What may go side by side: the batches of a FIFO queue may not. */
  private static List<List<Batch>> sequences(
      Map<String, List<SendMessageBatchRequestEntry>> byQueue) {
    List<List<Batch>> sequences = new ArrayList<>();
    byQueue.forEach(
        (arn, entries) -> {
          List<Batch> batches =
              Entries.batches(entries, MessageLimits.MOST_BYTES).stream()
                  .map(part -> new Batch(arn, part))
                  .toList();
          if (TargetUrls.isFifo(arn)) {
            sequences.add(batches);
          } else {
            batches.forEach(batch -> sequences.add(List.of(batch)));
          }
        });
    return sequences;
  }

  private Map<Integer, Outcome> sendInOrder(List<Batch> batches) {
    Map<Integer, Outcome> outcomes = new HashMap<>();
    batches.forEach(batch -> outcomes.putAll(send(batch)));
    return outcomes;
  }

  private static Outcome outcome(Map<Integer, Outcome> outcomes, int number) {
    return outcomes.getOrDefault(number, new Refused("SQS has not answered for it"));
  }

  private Map<Integer, Outcome> send(Batch batch) {
    SendMessageBatchResponse answer;
    try {
      String url = urls.of(batch.queueArn());
      answer = client.sendMessageBatch(it -> it.queueUrl(url).entries(batch.entries()));
    } catch (RuntimeException failure) {
      urls.forget(batch.queueArn());
      Outcome outcome = Refusals.of(failure);
      return outcome instanceof Impossible && batch.entries().size() > 1
          ? sendOneByOne(batch)
          : batch.all(outcome);
    }
    Map<Integer, Outcome> outcomes = new HashMap<>();
    answer.successful().forEach(it -> outcomes.put(Integer.valueOf(it.id()), new Sent()));
    answer.failed().forEach(it -> outcomes.put(Integer.valueOf(it.id()), Refusals.of(it.code())));
    return outcomes;
  }

  /** When a batch as a whole was refused for what one of its messages may be the cause of. */
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

  /** A FIFO queue wants a group; the schedule's fires are in order then. */
  private static String groupOf(LaunchRequest request) {
    return request.groupId() == null ? request.job().schedule().name() : request.groupId();
  }
}
