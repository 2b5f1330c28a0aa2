package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.job.Callback;
import dev.carillon.job.Job;

/** Shows the callback of a job as JSON and as a sentence. */
final class CallbackView {

  private CallbackView() {}

  static ObjectNode of(Callback callback, Job job) {
    return Json.object()
        .put("sentAt", ScheduleView.text(callback.sentAt()))
        .put("refusals", callback.refusals())
        .put("trouble", callback.trouble())
        .put("nextTry", ScheduleView.text(job.callbackAt()));
  }

  /** What an explanation adds about the callback; empty if there is nothing to say. */
  static String sentence(Job job) {
    Callback callback = job.callback();
    if (callback == null || !job.isEnded()) {
      return "";
    }
    if (callback.sentAt() != null) {
      return "; its callback was accepted at " + ScheduleView.text(callback.sentAt());
    }
    if (job.callbackAt() != null) {
      return "; its callback was refused: %s; the next attempt is at %s"
          .formatted(callback.trouble(), ScheduleView.text(job.callbackAt()));
    }
    return callback.trouble() == null
        ? "; its callback is being sent"
        : "; its callback can never be sent: " + callback.trouble();
  }
}
