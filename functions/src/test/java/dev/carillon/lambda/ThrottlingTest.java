package dev.carillon.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

class ThrottlingTest {

  @ParameterizedTest
  @CsvSource({
    "ThrottlingError, true",
    "ProvisionedThroughputExceeded, true",
    "TransactionConflict, false",
    "ValidationError, false",
    "None, false",
    ", false"
  })
  void aCancelledTransactionIsThrottledAccordingToItsReasons(String code, boolean throttled) {
    CancellationReason none = CancellationReason.builder().code("None").build();
    CancellationReason reason = CancellationReason.builder().code(code).build();
    TransactionCanceledException cancellation =
        TransactionCanceledException.builder().cancellationReasons(none, reason).build();

    assertThat(Clients.isThrottled(cancellation)).isEqualTo(throttled);
  }
}
