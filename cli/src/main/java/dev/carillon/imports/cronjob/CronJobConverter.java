package dev.carillon.imports.cronjob;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.imports.Conversion;
import dev.carillon.imports.Converter;
import dev.carillon.imports.Documents;
import dev.carillon.imports.Outcome;
import dev.carillon.imports.Outcome.LeftOut;
import dev.carillon.imports.Outcomes;
import dev.carillon.imports.Place;
import dev.carillon.imports.Source;
import dev.carillon.imports.UnreadableSource;
import java.util.ArrayList;
import java.util.List;

/** Converts the CronJobs of YAML or JSON manifests, including lists. */
public final class CronJobConverter implements Converter {

  @Override
  public List<Outcome> convert(List<Source> sources, Conversion how) {
    List<Outcome> outcomes = new ArrayList<>();
    for (Source source : sources) {
      Documents documents = Documents.yaml(source);
      for (JsonNode manifest : manifests(documents)) {
        outcomes.add(outcome(documents.place(manifest), manifest, how));
      }
    }
    return Outcomes.distinct(outcomes);
  }

  /** The manifests, with each list replaced by its items. */
  private static List<JsonNode> manifests(Documents documents) {
    List<JsonNode> manifests = new ArrayList<>();
    for (JsonNode root : documents.roots()) {
      if (root.path("items").isArray() && root.path("kind").asText().endsWith("List")) {
        root.path("items").forEach(manifests::add);
        refuseNext(documents, root);
      } else {
        manifests.add(root);
      }
    }
    return manifests;
  }

  /** Refuses a page of several, because the CronJobs of the other pages are missing. */
  private static void refuseNext(Documents documents, JsonNode list) {
    if (!list.path("metadata").path("continue").asText("").isEmpty()) {
      throw new UnreadableSource(
          documents.place(list), "it is one page of several; list without a limit");
    }
  }

  private static Outcome outcome(Place place, JsonNode manifest, Conversion how) {
    String kind = manifest.path("kind").asText("");
    String version = manifest.path("apiVersion").asText("");
    JsonNode metadata = manifest.path("metadata");
    String item =
        "%s %s/%s"
            .formatted(
                kind.isEmpty() ? "a document" : kind,
                metadata.path("namespace").asText(how.namespace()),
                metadata.path("name").asText("?"));
    // A CronJobList may leave out the kind of its items.
    boolean isCronJob = kind.equals("CronJob") || (kind.isEmpty() && isLikeCronJob(manifest));
    if (!isCronJob || !(version.isEmpty() || version.startsWith("batch/"))) {
      return new LeftOut(place, item, "it is not a CronJob of the API batch/v1");
    }
    return Outcomes.of(place, item, () -> new CronJobDocument(place, item, manifest, how).draft());
  }

  private static boolean isLikeCronJob(JsonNode manifest) {
    return manifest.path("spec").has("schedule") && manifest.path("spec").has("jobTemplate");
  }
}
