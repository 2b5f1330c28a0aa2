package dev.carillon.sqs;

import dev.carillon.launch.TargetQueues.Impossible;
import dev.carillon.launch.TargetQueues.Outcome;
import dev.carillon.launch.TargetQueues.Refused;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/** Tells what a queue did not take for good from what it may take later. */
final class Refusals {

  /** What a message itself is refused for, however often it is sent. */
  private static final Set<String> OF_THE_MESSAGE =
      Set.of(
          "InvalidMessageContents",
          "InvalidParameterValue",
          "InvalidParameterCombination",
          "MissingParameter",
          "BatchRequestTooLong");

  private static final Set<String> OF_ACCESS =
      Set.of("AccessDenied", "AccessDeniedException", "KmsAccessDenied");

  private static final Set<String> OF_LOAD =
      Set.of("RequestThrottled", "Throttling", "ThrottlingException", "OverLimit", "KmsThrottled");

  private static final Set<String> OF_ABSENCE =
      Set.of("QueueDoesNotExist", "NonExistentQueue", "QueueDeletedRecently");

  private Refusals() {}

  /** What one entry of a batch was refused for. */
  static Outcome of(String errorCode) {
    String code = plain(errorCode);
    return OF_THE_MESSAGE.contains(code)
        ? new Impossible("the queue does not take such a message: " + code)
        : new Refused(inWords(code));
  }

  /** What a whole request was refused for. */
  static Outcome of(RuntimeException failure) {
    if (failure instanceof QueueDoesNotExistException) {
      return new Refused(inWords("QueueDoesNotExist"));
    }
    if (failure instanceof AwsServiceException answer && answer.awsErrorDetails() != null) {
      return of(answer.awsErrorDetails().errorCode());
    }
    if (failure instanceof IllegalArgumentException) {
      return new Refused("the queue's ARN is damaged");
    }
    return new Refused("SQS was not reached: " + failure.getClass().getSimpleName());
  }

  private static String inWords(String code) {
    if (OF_ABSENCE.contains(code)) {
      return "the queue does not exist";
    }
    if (OF_ACCESS.contains(code)) {
      return "access to the queue is denied";
    }
    if (OF_LOAD.contains(code)) {
      return "the queue is throttled";
    }
    return "SQS answered " + code;
  }

  /** Without what the older protocol of SQS puts before its codes. */
  private static String plain(String code) {
    return code.substring(code.lastIndexOf('.') + 1);
  }
}
