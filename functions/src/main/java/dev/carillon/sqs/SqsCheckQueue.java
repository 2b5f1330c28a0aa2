package dev.carillon.sqs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.Fanout;
import dev.carillon.Json;
import dev.carillon.checker.Check;
import dev.carillon.checker.CheckQueue;
import dev.carillon.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** The check queue on SQS; a message is {@code {"due": epoch millis, "jobs": [job id, …]}}. */
public final class SqsCheckQueue implements CheckQueue {

  /** SQS charges a request for each 64 KB; some services before it take no more than 256 KB. */
  private static final int MOST_BYTES_IN_BATCH = 256 * 1024;

  private final BatchSender sender;

  public SqsCheckQueue(SqsClient client, String queueUrl, Fanout fanout) {
    this.sender = new BatchSender(client, queueUrl, fanout);
  }

  @Override
  public void send(List<Check> checks, Instant now) {
    List<SendMessageBatchRequestEntry> entries =
        IntStream.range(0, checks.size()).mapToObj(i -> entry(i, checks.get(i), now)).toList();
    sender.send(entries, MOST_BYTES_IN_BATCH);
  }

  private static SendMessageBatchRequestEntry entry(int number, Check check, Instant now) {
    long seconds = Duration.between(now, check.due()).toSeconds();
    return SendMessageBatchRequestEntry.builder()
        .id(Integer.toString(number))
        .messageBody(write(check))
        .delaySeconds((int) Math.max(0, Math.min(LONGEST_DELAY_SECONDS, seconds)))
        .build();
  }

  private static String write(Check check) {
    ObjectNode json = Json.object().put("due", check.due().toEpochMilli());
    ArrayNode jobs = json.putArray("jobs");
    check.jobs().forEach(job -> jobs.add(job.toString()));
    return Json.write(json);
  }

  /**
   * The check in a message.
   *
   * @throws RuntimeException if it is none
   */
  public static Check parse(String body) {
    JsonNode json = Json.readObject(body);
    List<JobId> jobs = new ArrayList<>();
    json.required("jobs").forEach(job -> jobs.add(JobId.parse(job.textValue())));
    return new Check(Instant.ofEpochMilli(json.required("due").longValue()), List.copyOf(jobs));
  }
}
