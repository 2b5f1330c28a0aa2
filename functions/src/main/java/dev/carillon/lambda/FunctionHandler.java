package dev.carillon.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.carillon.log.JsonLogProvider;
import dev.carillon.metrics.Metric;
import dev.carillon.runtime.Deadline;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.crac.Core;
import org.crac.Resource;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The common part of all functions: logging, publishing metrics, and the hooks around a SnapStart
 * snapshot.
 *
 * @param <I> the event
 * @param <O> the answer
 */
public abstract class FunctionHandler<I, O> implements RequestHandler<I, O>, Resource {

  /**
   * The time limit of each part of priming. Lambda's own limit on the initialization of a function
   * with a snapshot is 130 s.
   */
  private static final Duration LONGEST_PRIMING = Duration.ofSeconds(15);

  /**
   * The variable by which Lambda says whether the function starts from a snapshot. The hooks are
   * called only if it does.
   */
  private static final String INITIALIZATION = "AWS_LAMBDA_INITIALIZATION_TYPE";

  private static final String RECEIVES = "ApproximateReceiveCount";
  private static final String SNAPSHOT = "snap-start";

  static {
    // This must run before any class that logs is loaded.
    JsonLogProvider.useOnLambda(System.getenv());
  }

  private final Carillon carillon;

  // The runtime calls the hooks only after the handler is complete. Compilers since 21 warn of it.
  @SuppressWarnings("this-escape")
  protected FunctionHandler(Carillon carillon) {
    this.carillon = carillon;
    if (SNAPSHOT.equals(System.getenv(INITIALIZATION))) {
      Core.getGlobalContext().register(this);
    }
  }

  @Override
  public final @Nullable O handleRequest(I event, Context context) {
    JsonLogProvider.begin(context.getAwsRequestId());
    try {
      return handle(event, carillon.deadline(context));
    } finally {
      carillon.metrics().publish();
    }
  }

  protected abstract @Nullable O handle(I event, Deadline deadline);

  /**
   * Runs the code of an invocation with input that has no effect. The method is called many times.
   *
   * @param offline the same functions, whose requests never leave the process and find nothing
   */
  protected abstract void prime(Carillon offline, Deadline deadline);

  /** How often a message was received, this time included. */
  static int receives(SQSMessage message) {
    Map<String, String> attributes = message.getAttributes();
    try {
      return attributes == null ? 1 : Integer.parseInt(attributes.getOrDefault(RECEIVES, "1"));
    } catch (NumberFormatException unknown) {
      return 1;
    }
  }

  /**
   * The answer to a batch of messages.
   *
   * @param failed the ids of the messages that SQS must deliver again. Lambda does not count these
   *     messages as errors
   */
  protected final SQSBatchResponse answer(Set<String> failed) {
    if (!failed.isEmpty()) {
      carillon.metrics().add(Metric.MESSAGES_FAILED, failed.size());
    }
    return new SQSBatchResponse(
        failed.stream().map(SQSBatchResponse.BatchItemFailure::new).toList());
  }

  /** Primes the function. A failure only makes its cold start slower, so it is logged. */
  @Override
  public final void beforeCheckpoint(org.crac.Context<? extends Resource> context) {
    attempt(() -> carillon.prime(carillon.deadline(LONGEST_PRIMING)));
    attempt(() -> primeOften(carillon.deadline(LONGEST_PRIMING)));
    attempt(carillon::prepareSnapshot);
  }

  private void primeOften(Deadline deadline) {
    try (Carillon offline = carillon.offline()) {
      for (int round = 0; round < Warmup.ROUNDS && !deadline.hasPassed(); round++) {
        prime(offline, deadline);
        offline.metrics().count(Metric.LAUNCHES);
        offline.metrics().publish();
      }
    }
  }

  @Override
  public final void afterRestore(org.crac.Context<? extends Resource> context) {
    carillon.renew();
  }

  private static void attempt(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | LinkageError failure) {
      LoggerFactory.getLogger(FunctionHandler.class)
          .warn("priming failed; the cold start of this version is slower", failure);
    }
  }
}
