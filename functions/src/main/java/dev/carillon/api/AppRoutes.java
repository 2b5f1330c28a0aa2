package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.api.Members.Applied;
import dev.carillon.api.Members.Effect;
import dev.carillon.api.Members.Finding;
import dev.carillon.app.App;
import dev.carillon.app.App.Lease;
import dev.carillon.app.Apps;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.id.AppId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.runtime.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deploys, reads and deletes apps. A deployment is not a transaction: it leases the app, changes
 * one schedule after another, and then stores the result. If it crashes, the next deployment of the
 * same request completes it.
 */
final class AppRoutes {

  private static final Set<Effect> CHANGES =
      EnumSet.of(Effect.CREATED, Effect.REPLACED, Effect.DELETED);
  private static final Logger LOG = LoggerFactory.getLogger(AppRoutes.class);

  private final Apps apps;
  private final Members members;
  private final InstantSource clock;

  AppRoutes(Apps apps, Members members, InstantSource clock) {
    this.apps = apps;
    this.members = members;
    this.clock = clock;
  }

  APIGatewayProxyResponseEvent get(Call call) {
    App app = required(call.appId(), apps.find(call.appId()).orElse(null));
    return Answer.of(200, AppView.of(app, members.names(app.id())));
  }

  APIGatewayProxyResponseEvent put(Call call) {
    Deadline deadline = new Deadline(now().plus(Members.TIME_FOR_CHANGES), clock);
    AppId id = call.appId();
    Faults faults = new Faults();
    boolean dryRun = call.isDryRun(faults);
    JsonNode body = call.body(DeploymentRequest.MOST_BYTES);
    DeploymentRequest request = DeploymentRequest.read(id, body, faults);
    Found found = found(id);
    App stored = found.app();
    Set<String> names = new LinkedHashSet<>(request.documents().keySet());
    names.addAll(members.names(id));
    List<Finding> findings = members.examine(request, names, stored, call.caller());
    refuse(faults, findings);
    if (dryRun) {
      return Answer.of(200, AppView.difference(effects(findings)));
    }
    App claimed = claimed(id, found, request.documents().keySet(), call.caller());
    return releasing(
        claimed,
        () -> {
          Map<String, Applied> made = carryOut(request, findings, call.caller(), deadline);
          Map<String, Effect> effects = effects(made);
          App deployed = deployed(claimed, request, effects, call.caller());
          conclude(claimed, made, () -> apps.save(claimed, deployed));
          ObjectNode view = AppView.of(deployed, present(effects));
          view.setAll(AppView.difference(effects));
          view.set("cancelled", cancelled(made).view());
          boolean first = stored == null || stored.deployedAt() == null;
          return Answer.of(first ? 201 : 200, view);
        });
  }

  APIGatewayProxyResponseEvent delete(Call call) {
    Deadline deadline = new Deadline(now().plus(Members.TIME_FOR_CHANGES), clock);
    AppId id = call.appId();
    Found found = found(id);
    if (!found.isUnreadable()) {
      required(id, found.app());
    }
    DeploymentRequest nothing = new DeploymentRequest(id, Set.of(), Map.of(), true);
    List<Finding> findings = members.examine(nothing, members.names(id), null, call.caller());
    App claimed = claimed(id, found, List.of(), call.caller());
    return releasing(
        claimed,
        () -> {
          Map<String, Applied> made = carryOut(nothing, findings, call.caller(), deadline);
          conclude(claimed, made, () -> apps.delete(claimed));
          return Answer.empty(204, cancelled(made).header());
        });
  }

  private static App required(AppId id, @Nullable App stored) {
    if (stored == null) {
      throw Problem.notFound("there is no app " + id + "; deploy it first");
    }
    return stored;
  }

  /**
   * What is stored under a name.
   *
   * @param app null if there is none that can be read
   */
  private record Found(@Nullable App app, boolean isUnreadable) {}

  private Found found(AppId id) {
    try {
      return new Found(apps.find(id).orElse(null), false);
    } catch (UnreadableItems damaged) {
      return new Found(null, true);
    }
  }

  /**
   * Throws the faults of the request. If it has none, throws its conflicts with stored schedules.
   */
  private static void refuse(Faults faults, List<Finding> findings) {
    List<Problem> refusals =
        findings.stream().flatMap(finding -> Stream.ofNullable(finding.refusal())).toList();
    ofStatus(refusals, 400).forEach(fault -> faults.add(fault.pointer(), fault.detail()));
    Problem.refuse(faults);
    if (!refusals.isEmpty()) {
      throw Problem.conflict(ofStatus(refusals, 409));
    }
  }

  private static List<Fault> ofStatus(List<Problem> refusals, int status) {
    return refusals.stream()
        .filter(refusal -> refusal.status() == status)
        .flatMap(refusal -> refusal.faults().stream())
        .toList();
  }

  private static Map<String, Effect> effects(List<Finding> findings) {
    Map<String, Effect> effects = new TreeMap<>();
    findings.forEach(finding -> effects.put(finding.name(), finding.effect()));
    return effects;
  }

  /** Leases the app. Of two concurrent deployments, one is refused. */
  private App claimed(AppId id, Found found, Collection<String> names, String by) {
    Instant now = now();
    App stored = found.app();
    Lease other = stored == null ? null : stored.leaseAt(now);
    if (other != null) {
      throw Problem.concurrent(
          "%s began to change the app %s at %s; try again when that change has ended"
              .formatted(other.by(), id, ScheduleView.text(other.since())),
          Duration.between(now, other.until()));
    }
    App claimed = App.claimed(id, stored, names, now, by);
    if (!(found.isUnreadable() ? apps.overwrite(claimed) : apps.save(stored, claimed))) {
      throw Problem.concurrent(
          "the app " + id + " was changed by another request at the same time; try again");
    }
    return claimed;
  }

  /**
   * Runs the work. If it fails, releases the lease, so that the next deployment does not have to
   * wait until the lease expires.
   */
  private APIGatewayProxyResponseEvent releasing(App claimed, Work work) {
    try {
      return work.answer();
    } catch (RuntimeException failure) {
      try {
        apps.save(claimed, claimed.released());
      } catch (RuntimeException unavailable) {
        LOG.warn(
            "the lease of the app {} could not be released; it expires by itself",
            claimed.id(),
            unavailable);
      }
      throw failure;
    }
  }

  @FunctionalInterface
  private interface Work {
    APIGatewayProxyResponseEvent answer();
  }

  private static Map<String, Effect> effects(Map<String, Applied> made) {
    Map<String, Effect> effects = new TreeMap<>();
    made.forEach((name, one) -> effects.put(name, one.effect()));
    return effects;
  }

  private static Cancelled cancelled(Map<String, Applied> made) {
    return made.values().stream().map(Applied::cancelled).reduce(Cancelled.NONE, Cancelled::plus);
  }

  private Map<String, Applied> carryOut(
      DeploymentRequest request, List<Finding> findings, String by, Deadline deadline) {
    ConcurrentMap<String, Applied> made = new ConcurrentSkipListMap<>();
    for (Effect effect : Effect.values()) {
      List<String> names =
          findings.stream()
              .filter(finding -> finding.effect() == effect)
              .map(Finding::name)
              .toList();
      if (effect == Effect.SELF_DELETED) {
        names.forEach(name -> made.put(name, new Applied(effect, Cancelled.NONE)));
      } else {
        try {
          members.carryOut(request, names, by, deadline, made);
        } catch (RuntimeException failure) {
          throw incomplete(failure, made.values(), findings.size());
        }
      }
    }
    if (made.size() < findings.size()) {
      throw Problem.unavailable(
          "%d of %d schedules were changed within the time limit of a request; send the same request again"
              .formatted(made.size(), findings.size()));
    }
    return made;
  }

  private static RuntimeException incomplete(
      RuntimeException failure, Collection<Applied> made, int all) {
    long changed = made.stream().filter(one -> CHANGES.contains(one.effect())).count();
    return Incomplete.after(changed, all, "changed", failure);
  }

  /** Stores or deletes the app after the changes of its schedules. */
  private static void conclude(App claimed, Map<String, Applied> made, BooleanSupplier save) {
    boolean isSaved;
    try {
      isSaved = save.getAsBoolean();
    } catch (RuntimeException failure) {
      throw incomplete(failure, made.values(), made.size());
    }
    if (!isSaved) {
      throw overtaken(claimed);
    }
  }

  private App deployed(
      App claimed, DeploymentRequest request, Map<String, Effect> effects, String by) {
    // Schedules that deleted themselves stay listed, so that the next deployment recognises them.
    Set<String> schedules = present(effects);
    schedules.addAll(AppView.names(effects, Effect.SELF_DELETED));
    return claimed.deployed(request.programs(), schedules, now(), by);
  }

  /** The names of the schedules that exist after a deployment. */
  private static Set<String> present(Map<String, Effect> effects) {
    return new TreeSet<>(AppView.names(effects, Effect.CREATED, Effect.REPLACED, Effect.UNCHANGED));
  }

  /**
   * A 5xx, because a 4xx would say that nothing has changed. This deployment may have succeeded: if
   * only the store's answer was lost, the stored app looks the same.
   */
  private static Problem overtaken(App claimed) {
    return Problem.unavailable(
        "the app "
            + claimed.id()
            + " was changed by another request before this one ended; read the app, or send the same"
            + " request again");
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
