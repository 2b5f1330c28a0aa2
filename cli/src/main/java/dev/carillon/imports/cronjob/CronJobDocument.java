package dev.carillon.imports.cronjob;

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
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The schedule of a CronJob. */
record CronJobDocument(Place place, String item, JsonNode manifest, Conversion how) {

  private static final List<String> OF_KUBERNETES =
      List.of(
          "uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink");

  /** The copy of the manifest that kubectl keeps. */
  private static final String OF_KUBECTL = "kubectl.kubernetes.io/last-applied-configuration";

  private static final long SHORTEST_WINDOW = 60;
  private static final long USUAL_BACKOFF_LIMIT = 6;
  private static final long MOST_ATTEMPTS = 100;
  private static final Duration LONGEST_RUN = Duration.ofDays(14);

  Draft draft() {
    Members metadata = metadata();
    String name = metadata.required("name");
    String namespace = metadata.text("namespace");
    Draft draft = new Draft(place, item, namespace == null ? how.namespace() : namespace, name);
    tags(draft, metadata.get("labels"));
    Members spec = Members.of(manifest.path("spec"));
    trigger(draft, spec);
    JsonNode job = spec.get("jobTemplate");
    draft.target(null, template(name, namespace, job), how);
    Duration deadline = deadline(draft, spec.whole("startingDeadlineSeconds"));
    concurrency(draft, spec.text("concurrencyPolicy"), job.path("spec"), deadline);
    draft.state(!spec.isTrue("suspend"));
    metadata.noteUnread(draft);
    spec.noteUnread(draft);
    return draft;
  }

  /** The metadata, without the members that Kubernetes and kubectl add to every object. */
  private Members metadata() {
    Members metadata = Members.of(manifest).object("metadata").ignoring(OF_KUBERNETES);
    JsonNode annotations = manifest.path("metadata").path("annotations");
    boolean isOnlyKubectls = annotations.size() == 1 && annotations.has(OF_KUBECTL);
    return isOnlyKubectls ? metadata.ignoring(List.of("annotations")) : metadata;
  }

  private static void tags(Draft draft, JsonNode labels) {
    if (labels.isEmpty()) {
      return;
    }
    ObjectNode tags = draft.document().putObject("tags");
    for (var label : labels.properties()) {
      String value = label.getValue().asText();
      String tag = Names.name(label.getKey());
      if (value.isEmpty() || tags.has(tag)) {
        draft.note(
            "the label " + label.getKey() + " is not a valid tag: it is empty or repeats a name");
      } else {
        tags.put(tag, value);
      }
      if (!tag.equals(label.getKey())) {
        draft.note("the label " + label.getKey() + " becomes the tag " + tag);
      }
    }
  }

  private void trigger(Draft draft, Members spec) {
    CronJobTime time = CronJobTime.of(spec.required("schedule"), spec.text("timeZone"));
    if (time.every() != null) {
      draft.trigger("rate").put("every", time.every().toString());
      draft.note("@every counts from the creation of the schedule");
      return;
    }
    String zone = time.zone() == null ? how.zone() : time.zone();
    if (zone == null) {
      draft.note("without timeZone Kubernetes uses that of its controller; UTC is taken");
    }
    draft.zone(zone == null ? "UTC" : zone);
    ObjectNode cron = draft.trigger("cron");
    cron.put("dialect", "unix").put("expression", time.expression());
    // The library of Kubernetes skips a time that does not exist, and fires twice at a time that
    // occurs twice.
    cron.putObject("dst").put("gap", "skip").put("overlap", "both");
  }

  /** The Job, which a worker can create unchanged. */
  private static JsonNode template(String name, @Nullable String namespace, JsonNode jobTemplate) {
    if (!jobTemplate.path("spec").isObject()) {
      throw new NotCarried("spec.jobTemplate.spec is missing");
    }
    ObjectNode metadata = Json.object();
    if (jobTemplate.path("metadata") instanceof ObjectNode given) {
      metadata.setAll(given);
    }
    metadata.put("generateName", name + "-");
    if (namespace != null) {
      metadata.put("namespace", namespace);
    }
    ObjectNode job = Json.object().put("apiVersion", "batch/v1").put("kind", "Job");
    job.set("metadata", metadata);
    job.set("spec", jobTemplate.path("spec"));
    return Literals.escaped(job);
  }

  /** How late a run may start. Kubernetes starts only the last of the missed runs. */
  private static @Nullable Duration deadline(Draft draft, @Nullable Long seconds) {
    ObjectNode catchUp = draft.document().putObject("catchUp").put("policy", "latest");
    if (seconds == null) {
      return null;
    }
    if (seconds < SHORTEST_WINDOW) {
      draft.note("startingDeadlineSeconds " + seconds + " becomes 60, the shortest window");
    }
    Duration deadline = Duration.ofSeconds(Math.max(seconds, SHORTEST_WINDOW));
    catchUp.put("window", deadline.toString());
    return deadline;
  }

  /**
   * With Forbid, all runs that become due during another run are merged into one. Kubernetes starts
   * the merged run when the other run ends, unless the deadline for the start has passed.
   */
  private static void concurrency(
      Draft draft, @Nullable String policy, JsonNode job, @Nullable Duration deadline) {
    switch (policy == null ? "Allow" : policy) {
      case "Allow" -> draft.note("the worker keeps backoffLimit and the deadlines of the Job");
      case "Forbid" -> forbid(draft, job, deadline);
      case "Replace" ->
          throw new NotCarried(
              "concurrencyPolicy Replace ends a run to start another, but no constraint can end a"
                  + " run; choose Allow or Forbid");
      default -> throw new NotCarried("concurrencyPolicy " + policy + " is unknown");
    }
  }

  private static void forbid(Draft draft, JsonNode job, @Nullable Duration deadline) {
    ObjectNode document = draft.document();
    document.putArray("constraints").addObject().put("type", "concurrency").put("max", 1);
    document.put("whilePending", "merge");
    if (deadline != null) {
      document.putObject("timeout").put("after", deadline.toString()).put("action", "discard");
    }
    Duration active = Duration.ofSeconds(job.path("activeDeadlineSeconds").asLong(Long.MAX_VALUE));
    boolean fits = active.compareTo(LONGEST_RUN) <= 0;
    document.putObject("tracking").put("runTimeout", (fits ? active : LONGEST_RUN).toString());
    long attempts = job.path("backoffLimit").asLong(USUAL_BACKOFF_LIMIT) + 1;
    document
        .putObject("retry")
        .put("maxAttempts", Math.min(attempts, MOST_ATTEMPTS))
        .put("backoff", "PT10S")
        .put("maxBackoff", "PT10M");
    draft.note(
        "Forbid needs a worker that reports the end of each run; Carillon retries failed runs");
    if (!fits) {
      draft.note("a run may take 14 days, the longest that Carillon waits");
    }
  }
}
