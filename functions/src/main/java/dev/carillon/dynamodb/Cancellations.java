package dev.carillon.dynamodb;

import java.util.List;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * The reasons for which DynamoDB cancels a transaction. The SDK does not retry cancelled
 * transactions, because it examines only the error code and not the cancellation reasons.
 */
public final class Cancellations {

  private static final Set<String> OF_LOAD =
      Set.of("ThrottlingError", "ProvisionedThroughputExceeded");
  private static final Set<String> OF_OTHERS = Set.of("TransactionConflict");

  private Cancellations() {}

  /** Whether DynamoDB throttled the transaction; nothing was stored. */
  public static boolean isThrottled(TransactionCanceledException cancellation) {
    return names(cancellation, OF_LOAD);
  }

  /** Whether a retry of the transaction can succeed. */
  static boolean isRetryable(TransactionCanceledException cancellation) {
    return names(cancellation, OF_OTHERS) || isThrottled(cancellation);
  }

  private static boolean names(TransactionCanceledException cancellation, Set<String> codes) {
    return cancellation.hasCancellationReasons()
        && cancellation.cancellationReasons().stream()
            .anyMatch(reason -> reason.code() != null && codes.contains(reason.code()));
  }

  /**
   * Whether a write would have made its item larger than DynamoDB allows.
   *
   * @param first the position of the first write to examine; all writes after it are examined too
   */
  static boolean isTooLarge(TransactionCanceledException refused, int first) {
    List<CancellationReason> reasons = refused.cancellationReasons();
    return first < reasons.size()
        && reasons.subList(first, reasons.size()).stream()
            .anyMatch(reason -> "ValidationError".equals(reason.code()));
  }
}
