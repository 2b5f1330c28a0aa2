package dev.carillon.imports.airflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.imports.Conversion;
import dev.carillon.imports.Draft;
import dev.carillon.imports.Literals;
import dev.carillon.imports.Members;
import dev.carillon.imports.Names;
import dev.carillon.imports.NotCarried;
import dev.carillon.imports.Place;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The schedule of a DAG. Airflow prints most values as text, as Python writes them. */
record AirflowDocument(Place place, String id, JsonNode dag, Conversion how) {

  private static final Pattern ZONE = Pattern.compile("Timezone\\('(.+)'\\)");
  private static final int MOST_RUNS = 1_000;

  /** The members that do not concern the time, the runs or the labels of a DAG. */
  private static final List<String> IGNORED =
      List.of(
          "dag_id",
          "dag_display_name",
          "root_dag_id",
          "is_subdag",
          "fileloc",
          "filepath",
          "relative_fileloc",
          "file_token",
          "bundle_name",
          "bundle_version",
          "default_view",
          "orientation",
          "doc_md",
          "template_search_path",
          "template_searchpath",
          "pickle_id",
          "last_parsed",
          "last_parsed_time",
          "last_parse_duration",
          "last_pickled",
          "last_expired",
          "last_loaded",
          "scheduler_lock",
          "has_import_errors",
          "has_task_concurrency_limits",
          "next_dagrun",
          "next_dagrun_create_after",
          "next_dagrun_data_interval_start",
          "next_dagrun_data_interval_end",
          "next_dagrun_logical_date",
          "next_dagrun_run_after",
          "timetable_description",
          "latest_dag_version",
          "is_favorite",
          "render_template_as_native_obj",
          "is_paused_upon_creation",
          "concurrency",
          "max_active_tasks",
          "max_consecutive_failed_dag_runs",
          "owner_links");

  Draft draft() {
    Members members = Members.of(known()).ignoring(IGNORED);
    if (isFalse(members.text("is_active")) || isTrue(members.text("is_stale"))) {
      throw new NotCarried("it is not active: Airflow no longer finds it in its file");
    }
    Draft draft = new Draft(place, id, how.namespace(), id);
    String description = members.text("description");
    draft.describe(description == null ? "" : description);
    draft.document().put("program", Names.name(id));
    trigger(draft, members);
    draft.target(null, template(), how);
    concurrency(draft, members.text("max_active_runs"));
    tags(draft, members);
    draft.state(isFalse(either(members.text("paused"), members.text("is_paused"))));
    members.noteUnread(draft);
    return draft;
  }

  /** The members that have a value: Python's None and empty values count as missing. */
  private ObjectNode known() {
    ObjectNode known = Json.object();
    for (var member : dag.properties()) {
      JsonNode value = member.getValue();
      boolean isEmpty = value.isContainerNode() && value.isEmpty();
      if (!isEmpty && !value.asText("").equals("None")) {
        known.set(member.getKey(), value);
      }
    }
    return known;
  }

  private ObjectNode template() {
    return Json.object()
        .put("dag", Literals.escaped(id))
        .put("from", "${previousScheduledFor}")
        .put("to", "${scheduledFor}");
  }

  private void trigger(Draft draft, Members members) {
    Instant start = instant(members, "start_date");
    Instant last = instant(members, "end_date");
    // A DAG also runs at its end date.
    Instant end = last == null ? null : last.plusSeconds(1);
    if (end != null && !end.isAfter(how.now())) {
      throw new NotCarried("its end_date, " + last + ", has passed");
    }
    String catchup = members.text("catchup");
    draft.zone(zone(members.text("timezone")));
    Timetable timetable = timetable(members);
    ObjectNode trigger = timetable.trigger(start);
    draft.document().set("trigger", trigger);
    if (timetable.note() != null) {
      draft.note(timetable.note());
    }
    if (!trigger.path("type").asText().equals("manual")) {
      boolean isAll = isTrue(catchup);
      draft.document().putObject("catchUp").put("policy", isAll ? "all" : "latest");
      bound(draft, trigger, start, end);
    }
  }

  /** The timetable. Airflow 2 prints an interval and a summary, Airflow 3 only the summary. */
  private Timetable timetable(Members members) {
    String summary = members.text("timetable_summary");
    JsonNode interval = members.get("schedule_interval");
    if (!dag.has("timetable_summary") && !dag.has("schedule_interval")) {
      throw new NotCarried(
          "its timetable is missing; add the output of 'airflow dags details DAG -o json'");
    }
    if (interval.isObject()) {
      return Timetable.ofTyped(interval);
    }
    String text = interval.isMissingNode() ? summary : interval.asText();
    return text == null ? Timetable.MANUAL : Timetable.ofText(text.strip());
  }

  /**
   * Adds the bounds of the times. A start in the past has no effect, because Carillon does not
   * launch fires from before the creation of the schedule.
   */
  private void bound(
      Draft draft, ObjectNode trigger, @Nullable Instant start, @Nullable Instant end) {
    Instant from = start != null && start.isAfter(how.now()) ? start : null;
    if (from != null || end != null) {
      draft.note(
          "the dates limit the fires; Airflow 2 limits the intervals, and each run follows its"
              + " interval");
    }
    draft.bound(trigger, from, end);
  }

  private String zone(@Nullable String given) {
    if (given == null) {
      return how.zone() == null ? "UTC" : how.zone();
    }
    Matcher printed = ZONE.matcher(given);
    return printed.matches() ? printed.group(1) : given;
  }

  private static void concurrency(Draft draft, @Nullable String runs) {
    if (runs == null) {
      return;
    }
    if (!runs.matches("[1-9][0-9]{0,5}")) {
      throw new NotCarried("max_active_runs is not a number above 0: " + runs);
    }
    int most = Math.min(Integer.parseInt(runs), MOST_RUNS);
    ObjectNode document = draft.document();
    document.putArray("constraints").addObject().put("type", "concurrency").put("max", most);
    document.putObject("tracking");
    draft.note("max_active_runs needs a worker that reports the end of each run");
  }

  private static void tags(Draft draft, Members members) {
    ObjectNode tags = Json.object();
    String all = owners(members.get("owners"));
    String one = owners(members.get("owner"));
    String owners = all.isEmpty() ? one : all;
    if (!owners.isEmpty()) {
      tags.put("owner", owners);
    }
    for (JsonNode tag : members.get("tags")) {
      String given = tag.isTextual() ? tag.asText() : tag.path("name").asText("");
      String name = Names.name(given);
      if (!name.equals(given)) {
        draft.note("the tag \"" + given + "\" becomes \"" + name + "\"");
      }
      tags.put(name, "airflow");
    }
    if (!tags.isEmpty()) {
      draft.document().set("tags", tags);
    }
  }

  private static String owners(JsonNode owners) {
    return owners.isArray()
        ? StreamSupport.stream(owners.spliterator(), false)
            .map(JsonNode::asText)
            .collect(Collectors.joining(", "))
        : owners.asText("");
  }

  private static @Nullable Instant instant(Members members, String name) {
    String text = members.text(name);
    try {
      return text == null ? null : OffsetDateTime.parse(text.replace(' ', 'T')).toInstant();
    } catch (DateTimeException strange) {
      throw new NotCarried(name + " is not an instant: " + text);
    }
  }

  /** One of two members, because versions of Airflow print either of them, or both. */
  private static @Nullable String either(@Nullable String first, @Nullable String second) {
    return first == null ? second : first;
  }

  private static boolean isTrue(@Nullable String text) {
    return text != null && text.equalsIgnoreCase("true");
  }

  private static boolean isFalse(@Nullable String text) {
    return text != null && text.equalsIgnoreCase("false");
  }
}
