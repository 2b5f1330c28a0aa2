package dev.carillon.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import software.amazon.awssdk.core.exception.SdkClientException;

@Isolated
class JsonLoggerTest {

  private static final String SECRET = "s3cr3t";
  private static final ScheduleId SCHEDULE = new ScheduleId("default", "report");

  private static String logged(Level level, Consumer<Logger> logging) {
    try (Output output = new Output()) {
      logging.accept(
          new JsonLogger("dev.carillon.Test", level, () -> Instant.parse("2026-03-01T10:00:00Z")));
      return output.text();
    }
  }

  private static JsonNode error(Throwable thrown) {
    String line = logged(Level.INFO, log -> log.warn("it failed", thrown));
    assertThat(line).doesNotContain(SECRET);
    return Json.readObject(line).path("error");
  }

  @Test
  void entryIsALineWithTheIdsOfItsArguments() {
    JobId job = JobId.ofFire(SCHEDULE, 3, Instant.EPOCH);
    assertThat(logged(Level.INFO, log -> log.warn("{} was refused: {}", job, "no \"queue\"")))
        .isEqualTo(
            "{\"timestamp\":\"2026-03-01T10:00:00Z\",\"level\":\"WARN\",\"logger\":\"dev.carillon.Test\","
                + "\"message\":\"default~report~00003~000000000 was refused: no \\\"queue\\\"\","
                + "\"jobId\":\"default~report~00003~000000000\",\"schedule\":\"default/report\","
                + "\"generation\":3}"
                + System.lineSeparator());
    assertThat(logged(Level.INFO, log -> log.info("{} is damaged", SCHEDULE)))
        .contains("\"schedule\":\"default/report\"");
  }

  @Test
  void entryNamesTheInvocation() {
    JsonLogProvider.begin("c0ffee");
    try {
      assertThat(logged(Level.INFO, log -> log.info("x"))).contains("\"requestId\":\"c0ffee\"");
    } finally {
      JsonLogProvider.begin(null);
    }
    assertThat(logged(Level.INFO, log -> log.info("x"))).doesNotContain("requestId");
  }

  @Test
  void entriesBelowTheLevelAreDropped() {
    assertThat(logged(Level.INFO, log -> log.debug("x"))).isEmpty();
    assertThat(logged(Level.DEBUG, log -> log.debug("x"))).isNotEmpty();
    assertThat(logged(Level.ERROR, log -> log.warn("x"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "dev.carillon.api.Api, '', INFO",
    "dev.carillon.api.Api, DEBUG, DEBUG",
    "dev.carillon.api.Api, FATAL, ERROR",
    "org.apache.hc.client5.http.wire, TRACE, WARN",
    "software.amazon.awssdk.request, DEBUG, WARN",
    "software.amazon.awssdk.request, ERROR, ERROR"
  })
  void librariesNeverLogPayloads(String logger, String asked, Level level) {
    assertThat(JsonLogProvider.level(logger, Map.of("AWS_LAMBDA_LOG_LEVEL", asked)))
        .isEqualTo(level);
  }

  @Test
  void messagesOfTheSdkAreLogged() {
    JsonNode error = error(new RuntimeException(SdkClientException.create("no route to host")));
    assertThat(error.path("type").asText()).isEqualTo("java.lang.RuntimeException");
    assertThat(error.has("message")).isFalse();
    assertThat(error.path("cause").path("message").asText()).contains("no route to host");
    assertThat(error.path("stackTrace").get(0).asText()).contains("JsonLoggerTest");
  }

  @Test
  void messagesOfParsersAreNotLogged() {
    try {
      Json.read("{\"a\": " + SECRET + "}");
    } catch (JsonProcessingException notJson) {
      error(notJson);
      error(new IllegalStateException(notJson));
      error(new UncheckedIOException(notJson));
      assertThat(
              error(new IllegalStateException("stored JSON is damaged", notJson)).path("message"))
          .hasToString("\"stored JSON is damaged\"");
    }
    error(thrownBy(() -> Integer.parseInt(SECRET)));
    error(thrownBy(() -> LocalDate.parse(SECRET)));
    error(new IllegalArgumentException("not a job id: " + SECRET));
  }

  private static RuntimeException thrownBy(Runnable parsing) {
    try {
      parsing.run();
      throw new AssertionError("it was parsed");
    } catch (RuntimeException unreadable) {
      return unreadable;
    }
  }

  @Test
  void isTheLoggerOfThisModulesTests() {
    assertThat(LoggerFactory.getLogger("dev.carillon.x")).isInstanceOf(JsonLogger.class);
  }
}
