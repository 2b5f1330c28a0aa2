package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.RunCall.Kind;
import java.util.List;

/**
 * Finds the refused reports of an end that may have been carried out. If the store's reply was
 * lost, the report is repeated. It then finds its own end, except if a later claim has ended
 * meanwhile, because the job keeps only the last end.
 */
final class ForgottenEnds {

  private static final String STALE = "stale-claim";

  private ForgottenEnds() {}

  /**
   * The calls of a job, in which such reports are marked as unanswered.
   *
   * @param faultsTo the instant after which no reply of the store is lost to a new call
   */
  static List<RunCall> unanswered(List<RunCall> calls, long faultsTo) {
    return calls.stream()
        .map(call -> mayBeForgotten(call, calls, faultsTo) ? call.unanswered() : call)
        .toList();
  }

  private static boolean mayBeForgotten(RunCall call, List<RunCall> calls, long faultsTo) {
    return call.isEnd()
        && call.queued() == null
        && call.isRefusedAs(STALE)
        && call.called() <= faultsTo
        && calls.stream()
            .filter(it -> it.isEnd() && it.mayBeAccepted() && it.called() <= call.returned())
            .filter(it -> !it.token().equals(call.token()))
            .anyMatch(end -> isOfLaterClaim(end, call, calls));
  }

  private static boolean isOfLaterClaim(RunCall end, RunCall call, List<RunCall> calls) {
    return calls.stream()
        .filter(it -> it.kind() == Kind.CLAIM && it.token().equals(end.token()))
        .anyMatch(it -> it.called() >= call.called());
  }
}
