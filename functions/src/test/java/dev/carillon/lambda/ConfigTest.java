package dev.carillon.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigTest {

  private static Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    for (String name :
        new String[] {
          "AWS_REGION",
          "ACCOUNT_ID",
          "SCHEDULES_TABLE",
          "TIMERS_TABLE",
          "JOBS_TABLE",
          "GATES_TABLE",
          "STATUS_TABLE",
          "CHECK_QUEUE_URL",
          "OVERDUE_QUEUE_URL",
          "CHECK_DEAD_LETTERS_URL",
          "INGEST_QUEUE_URL",
          "INGEST_DEAD_LETTERS_URL",
          "REPORT_QUEUE_URL",
          "REPORT_DEAD_LETTERS_URL",
          "REJECTED_QUEUE_URL",
          "TARGET_PREFIX",
          "ALLOWED_TARGETS",
          "RESERVED_QUEUES",
          "NAMESPACE_QUEUE_PREFIX"
        }) {
      environment.put(name, "x");
    }
    environment.put("DEFAULT_ZONE", "UTC");
    environment.put("RETENTION_DAYS", "90");
    environment.put("TIMER_SHARDS", "4");
    environment.put("ATTENTION_SHARDS", "4");
    return environment;
  }

  @ParameterizedTest
  @CsvSource({
    "rate(1 minute), PT1M",
    "rate(5 minutes), PT5M",
    "rate(1 hour), PT1H",
    "rate(2 days), P2D",
    "cron(5 * * * ? *), P1D"
  })
  void theMastersPeriodIsReadFromItsRate(String rate, Duration period) {
    Map<String, String> environment = environment();
    environment.put("MASTER_RATE", rate);
    assertThat(Config.of(environment).masterPeriod()).isEqualTo(period);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "carillon.", "carillon:target-", "{ns}-", "a*"})
  void aPrefixWithInvalidCharactersIsRefused(String prefix) {
    Map<String, String> environment = environment();
    environment.put("TARGET_PREFIX", prefix);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Config.of(environment))
        .withMessageContaining("TARGET_PREFIX is ");
  }

  @Test
  void aPrefixLeavesRoomForAName() {
    Map<String, String> environment = environment();
    environment.put("TARGET_PREFIX", "p".repeat(79));
    assertThat(Config.of(environment).targetPrefix()).hasSize(79);
    environment.put("TARGET_PREFIX", "p".repeat(80));
    assertThatIllegalArgumentException().isThrownBy(() -> Config.of(environment));
  }

  @Test
  void withoutARateTheMasterRunsOnceAMinute() {
    assertThat(Config.of(environment()).masterPeriod()).isEqualTo(Duration.ofMinutes(1));
  }
}
