package dev.carillon.sqs;

import dev.carillon.document.MessageLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** Splits messages into batches within the limits of SQS. */
final class Entries {

  private static final int MOST_IN_BATCH = 10;

  private Entries() {}

  /** The order of the messages is kept. Each batch stays within the limits of number and bytes. */
  static List<List<SendMessageBatchRequestEntry>> batches(
      List<SendMessageBatchRequestEntry> entries, int mostBytes) {
    List<List<SendMessageBatchRequestEntry>> batches = new ArrayList<>();
    List<SendMessageBatchRequestEntry> batch = new ArrayList<>();
    int bytes = 0;
    for (SendMessageBatchRequestEntry entry : entries) {
      int size = size(entry);
      if (!batch.isEmpty() && (batch.size() == MOST_IN_BATCH || bytes + size > mostBytes)) {
        batches.add(batch);
        batch = new ArrayList<>();
        bytes = 0;
      }
      batch.add(entry);
      bytes += size;
    }
    if (!batch.isEmpty()) {
      batches.add(batch);
    }
    return batches;
  }

  static Map<String, MessageAttributeValue> attributes(Map<String, String> values) {
    Map<String, MessageAttributeValue> attributes = new HashMap<>();
    values.forEach(
        (name, value) ->
            attributes.put(
                name,
                MessageAttributeValue.builder().dataType("String").stringValue(value).build()));
    return attributes;
  }

  private static int size(SendMessageBatchRequestEntry entry) {
    int bytes = MessageLimits.bytes(entry.messageBody(), Map.of());
    for (Map.Entry<String, MessageAttributeValue> attribute :
        entry.messageAttributes().entrySet()) {
      bytes += MessageLimits.bytes(attribute.getKey(), attribute.getValue().stringValue());
    }
    return bytes;
  }
}
