package dev.carillon.imports.command;

import dev.carillon.imports.Converter;
import dev.carillon.imports.airflow.AirflowConverter;
import dev.carillon.imports.bridge.BridgeConverter;
import dev.carillon.imports.carillon.CarillonConverter;
import dev.carillon.imports.cdap.CdapConverter;
import dev.carillon.imports.cronjob.CronJobConverter;
import dev.carillon.imports.crontab.CrontabConverter;
import dev.carillon.imports.eventbridge.EventBridgeConverter;
import dev.carillon.imports.quartz.QuartzConverter;
import java.util.Locale;

/** The kinds of sources. */
enum Kind {
  CRONTAB,
  EVENTBRIDGE,
  CRONJOB,
  BRIDGE,
  CDAP,
  QUARTZ,
  AIRFLOW,
  CARILLON;

  /**
   * @param isSystem whether the entries of a crontab name their users
   */
  Converter converter(boolean isSystem) {
    return switch (this) {
      case CRONTAB -> new CrontabConverter(isSystem);
      case EVENTBRIDGE -> new EventBridgeConverter();
      case CRONJOB -> new CronJobConverter();
      case BRIDGE -> new BridgeConverter();
      case CDAP -> new CdapConverter();
      case QUARTZ -> new QuartzConverter();
      case AIRFLOW -> new AirflowConverter();
      case CARILLON -> new CarillonConverter();
    };
  }

  /** The name, as it is written in the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
