package dev.carillon.sqs;

import dev.carillon.check.Check;
import dev.carillon.check.CheckJson;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.OverdueCheck;
import dev.carillon.runtime.Fanout;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/**
 * The check queue and the overdue queue on SQS; {@link CheckJson} defines the form of a message.
 * The overdue queue is a fair queue, which delivers messages of quiet groups before those of a
 * group with a backlog.
 */
public final class SqsCheckQueue implements CheckQueue {

  /**
   * SQS counts each 64 KB of a batch as one request, and some services before SQS take no more than
   * 256 KB.
   */
  private static final int MOST_BYTES_IN_BATCH = 256 * 1024;

  private final BatchSender due;
  private final BatchSender overdue;

  public SqsCheckQueue(SqsClient client, String checkUrl, String overdueUrl, Fanout fanout) {
    this.due = new BatchSender(client, checkUrl, fanout);
    this.overdue = new BatchSender(client, overdueUrl, fanout);
  }

  @Override
  public void send(List<Check> checks, Instant now) {
    OverdueCheck.Routes routes = OverdueCheck.route(checks, now);
    List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
    for (Check check : routes.due()) {
      entries.add(entry(entries.size(), check, now));
    }
    List<SendMessageBatchRequestEntry> overdueEntries = new ArrayList<>();
    for (OverdueCheck check : routes.overdue()) {
      overdueEntries.add(entry(overdueEntries.size(), check));
    }
    due.send(entries, MOST_BYTES_IN_BATCH);
    overdue.send(overdueEntries, MOST_BYTES_IN_BATCH);
  }

  private static SendMessageBatchRequestEntry entry(int number, Check check, Instant now) {
    long seconds = Duration.between(now, check.due()).toSeconds();
    return SendMessageBatchRequestEntry.builder()
        .id(Integer.toString(number))
        .messageBody(CheckJson.write(check))
        .delaySeconds((int) Math.max(0, Math.min(LONGEST_DELAY_SECONDS, seconds)))
        .build();
  }

  private static SendMessageBatchRequestEntry entry(int number, OverdueCheck overdue) {
    return SendMessageBatchRequestEntry.builder()
        .id(Integer.toString(number))
        .messageBody(CheckJson.write(overdue.check()))
        .messageGroupId(overdue.group())
        .build();
  }
}
