package dev.carillon.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.imports.airflow.AirflowConverter;
import dev.carillon.imports.bridge.BridgeConverter;
import dev.carillon.imports.cdap.CdapConverter;
import dev.carillon.imports.cronjob.CronJobConverter;
import dev.carillon.imports.crontab.CrontabConverter;
import dev.carillon.imports.eventbridge.EventBridgeConverter;
import dev.carillon.imports.quartz.QuartzConverter;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The samples of all kinds become what their folders expect, and every document is valid. */
class SamplesTest {

  private static final Map<String, Converter> CONVERTERS =
      Map.of(
          "crontab", new CrontabConverter(false),
          "crontab-system", new CrontabConverter(true),
          "eventbridge", new EventBridgeConverter(),
          "cronjob", new CronJobConverter(),
          "bridge", new BridgeConverter(),
          "cdap", new CdapConverter(),
          "quartz", new QuartzConverter(),
          "airflow", new AirflowConverter());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "crontab",
        "crontab-system",
        "eventbridge",
        "cronjob",
        "bridge",
        "cdap",
        "quartz",
        "airflow"
      })
  void aFolderOfSamplesBecomesWhatItExpects(String folder) {
    Samples samples = Samples.of(folder, CONVERTERS.get(folder));
    if (System.getProperty("samples", "").equals("write")) {
      samples.write();
    }
    assertThat(samples.actual())
        .as("write it by: mvn -pl cli -am test -Dtest=SamplesTest -Dsamples=write, and read it")
        .isEqualTo(samples.expected());
    samples.areAccepted();
  }
}
