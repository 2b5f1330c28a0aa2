package dev.carillon.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Bounds;
import dev.carillon.document.Fault;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PoolReaderTest {

  private static Pool read(String document) {
    return PoolReader.read(Json.readObject(document));
  }

  private static List<Fault> faults(ObjectNode document) {
    InvalidDocument refused =
        catchThrowableOfType(InvalidDocument.class, () -> PoolReader.read(document));
    return refused == null ? List.of() : refused.faults();
  }

  private static List<Fault> faults(String document) {
    return faults(Json.readObject(document));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'nam': 1}                          | /nam              | ",
        "{'depth': 5}                        | /depth            | without \"queue\" nothing is filled",
        "{'queue': 'q', 'depth': 0}          | /depth            | 1 to 100000",
        "{'queue': 'q', 'depth': 100001}     | /depth            | 1 to 100000",
        "{'queue': 'q-${customer}'}          | /queue            | a queue cannot contain variables",
        "{'order': 'newest'}                 | /order            | fair",
        "{'weights': {'A': 0}}               | /weights/A        | give a number above 0 and up to 1000",
        "{'weights': {'A': -1}}              | /weights/A        | give a number above 0 and up to 1000",
        "{'weights': {'A': 1000.0001}}       | /weights/A        | give a number above 0 and up to 1000",
        "{'weights': {'A': 0.00001}}         | /weights/A        | ",
        "{'weights': {'A': 'two'}}           | /weights/A        | ",
        "{'weights': {' ': 2}}               | `/weights/ `      | \" \" is not the name of a customer; give 1 to 128",
        "{'maxInFlight': {'A': 0}}           | /maxInFlight/A    | 1 to 10000",
        "{'maxInFlight': {'A': 10001}}       | /maxInFlight/A    | 1 to 10000",
        "{'maxInFlight': {'': 2}}            | /maxInFlight/     | \"\" is not the name of a customer; give 1 to 128",
        "{'order': 'fifo', 'weights': {'A': 2}}     | /weights     | \"fifo\" knows no customers",
        "{'order': 'fifo', 'maxInFlight': {'A': 2}} | /maxInFlight | \"fifo\" knows no customers",
        "{'match': {'a': 'no list'}}         | /match/a          | ",
        "{'paused': 'yes'}                   | /paused           | give true or false",
        "{'reason': 'repair'}                | /reason           | the pool is not paused",
        "{'paused': false, 'reason': 'done'} | /reason           | the pool is not paused"
      })
  void aDocumentWithOneFaultIsRefused(String document, String pointer, @Nullable String detail) {
    List<Fault> faults = faults(document.replace('\'', '"'));
    assertThat(faults).extracting(Fault::pointer).containsExactly(pointer);
    assertThat(faults.get(0).detail()).contains(detail == null ? "" : detail);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'queue': 'q', 'depth': 1}",
        "{'queue': 'q', 'depth': 100000}",
        "{'weights': {'A': 0.0001, 'B': 1000}}",
        "{'maxInFlight': {'A': 1, 'B': 10000, 'default': 5}}",
        "{'order': 'fifo', 'weights': {}, 'maxInFlight': {}}",
        "{'order': 'fair', 'weights': {'A': 2}, 'maxInFlight': {'A': 2}}",
        "{'match': {'a': ['list']}}",
        "{'paused': true}",
        "{'paused': false}"
      })
  void aDocumentAtABoundIsAccepted(String document) {
    assertThat(faults(document.replace('\'', '"'))).isEmpty();
  }

  @Test
  void eachFaultIsReported() {
    assertThat(faults("{\"depth\": 5, \"order\": \"newest\", \"paused\": 1, \"colour\": \"red\"}"))
        .extracting(Fault::pointer)
        .containsExactlyInAnyOrder("/depth", "/order", "/paused", "/colour");
  }

  @ParameterizedTest
  @CsvSource({"50, 0", "51, 1"})
  void fiftyCustomersCanHaveAWeight(int customers, int faults) {
    ObjectNode document = Json.object();
    ObjectNode weights = document.putObject("weights");
    for (int number = 0; number < customers; number++) {
      weights.put("customer-" + number, 2);
    }
    List<Fault> found = faults(document);
    assertThat(found).hasSize(faults);
    assertThat(found).extracting(Fault::pointer).allMatch("/weights"::equals);
  }

  @ParameterizedTest
  @CsvSource({"128, true", "129, false"})
  void aCustomersNameHasABound(int length, boolean isAccepted) {
    ObjectNode document = Json.object();
    document.putObject("maxInFlight").put("c".repeat(length), 2);
    assertThat(faults(document).isEmpty()).isEqualTo(isAccepted);
  }

  @Test
  void aDocumentIsRefusedThatIsTooLargeOrContainsAnUnpairedSurrogate() {
    ObjectNode large = Json.object();
    large.putObject("match").putArray("a").add("a".repeat(Bounds.MOST_BYTES));
    assertThat(faults(large)).extracting(Fault::pointer).contains("");
    assertThat(faults(Json.object().put("description", "\ud800")))
        .extracting(Fault::pointer)
        .containsExactly("/description");
  }

  @Test
  void aTextIsNoPool() {
    InvalidDocument refused =
        catchThrowableOfType(
            InvalidDocument.class, () -> PoolReader.read(Json.object().textNode("pool")));
    assertThat(refused.faults()).singleElement().extracting("pointer").isEqualTo("");
  }

  // ---- what a document means

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      quoteCharacter = '`',
      value = {
        // document                                | queue | depth | order | paused
        "{}                                        | -     | 0     | FAIR  | -",
        "{'queue': 'q'}                            | q     | 100   | FAIR  | -",
        "{'queue': 'q', 'depth': 7}                | q     | 7     | FAIR  | -",
        "{'order': 'fifo'}                         | -     | 0     | FIFO  | -",
        "{'paused': true}                          | -     | 0     | FAIR  | ``",
        "{'paused': true, 'reason': 'repair'}      | -     | 0     | FAIR  | repair",
        "{'paused': false}                         | -     | 0     | FAIR  | -"
      })
  void aPoolOfADocument(
      String document,
      @Nullable String queue,
      int depth,
      Pool.Order order,
      @Nullable String paused) {
    Pool pool = read(document.replace('\'', '"'));
    assertThat(pool.queue()).isEqualTo(queue);
    assertThat(pool.depth()).isEqualTo(depth);
    assertThat(pool.order()).isEqualTo(order);
    assertThat(pool.paused()).isEqualTo(paused);
  }

  @Test
  void onlyAWeightOtherThanOneMakesAFlow() {
    Pool pool = read("{\"weights\": {\"A\": 2.50, \"B\": 1, \"C\": 1.0}}");
    assertThat(pool.weights()).isEqualTo(Map.of("A", 2.5));
    assertThat(pool.document().path("weights"))
        .isEqualTo(Json.readObject("{\"A\": 2.5, \"B\": 1, \"C\": 1}"));
  }

  @Test
  void theStoredDocumentHasAllDefaults() {
    assertThat(read("{\"queue\": \"q\", \"maxInFlight\": {\"A\": 2}}").document())
        .isEqualTo(
            Json.readObject(
                """
                {"description": "", "queue": "q", "depth": 100, "order": "fair", "weights": {},
                 "maxInFlight": {"A": 2}, "match": null, "paused": false, "reason": null}
                """));
    assertThat(read("{\"description\": \"for films\"}").document().path("description").asText())
        .isEqualTo("for films");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // the limit of A, that of all others, customer, limit
        "2, 5, A, 2",
        "2, 5, B, 5",
        "2, -, B, -",
        "-, 5, A, 5"
      })
  void aCustomersLimitIsItsOwnOrThatOfAllOthers(
      @Nullable Integer own, @Nullable Integer others, String customer, @Nullable Integer limit) {
    ObjectNode document = Json.object();
    ObjectNode limits = document.putObject("maxInFlight");
    if (own != null) {
      limits.put("A", own);
    }
    if (others != null) {
      limits.put(Pool.OTHERS, others);
    }
    assertThat(PoolReader.read(document).limit(customer)).isEqualTo(limit);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "{}                              | false",
        "{'queue': 'q'}                  | true",
        "{'queue': 'q', 'paused': true}  | false",
        "{'paused': true}                | false"
      })
  void aPoolMovesJobsIfItHasAQueueAndIsNotPaused(String document, boolean moves) {
    assertThat(read(document.replace('\'', '"')).moves()).isEqualTo(moves);
  }
}
