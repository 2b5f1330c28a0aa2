package dev.carillon.bench.harness;

import dev.carillon.lambda.Carillon;
import dev.carillon.local.LocalEngine;
import dev.carillon.runtime.Deadline;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Helps to launch work that is due at one instant. */
public final class Due {

  private static final Duration TICK_TIME = Duration.ofSeconds(50);

  private Due() {}

  /** The expression of a cron that fires at this time of each day. */
  public static String cron(Instant at) {
    var time = at.atOffset(ZoneOffset.UTC);
    return "%d %d %d * * ?".formatted(time.getSecond(), time.getMinute(), time.getHour());
  }

  /** Hands the fires over at once, without waiting for the engine's next tick. */
  public static void handOver(LocalEngine engine) {
    try (Carillon carillon = Carillon.of(engine.environment())) {
      Clock clock = Clock.systemUTC();
      carillon.master().tick(new Deadline(Instant.now().plus(TICK_TIME), clock));
    }
  }

  /** Hands the fires over, and checks that they are not due yet. */
  public static void handOver(LocalEngine engine, Instant due) {
    handOver(engine);
    if (Instant.now().isAfter(due)) {
      throw new CannotRun("the fires were not handed over before they were due");
    }
  }

  /** The number of requests that can be received. */
  public static int visible(SqsClient sqs, String queueUrl) {
    return Integer.parseInt(
        sqs.getQueueAttributes(
                it ->
                    it.queueUrl(queueUrl)
                        .attributeNames(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES))
            .attributes()
            .getOrDefault(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES, "0"));
  }
}
