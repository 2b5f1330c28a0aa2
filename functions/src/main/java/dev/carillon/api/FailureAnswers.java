package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.runtime.ContentionException;
import dev.carillon.schedule.UnreadableSchedules;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The answers to requests whose route threw an exception. */
final class FailureAnswers {

  private static final Logger LOG = LoggerFactory.getLogger(FailureAnswers.class);

  private final Predicate<RuntimeException> throttled;

  /**
   * @param throttled whether a store or a queue refused a call because of its rate
   */
  FailureAnswers(Predicate<RuntimeException> throttled) {
    this.throttled = throttled;
  }

  APIGatewayProxyResponseEvent answer(
      APIGatewayProxyRequestEvent request, RuntimeException failure) {
    return Answer.of(problem(request, failure));
  }

  private Problem problem(APIGatewayProxyRequestEvent request, RuntimeException failure) {
    String method = request.getHttpMethod();
    String resource = request.getResource();
    if (failure instanceof Problem problem) {
      return problem;
    }
    if (failure instanceof ContentionException) {
      return Problem.concurrent(String.valueOf(failure.getMessage()));
    }
    if (failure instanceof UnreadableItems
        || failure instanceof UnreadableSchedules
        || failure instanceof UnreadableJobs) {
      LOG.error(
          "{} {} failed, because a stored item cannot be read; store the item again with PUT, or delete"
              + " it",
          method,
          resource,
          failure);
      return Problem.unreadable(
          failure.getMessage()
              + ": they are damaged, or a newer version stored them; store them again with PUT,"
              + " or delete them");
    }
    if (throttled.test(failure)) {
      LOG.warn(
          "DynamoDB or SQS throttled {} {}; the caller is asked to repeat it", method, resource);
      return Problem.throttled();
    }
    if (Thread.currentThread().isInterrupted()) {
      // The local engine stops while a worker's pull still waits.
      LOG.debug("{} {} was interrupted", method, resource, failure);
    } else {
      LOG.error(
          "{} {} failed; the caller was answered internal-error and can repeat it",
          method,
          resource,
          failure);
    }
    return Problem.internal();
  }
}
