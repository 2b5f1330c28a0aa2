package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.TextForm;
import dev.carillon.id.Page;
import dev.carillon.id.ProgramName;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.ListFilter;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.trigger.Trigger.AnyEvent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Lists the schedules of a namespace, page by page. */
final class ScheduleList {

  private static final List<String> STATES = List.of("ACTIVE", "SUSPENDED", "COMPLETED");
  private static final List<String> TYPES =
      List.of(
          "cron",
          "rate",
          "at",
          "partition",
          "size",
          "programStatus",
          "event",
          "elapsed",
          "quiet",
          "manual",
          "and",
          "or");
  private static final TextForm TAG =
      new TextForm(
          64 + 1 + 256,
          Pattern.compile("[A-Za-z0-9_.-]{1,64}=.+"),
          "give a tag as name=value, like team=data");
  private static final TextForm EVENT_KEY = TextForm.line(512);
  private static final Pattern WHOLE_EVENT_KEY =
      Pattern.compile("(?:event|partition|size|program|calendar|pool):.*");

  private final Schedules schedules;
  private final Lookup lookup;
  private final InstantSource clock;

  ScheduleList(Schedules schedules, Lookup lookup, InstantSource clock) {
    this.schedules = schedules;
    this.lookup = lookup;
    this.clock = clock;
  }

  APIGatewayProxyResponseEvent list(Call call) {
    String namespace = call.namespace();
    Faults faults = new Faults();
    Fields query = call.query(faults);
    boolean broken = query.choice("broken", List.of("true", "false"), "false").equals("true");
    ListFilter asked = filter(query, namespace);
    int limit = Listing.limit(query);
    String list = "schedules " + namespace + " " + asked + " " + broken;
    String from = Cursor.open(query, list, Cursor::isName);
    Problem.refuse(faults);
    ListFilter filter = broken ? broken(asked, schedules.programs(namespace)) : asked;
    Instant now = clock.instant();
    return Answer.of(
        200,
        Listing.fitting(
            limit,
            items -> {
              Page<StoredSchedule> page = schedules.list(namespace, filter, items, from);
              Map<ScheduleId, Instant> fires = lookup.nextFires(page.items(), now);
              List<ObjectNode> views =
                  page.items().stream()
                      .map(stored -> ScheduleView.of(stored, fires.get(stored.head().id())))
                      .toList();
              return Listing.page("schedules", views, Cursor.seal(list, page.next()));
            }));
  }

  /** Restricts a filter to schedules that wait for a program that no schedule launches. */
  private static ListFilter broken(ListFilter filter, Set<String> launched) {
    return new ListFilter(
        filter.program(),
        filter.app(),
        filter.state(),
        filter.tag(),
        filter.eventKey(),
        filter.triggerType(),
        launched);
  }

  private static ListFilter filter(Fields query, String namespace) {
    String state = optional(query, "state", STATES);
    return new ListFilter(
        query.has("program") ? ProgramName.read(query, "program", namespace) : null,
        query.optionalText("app", TextForm.NAME),
        state == null ? null : ScheduleState.valueOf(state),
        query.optionalText("tag", TAG),
        wholeEventKey(query.optionalText("eventKey", EVENT_KEY)),
        optional(query, "triggerType", TYPES));
  }

  /**
   * The stored form of a key. The key of an {@code event} trigger can be given as its document
   * writes it.
   */
  private static @Nullable String wholeEventKey(@Nullable String given) {
    return given == null || WHOLE_EVENT_KEY.matcher(given).matches()
        ? given
        : AnyEvent.PREFIX + given;
  }

  private static @Nullable String optional(Fields query, String name, List<String> available) {
    return query.has(name) ? query.choice(name, available).orElse(null) : null;
  }
}
