package dev.carillon.ingest;

import dev.carillon.event.Event;
import dev.carillon.event.IngestQueue;
import dev.carillon.event.RejectedMessages;
import dev.carillon.event.RejectedMessages.Rejection;
import dev.carillon.event.Resend;
import dev.carillon.event.Resend.SearchAgain;
import dev.carillon.metrics.Metric;
import dev.carillon.metrics.Metrics;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages that a batch of events leads to: the remaining work, which goes to the ingest queue
 * again, and the rejected events. A received message can be acknowledged when all messages that it
 * led to were accepted.
 */
final class Outbox {

  /** The most messages that one request to SQS takes. */
  private static final int MOST_TOGETHER = 10;

  /**
   * How long after the deadline a request can still begin, so that it ends before the function
   * does.
   */
  private static final Duration GRACE = Duration.ofSeconds(1);

  /** The time after which an index shows all that was stored before an event was received. */
  private static final Duration LONGEST_LAG = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

  private final IngestQueue queue;
  private final RejectedMessages rejectedEvents;
  private final Fanout fanout;
  private final Metrics metrics;
  private final Deadline deadline;
  private final List<Item<String>> resends = new ArrayList<>();
  private final List<Item<String>> searches = new ArrayList<>();
  private final List<Item<Rejection>> rejections = new ArrayList<>();

  /**
   * @param deadline the deadline of the invocation. Messages can be sent in the reserve after it,
   *     even if the batch had to end earlier
   */
  Outbox(
      IngestQueue queue,
      RejectedMessages rejectedEvents,
      Fanout fanout,
      Metrics metrics,
      Deadline deadline) {
    this.queue = queue;
    this.rejectedEvents = rejectedEvents;
    this.fanout = fanout;
    this.metrics = metrics;
    this.deadline = deadline;
  }

  /** A message to send, and the received message that led to it. */
  private record Item<T>(String messageId, T content) {}

  /** The items of one request, and the received messages that led to them. */
  private record Parcel(Set<String> messageIds, Runnable sending) {}

  void resend(String messageId, List<Resend> rest) {
    rest.forEach(each -> resends.add(new Item<>(messageId, each.write())));
  }

  /**
   * Adds a message that searches again for the schedules of an event, once the index can no longer
   * lag.
   */
  void searchAgain(String messageId, Event event, Instant receivedAt) {
    Resend again = new Resend(event, new SearchAgain(), receivedAt);
    searches.add(new Item<>(messageId, again.write()));
  }

  void reject(String messageId, Rejection rejection) {
    rejections.add(new Item<>(messageId, rejection));
  }

  /**
   * Sends all items so far, except those of messages that will be received again anyway.
   *
   * @param failed the ids of the messages that will be received again; {@code send} adds the ids of
   *     the messages whose items were not accepted
   */
  void send(Set<String> failed) {
    resends.removeIf(resend -> failed.contains(resend.messageId()));
    searches.removeIf(search -> failed.contains(search.messageId()));
    List<Parcel> parcels = new ArrayList<>();
    parcels.addAll(parcels(resends, queue::send));
    parcels.addAll(parcels(searches, bodies -> queue.send(bodies, LONGEST_LAG)));
    parcels.addAll(parcels(rejections, this::reject));
    resends.clear();
    searches.clear();
    rejections.clear();
    fanout.forEach(
        parcels,
        parcel -> {
          if (!send(parcel)) {
            failed.addAll(parcel.messageIds());
          }
        });
  }

  private void reject(List<Rejection> batch) {
    rejectedEvents.reject(batch);
    metrics.add(Metric.EVENTS_REJECTED, batch.size());
  }

  private static <T> List<Parcel> parcels(List<Item<T>> items, Consumer<List<T>> sender) {
    List<Parcel> parcels = new ArrayList<>();
    for (int from = 0; from < items.size(); from += MOST_TOGETHER) {
      Set<String> messageIds = new HashSet<>();
      List<T> contents = new ArrayList<>();
      for (Item<T> item : items.subList(from, Math.min(items.size(), from + MOST_TOGETHER))) {
        messageIds.add(item.messageId());
        contents.add(item.content());
      }
      parcels.add(new Parcel(messageIds, () -> sender.accept(contents)));
    }
    return parcels;
  }

  /** Returns whether the request was accepted. */
  private boolean send(Parcel parcel) {
    if (deadline.hasPassedFor(GRACE)) {
      LOG.warn("no time left to send; messages {} will be received again", parcel.messageIds());
      return false;
    }
    try {
      parcel.sending().run();
      return true;
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "could not send; messages {} will be received again", parcel.messageIds(), unavailable);
      return false;
    }
  }
}
