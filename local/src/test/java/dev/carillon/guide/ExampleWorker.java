package dev.carillon.guide;

import java.util.Map;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** The Java example of the guide "Write a worker", word for word. */
final class ExampleWorker {

  private ExampleWorker() {}

  // begin
  /**
   * Receives once, does the work, and reports each run.
   *
   * @param outcomes how each job ended, by its id; a real worker keeps these in a database
   * @param work turns a launch request into SUCCEEDED or FAILED
   */
  static void receive(
      SqsClient sqs,
      String queueUrl,
      String ingestUrl,
      Map<String, String> outcomes,
      UnaryOperator<String> work) {
    var answer =
        sqs.receiveMessage(
            request -> request.queueUrl(queueUrl).messageAttributeNames("All").waitTimeSeconds(20));
    for (Message message : answer.messages()) {
      Map<String, MessageAttributeValue> attributes = message.messageAttributes();
      String jobId = attributes.get("carillon-job-id").stringValue();
      String[] program = attributes.get("carillon-program").stringValue().split("/", 2);
      String status = outcomes.computeIfAbsent(jobId, id -> work.apply(message.body()));
      String report =
          """
          {"id": "%s-%s", "namespace": "%s", "eventType": "PROGRAM_STATUS",
           "payload": {"programId": "%s", "status": "%s", "runId": "%s"}}
          """
              .formatted(jobId, status, program[0], program[1], status, jobId);
      sqs.sendMessage(request -> request.queueUrl(ingestUrl).messageBody(report));
      sqs.deleteMessage(
          request -> request.queueUrl(queueUrl).receiptHandle(message.receiptHandle()));
    }
  }
  // end
}
