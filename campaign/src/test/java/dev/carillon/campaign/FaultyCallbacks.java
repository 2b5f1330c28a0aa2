package dev.carillon.campaign;

import dev.carillon.campaign.FaultyPorts.Around;
import dev.carillon.campaign.scenario.CallbackScenarios;
import dev.carillon.campaign.system.FunctionName;
import dev.carillon.campaign.system.Tampering;
import dev.carillon.checker.CheckMessages;
import dev.carillon.checker.CheckMessages.Message;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.launch.LaunchRequest;
import dev.carillon.launch.TargetQueues;
import dev.carillon.launch.TargetQueues.Outcome;
import dev.carillon.launch.TargetQueues.Sent;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Functions that mistake the callbacks of jobs. */
final class FaultyCallbacks {

  private FaultyCallbacks() {}

  /** A callback counts as sent before it is sent: a crash in between loses it. */
  static final class StoredFirst implements Tampering {
    private final List<LaunchRequest> unsent = new ArrayList<>();
    private @Nullable TargetQueues targets;

    @Override
    public Set<String> check(CheckMessages messages, List<Message> batch, Deadline deadline) {
      unsent.clear();
      return messages.handle(batch, deadline);
    }

    @Override
    public TargetQueues targets(FunctionName function, TargetQueues real) {
      targets = real;
      return Around.of(TargetQueues.class, real)
          .replace("send", arguments -> sent(real, Around.list(arguments[0])))
          .port();
    }

    private List<Outcome> sent(TargetQueues real, List<LaunchRequest> requests) {
      if (requests.stream().noneMatch(LaunchRequest::isCallback)) {
        return real.send(requests);
      }
      unsent.addAll(requests);
      return requests.stream().<Outcome>map(request -> new Sent()).toList();
    }

    @Override
    public Jobs jobs(FunctionName function, Jobs real) {
      return Around.of(Jobs.class, real)
          .<List<Optional<Job>>>after(
              "update",
              stored -> {
                List<LaunchRequest> now = List.copyOf(unsent);
                unsent.clear();
                if (targets != null && !now.isEmpty()) {
                  targets.send(now);
                }
                return stored;
              })
          .port();
    }
  }

  /** A job calls back as soon as it is launched. */
  static TargetQueues callingEarly(TargetQueues real) {
    return Around.of(TargetQueues.class, real)
        .before(
            "send",
            arguments ->
                Around.<LaunchRequest>list(arguments[0]).stream()
                    .filter(request -> !request.isCallback())
                    .filter(it -> CallbackScenarios.wants(it.job().schedule().name()))
                    .forEach(request -> real.send(List.of(early(request)))))
        .port();
  }

  private static LaunchRequest early(LaunchRequest launch) {
    return new LaunchRequest(
        launch.job(),
        launch.attempt(),
        true,
        launch.queueArn(),
        "{\"how\":\"LAUNCHED\"}",
        Map.of(
            "carillon-job-id",
            launch.job().toString(),
            "carillon-attempt",
            String.valueOf(launch.attempt()),
            "carillon-outcome",
            "LAUNCHED"),
        null);
  }

  /** The definition of a generation that ends is not kept. */
  static Schedules forgettingFormer(Schedules real) {
    return Around.of(Schedules.class, real)
        .replace("save", arguments -> real.save(withoutFormer((Change) arguments[0])))
        .port();
  }

  private static Change withoutFormer(Change change) {
    return new Change(
        change.before(),
        change.after(),
        change.definition(),
        change.staleKeys(),
        change.keys(),
        change.timers());
  }

  /** A callback that was refused is sent again as that of another attempt. */
  static Job renumbered(Job before, Job after) {
    boolean isRefused = before.isEnded() && after.callbackAt() != null;
    return isRefused ? FaultyRuns.with(after, after.attempt() + 1, after.run()) : after;
  }

  /** A callback that was refused is given up. */
  static Job givenUp(Job before, Job after) {
    return after.callbackAt() == null ? after : after.concluded();
  }
}
