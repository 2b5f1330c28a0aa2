package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.RunCall.Kind;
import java.util.List;

/**
 * Finds the messages of the report queue that certainly had no effect, because their claim had
 * ended when they were sent. The queue gives no answer, so this is concluded from the other calls
 * and the launches.
 */
final class StaleMessages {

  private static final String STALE = "stale-claim";

  private StaleMessages() {}

  /** The calls of a job, in which such messages are marked as refused. */
  static List<RunCall> refused(List<RunCall> calls, List<Launch> launches) {
    return calls.stream()
        .map(call -> isRefused(call, calls, launches) ? call.refused(STALE) : call)
        .toList();
  }

  private static boolean isRefused(RunCall call, List<RunCall> calls, List<Launch> launches) {
    return call.queued() != null && isStale(call, calls, launches);
  }

  /** Whether the claim of a report had certainly ended when the report was sent. */
  static boolean isStale(RunCall call, List<RunCall> calls, List<Launch> launches) {
    List<RunCall> claims =
        calls.stream().filter(it -> it.kind() == Kind.CLAIM && it.isAccepted()).toList();
    List<RunCall> own = claims.stream().filter(it -> it.token().equals(call.token())).toList();
    if (own.isEmpty()) {
      return true;
    }
    int attempt = own.get(0).attempt();
    long by = own.stream().mapToLong(RunCall::returned).min().orElse(0);
    return launches.stream()
            .map(Launch::arrival)
            .anyMatch(it -> it.attempt() > attempt && it.at() < call.called())
        || claims.stream()
            .filter(it -> !it.token().equals(call.token()) && it.called() > by)
            .anyMatch(it -> it.returned() < call.called())
        || calls.stream().anyMatch(it -> ends(it, call));
  }

  /** Whether another kind of report had certainly ended the claim before. */
  private static boolean ends(RunCall end, RunCall call) {
    return end.isEnd()
        && end.isAccepted()
        && end.token().equals(call.token())
        && end.kind() != call.kind()
        && end.returned() < call.called();
  }
}
