package dev.carillon.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import dev.carillon.log.JsonLogProvider;
import dev.carillon.metrics.Metric;
import dev.carillon.runtime.Deadline;
import java.time.Duration;
import java.util.Set;
import org.crac.Core;
import org.crac.Resource;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * What all functions have in common: how they log, when they say what they counted, and what they
 * do around the snapshot that SnapStart takes of them.
 *
 * @param <I> the event
 * @param <O> the answer
 */
public abstract class FunctionHandler<I, O> implements RequestHandler<I, O>, Resource {

  /** Priming is cut short by this, not by the time that Lambda leaves an initialisation. */
  private static final Duration LONGEST_PRIMING = Duration.ofSeconds(8);

  /** Lambda's variable, and what it says where the hooks around a snapshot are called at all. */
  private static final String INITIALIZATION = "AWS_LAMBDA_INITIALIZATION_TYPE";

  private static final String SNAPSHOT = "snap-start";

  static {
    // Before any class that logs is loaded.
    JsonLogProvider.useOnLambda(System.getenv());
  }

  private final Carillon carillon;

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

  /** Runs what an invocation runs, with something to which nothing can happen. */
  protected abstract void prime(Deadline deadline);

  /**
   * Answers a queue.
   *
   * @param failed the ids of the messages that must be received again, which Lambda counts as no
   *     error
   */
  protected final SQSBatchResponse answer(Set<String> failed) {
    if (!failed.isEmpty()) {
      carillon.metrics().add(Metric.MESSAGES_FAILED, failed.size());
    }
    return new SQSBatchResponse(
        failed.stream().map(SQSBatchResponse.BatchItemFailure::new).toList());
  }

  /** A function that could not be primed starts colder, that is all. */
  @Override
  public final void beforeCheckpoint(org.crac.Context<? extends Resource> context) {
    attempt(() -> carillon.prime(carillon.deadline(LONGEST_PRIMING)));
    attempt(() -> prime(carillon.deadline(LONGEST_PRIMING)));
    attempt(carillon::prepareSnapshot);
  }

  @Override
  public final void afterRestore(org.crac.Context<? extends Resource> context) {
    carillon.renew();
  }

  private static void attempt(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | LinkageError failure) {
      LoggerFactory.getLogger(FunctionHandler.class).warn("priming is incomplete", failure);
    }
  }
}
