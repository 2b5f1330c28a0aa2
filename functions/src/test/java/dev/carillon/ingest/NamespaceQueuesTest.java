package dev.carillon.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamespaceQueuesTest {

  private final NamespaceQueues queues = new NamespaceQueues("carillon-namespace-");

  @ParameterizedTest
  @CsvSource({
    "arn:aws:sqs:eu-west-1:000000000000:carillon-namespace-sales, sales",
    "arn:aws:sqs:eu-west-1:000000000000:carillon-namespace-a-namespace-b, a-namespace-b",
    "arn:aws:sqs:eu-west-1:000000000000:carillon-ingest,",
    "arn:aws:sqs:eu-west-1:000000000000:other-carillon-namespace-sales,",
    ","
  })
  void theNameOfAQueueNamesTheNamespaceWhoseEventsItAccepts(String arn, String namespace) {
    assertThat(queues.namespaceOf(arn).orElse(null)).isEqualTo(namespace);
  }
}
