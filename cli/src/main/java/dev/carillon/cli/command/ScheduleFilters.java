package dev.carillon.cli.command;

import dev.carillon.client.ScheduleFilter;
import dev.carillon.client.StoredSchedule;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select schedules; all conditions must match. */
final class ScheduleFilters {

  @Option(names = "--app", paramLabel = "NAME", description = "Only schedules of this app.")
  private @Nullable String app;

  @Option(
      names = "--program",
      paramLabel = "NAME",
      description = "Only schedules that launch this program.")
  private @Nullable String program;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      completionCandidates = Choices.ScheduleStates.class,
      description = "Only schedules in this state: ${COMPLETION-CANDIDATES}.")
  private StoredSchedule.@Nullable State state;

  @Option(names = "--tag", paramLabel = "NAME=VALUE", description = "Only schedules with this tag.")
  private @Nullable String tag;

  @Option(
      names = "--event-key",
      paramLabel = "KEY",
      description =
          "Only schedules that wait for this event key, like partition:default.purchases.")
  private @Nullable String eventKey;

  @Option(
      names = "--trigger-type",
      paramLabel = "TYPE",
      description = "Only schedules with a trigger of this type, like cron.")
  private @Nullable String triggerType;

  @Option(
      names = "--broken",
      description = "Only schedules that wait for a program that no schedule launches.")
  private boolean broken;

  ScheduleFilters() {}

  ScheduleFilter filter() {
    ScheduleFilter filter = ScheduleFilter.all();
    filter = app == null ? filter : filter.withApp(app);
    filter = program == null ? filter : filter.withProgram(program);
    filter = state == null ? filter : filter.withState(state);
    filter = tag == null ? filter : filter.withTag(tag);
    filter = eventKey == null ? filter : filter.withEventKey(eventKey);
    filter = triggerType == null ? filter : filter.withTriggerType(triggerType);
    return broken ? filter.broken() : filter;
  }
}
