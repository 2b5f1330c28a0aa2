package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfill.Order;
import dev.carillon.backfill.Backfill.State;
import dev.carillon.document.Json;
import dev.carillon.job.JobState;
import dev.carillon.schedule.Head;
import dev.carillon.time.Timestamps;
import java.util.Arrays;

/** The JSON form of a backfill. */
final class BackfillView {

  private BackfillView() {}

  /**
   * @param head the head of its schedule. A change of the definition cancels the backfill; the view
   *     shows this even before a check stores it
   */
  static ObjectNode of(Backfill backfill, Head head) {
    Order order = backfill.order();
    boolean isWanted = head.wantsJob(order.generation(), order.activation());
    boolean isRunning = backfill.state() == State.RUNNING && isWanted;
    boolean isCancelPending = backfill.state() == State.RUNNING && !isWanted;
    ObjectNode view =
        Json.object()
            .put("backfillId", backfill.id().name())
            .put("namespace", head.id().namespace())
            .put("schedule", head.id().name())
            .put("generation", order.generation())
            .put("state", (isCancelPending ? State.CANCELLED : backfill.state()).name())
            .put("reason", isCancelPending ? Backfill.NOT_WANTED : backfill.reason())
            .put("from", Timestamps.text(order.from()))
            .put("to", Timestamps.text(order.to()))
            .put("concurrency", order.concurrency())
            .put("fires", order.fires())
            .put("launched", backfill.taken())
            .put("unfinished", backfill.open().size());
    ObjectNode ended = view.putObject("ended");
    Arrays.stream(JobState.values())
        .filter(JobState::isEnd)
        .forEach(end -> ended.put(end.name(), backfill.ended().getOrDefault(end, 0L)));
    return view.put("next", isRunning ? ScheduleView.text(backfill.next()) : null)
        .put("askedAt", Timestamps.text(order.at()))
        .put("askedBy", order.by())
        .put("endedAt", ScheduleView.text(backfill.endedAt()));
  }
}
