package dev.carillon.sqs;

import dev.carillon.check.Check;
import dev.carillon.check.CheckJson;
import dev.carillon.check.CheckQueue;
import dev.carillon.runtime.Fanout;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** The check queue on SQS; {@link CheckJson} is the form of a message. */
public final class SqsCheckQueue implements CheckQueue {

  /** SQS charges a request for each 64 KB; some services before it take no more than 256 KB. */
  private static final int MOST_BYTES_IN_BATCH = 256 * 1024;

  private final BatchSender sender;

  public SqsCheckQueue(SqsClient client, String queueUrl, Fanout fanout) {
    this.sender = new BatchSender(client, queueUrl, fanout);
  }

  @Override
  public void send(List<Check> checks, Instant now) {
    List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
    for (Check check : checks) {
      entries.add(entry(entries.size(), check, now));
    }
    sender.send(entries, MOST_BYTES_IN_BATCH);
  }

  private static SendMessageBatchRequestEntry entry(int number, Check check, Instant now) {
    long seconds = Duration.between(now, check.due()).toSeconds();
    return SendMessageBatchRequestEntry.builder()
        .id(Integer.toString(number))
        .messageBody(CheckJson.write(check))
        .delaySeconds((int) Math.max(0, Math.min(LONGEST_DELAY_SECONDS, seconds)))
        .build();
  }
}
