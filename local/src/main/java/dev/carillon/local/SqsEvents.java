package dev.carillon.local;

import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.MessageAttribute;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** Messages in the form that Lambda passes to a function. */
final class SqsEvents {

  private SqsEvents() {}

  static SQSEvent of(List<Message> messages, String queueArn) {
    SQSEvent event = new SQSEvent();
    event.setRecords(messages.stream().map(message -> record(message, queueArn)).toList());
    return event;
  }

  private static SQSMessage record(Message message, String queueArn) {
    SQSMessage copy = new SQSMessage();
    copy.setMessageId(message.messageId());
    copy.setReceiptHandle(message.receiptHandle());
    copy.setBody(message.body());
    copy.setMd5OfBody(message.md5OfBody());
    copy.setMd5OfMessageAttributes(message.md5OfMessageAttributes());
    copy.setAttributes(new HashMap<>(message.attributesAsStrings()));
    copy.setMessageAttributes(attributes(message.messageAttributes()));
    copy.setEventSource("aws:sqs");
    copy.setEventSourceArn(queueArn);
    copy.setAwsRegion(LocalAccount.REGION);
    return copy;
  }

  private static Map<String, MessageAttribute> attributes(
      Map<String, MessageAttributeValue> attributes) {
    return attributes.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> attribute(entry.getValue())));
  }

  private static MessageAttribute attribute(MessageAttributeValue value) {
    MessageAttribute copy = new MessageAttribute();
    copy.setDataType(value.dataType());
    copy.setStringValue(value.stringValue());
    if (value.binaryValue() != null) {
      copy.setBinaryValue(value.binaryValue().asByteBuffer());
    }
    return copy;
  }
}
