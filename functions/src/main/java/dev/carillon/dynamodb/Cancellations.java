package dev.carillon.dynamodb;

import java.util.List;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Why DynamoDB cancels transactions. The SDK repeats none of them: it looks at the error alone, not
 * at the reasons that it holds.
 */
public final class Cancellations {

  private static final Set<String> OF_LOAD =
      Set.of("ThrottlingError", "ProvisionedThroughputExceeded");
  private static final Set<String> OF_OTHERS = Set.of("TransactionConflict");

  private Cancellations() {}

  /** Whether the tables could not take so much; nothing was stored. */
  public static boolean isThrottled(TransactionCanceledException cancellation) {
    return names(cancellation, OF_LOAD);
  }

  /** Whether the same transaction may be stored if it is repeated. */
  static boolean mayPass(TransactionCanceledException cancellation) {
    return names(cancellation, OF_OTHERS) || isThrottled(cancellation);
  }

  private static boolean names(TransactionCanceledException cancellation, Set<String> codes) {
    return cancellation.hasCancellationReasons()
        && cancellation.cancellationReasons().stream()
            .anyMatch(reason -> reason.code() != null && codes.contains(reason.code()));
  }

  /**
   * Whether one of a transaction's items would have become larger than an item may be.
   *
   * @param index of its write
   */
  static boolean isTooLarge(TransactionCanceledException refused, int index) {
    List<CancellationReason> reasons = refused.cancellationReasons();
    return index < reasons.size() && "ValidationError".equals(reasons.get(index).code());
  }
}
