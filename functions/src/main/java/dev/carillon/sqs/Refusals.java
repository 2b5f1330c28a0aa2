package dev.carillon.sqs;

import dev.carillon.launch.TargetQueues.Impossible;
import dev.carillon.launch.TargetQueues.Outcome;
import dev.carillon.launch.TargetQueues.Refused;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/** Separates refusals that are final from those that a retry can overcome. */
final class Refusals {

  /** The errors that a retry of the same message cannot overcome. */
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

  /** The outcome of one refused entry of a batch. */
  static Outcome of(String errorCode) {
    String code = plain(errorCode);
    return OF_THE_MESSAGE.contains(code)
        ? new Impossible("the queue does not accept this message: " + code)
        : new Refused(inWords(code));
  }

  /** The outcome of a failed request. */
  static Outcome of(RuntimeException failure) {
    if (failure instanceof QueueDoesNotExistException) {
      return new Refused(inWords("QueueDoesNotExist"));
    }
    if (failure instanceof AwsServiceException answer && answer.awsErrorDetails() != null) {
      return of(answer.awsErrorDetails().errorCode());
    }
    if (failure instanceof IllegalArgumentException) {
      return new Refused("the queue's ARN is not valid");
    }
    return new Refused("SQS is not reachable: " + failure.getClass().getSimpleName());
  }

  private static String inWords(String code) {
    if (OF_ABSENCE.contains(code)) {
      return "the queue does not exist; create it";
    }
    if (OF_ACCESS.contains(code)) {
      return "access to the queue is denied; allow Carillon's checker role sqs:GetQueueUrl and"
          + " sqs:SendMessage and the use of the queue's key";
    }
    if (OF_LOAD.contains(code)) {
      return "the queue is throttled";
    }
    return "SQS answered " + code;
  }

  /** The code without the prefix that the query protocol of SQS adds. */
  private static String plain(String code) {
    return code.substring(code.lastIndexOf('.') + 1);
  }
}
