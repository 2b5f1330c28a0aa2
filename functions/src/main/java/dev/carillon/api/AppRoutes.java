package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.api.Members.Effect;
import dev.carillon.api.Members.Finding;
import dev.carillon.api.Members.Made;
import dev.carillon.app.App;
import dev.carillon.app.App.Lease;
import dev.carillon.app.Apps;
import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.id.AppId;
import dev.carillon.runtime.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Apps: deploy, read, delete. A deployment is no transaction: it takes the app for itself, makes
 * one schedule after another as wanted, and then stores that it has. If it dies, deploying again
 * does what is left.
 */
final class AppRoutes {

  private static final List<String> NO_OR_YES = List.of("false", "true");
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
    App app = required(call.appId());
    return Answer.of(200, AppView.of(app, members.existing(app.id(), candidates(app.id(), app))));
  }

  APIGatewayProxyResponseEvent put(Call call) {
    Deadline deadline = new Deadline(now().plus(Members.TIME_FOR_CHANGES), clock);
    AppId id = call.appId();
    Faults faults = new Faults();
    boolean dryRun =
        call.query(faults, List.of("dryRun"))
            .choice("dryRun", NO_OR_YES, List.of(), "false")
            .equals("true");
    JsonNode body = call.body(DeploymentRequest.MOST_BYTES);
    DeploymentRequest request = DeploymentRequest.read(id, body, faults);
    App stored = apps.find(id).orElse(null);
    Set<String> names = new LinkedHashSet<>(request.documents().keySet());
    names.addAll(candidates(id, stored));
    Set<String> deployedBefore = stored == null ? Set.of() : Set.copyOf(stored.schedules());
    List<Finding> findings = members.examine(request, names, deployedBefore, call.caller());
    refuse(faults, findings);
    if (dryRun) {
      return Answer.of(200, AppView.difference(effects(findings)));
    }
    App claimed = claimed(id, stored, request.documents().keySet(), call.caller());
    return releasing(
        claimed,
        () -> {
          Map<String, Made> made = carryOut(request, findings, call.caller(), deadline);
          Map<String, Effect> effects = effects(made);
          App deployed = deployed(claimed, request, effects, call.caller());
          ObjectNode view = AppView.of(deployed, present(effects));
          view.setAll(AppView.difference(effects));
          view.set("cancelled", cancelled(made).view());
          boolean first = stored == null || stored.deployedAt() == null;
          return Answer.of(first ? 201 : 200, view);
        });
  }

  APIGatewayProxyResponseEvent delete(Call call) {
    Deadline deadline = new Deadline(now().plus(Members.TIME_FOR_CHANGES), clock);
    App stored = required(call.appId());
    DeploymentRequest nothing = new DeploymentRequest(stored.id(), Set.of(), Map.of(), true);
    List<Finding> findings =
        members.examine(nothing, candidates(stored.id(), stored), Set.of(), call.caller());
    App claimed = claimed(stored.id(), stored, List.of(), call.caller());
    return releasing(
        claimed,
        () -> {
          Map<String, Made> made = carryOut(nothing, findings, call.caller(), deadline);
          if (!apps.delete(claimed)) {
            throw overtaken(claimed);
          }
          return Answer.empty(204, cancelled(made).header());
        });
  }

  private App required(AppId id) {
    return apps.find(id).orElseThrow(() -> Problem.notFound("no app " + id + " was deployed"));
  }

  /** The names of everything that may be the app's. */
  private Set<String> candidates(AppId id, @Nullable App stored) {
    Set<String> names = members.listed(id);
    if (stored != null) {
      names.addAll(stored.schedules());
    }
    return names;
  }

  /** Refuses what is wrong with the request, and then what does not go with what is stored. */
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
        .limit(Faults.MOST)
        .toList();
  }

  private static Map<String, Effect> effects(List<Finding> findings) {
    Map<String, Effect> effects = new TreeMap<>();
    findings.forEach(finding -> effects.put(finding.name(), finding.effect()));
    return effects;
  }

  /** Takes the app for oneself: of two that try, one is refused. */
  private App claimed(AppId id, @Nullable App stored, Collection<String> names, String by) {
    Instant now = now();
    Lease other = stored == null ? null : stored.leaseAt(now);
    if (other != null) {
      throw Problem.conflict(
          "%s changes the app %s since %s; try again when that has ended"
              .formatted(other.by(), id, other.since()),
          Duration.between(now, other.until()));
    }
    App claimed = App.claimed(id, stored, names, now, by);
    if (!apps.save(stored, claimed)) {
      throw Problem.conflict("another changes the app " + id + " at this moment; try again");
    }
    return claimed;
  }

  /** If the work fails, the next need not wait until the lease ends. */
  private APIGatewayProxyResponseEvent releasing(App claimed, Work work) {
    try {
      return work.answer();
    } catch (RuntimeException failure) {
      try {
        apps.save(claimed, claimed.released());
      } catch (RuntimeException unavailable) {
        LOG.warn("{} is free when its lease ends", claimed.id(), unavailable);
      }
      throw failure;
    }
  }

  @FunctionalInterface
  private interface Work {
    APIGatewayProxyResponseEvent answer();
  }

  private static Map<String, Effect> effects(Map<String, Made> made) {
    Map<String, Effect> effects = new TreeMap<>();
    made.forEach((name, one) -> effects.put(name, one.effect()));
    return effects;
  }

  private static Cancelled cancelled(Map<String, Made> made) {
    return made.values().stream().map(Made::cancelled).reduce(Cancelled.NONE, Cancelled::plus);
  }

  private Map<String, Made> carryOut(
      DeploymentRequest request, List<Finding> findings, String by, Deadline deadline) {
    Map<String, Made> made = new TreeMap<>();
    for (Effect effect : Effect.values()) {
      List<String> names =
          findings.stream()
              .filter(finding -> finding.effect() == effect)
              .map(Finding::name)
              .toList();
      if (effect == Effect.OVER) {
        names.forEach(name -> made.put(name, new Made(effect, Cancelled.NONE)));
      } else {
        made.putAll(members.carryOut(request, names, by, deadline));
      }
    }
    if (made.size() < findings.size()) {
      throw Problem.unavailable(
          "the time of a request is over, %d of %d schedules are as wanted; send the same again"
              .formatted(made.size(), findings.size()));
    }
    return made;
  }

  private App deployed(
      App claimed, DeploymentRequest request, Map<String, Effect> effects, String by) {
    // Those that are over are kept, so that they are known at the next deployment too.
    Set<String> schedules = present(effects);
    schedules.addAll(AppView.names(effects, Effect.OVER));
    App deployed = claimed.deployed(request.programs(), schedules, now(), by);
    if (!apps.save(claimed, deployed)) {
      throw overtaken(claimed);
    }
    return deployed;
  }

  /** The names of those that are there after a deployment. */
  private static Set<String> present(Map<String, Effect> effects) {
    return new TreeSet<>(AppView.names(effects, Effect.CREATED, Effect.REPLACED, Effect.UNCHANGED));
  }

  /** No refusal, which would have changed nothing: all may be done, and only its reply be lost. */
  private static Problem overtaken(App claimed) {
    return Problem.unavailable(
        "another has begun to change the app "
            + claimed.id()
            + " before this was answered; read it, or send the same again");
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
