package dev.carillon.ingest;

import dev.carillon.event.Resend;
import dev.carillon.ingest.RejectedEvents.Rejection;
import dev.carillon.metrics.Metric;
import dev.carillon.metrics.Metrics;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is made of a batch of messages and goes into queues: what is left to do about events, and
 * what is no event. A message may be acknowledged when all that was made of it was accepted.
 */
final class Outbox {

  /** What one request takes. */
  private static final int MOST_TOGETHER = 10;

  /** How long after the deadline a request may begin: the last one has to end, too. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

  private final IngestQueue queue;
  private final RejectedEvents rejectedEvents;
  private final Fanout fanout;
  private final Metrics metrics;
  private final List<Item<String>> resends = new ArrayList<>();
  private final List<Item<Rejection>> rejections = new ArrayList<>();

  Outbox(IngestQueue queue, RejectedEvents rejectedEvents, Fanout fanout, Metrics metrics) {
    this.queue = queue;
    this.rejectedEvents = rejectedEvents;
    this.fanout = fanout;
    this.metrics = metrics;
  }

  /** Something that was made of a message. */
  private record Item<T>(String messageId, T content) {}

  /** Items that go out together, and what they were made of. */
  private record Parcel(Set<String> messageIds, Runnable sending) {}

  void resend(String messageId, List<Resend> rest) {
    rest.forEach(each -> resends.add(new Item<>(messageId, each.write())));
  }

  void reject(String messageId, Rejection rejection) {
    rejections.add(new Item<>(messageId, rejection));
  }

  /**
   * Sends all but what was made of messages that come again by themselves.
   *
   * @param again the ids of those messages; takes the ids of those of which something was not
   *     accepted
   */
  void send(Set<String> again, Deadline deadline) {
    resends.removeIf(resend -> again.contains(resend.messageId()));
    List<Parcel> parcels = new ArrayList<>();
    parcels.addAll(parcels(resends, queue::send));
    parcels.addAll(parcels(rejections, this::reject));
    fanout.forEach(
        parcels,
        parcel -> {
          if (!send(parcel, deadline)) {
            again.addAll(parcel.messageIds());
          }
        });
  }

  private void reject(List<Rejection> some) {
    rejectedEvents.reject(some);
    metrics.add(Metric.EVENTS_REJECTED, some.size());
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

  /**
   * @return whether it was accepted
   */
  private static boolean send(Parcel parcel, Deadline deadline) {
    if (deadline.hasPassedFor(GRACE)) {
      LOG.warn("no time is left; messages {} come again", parcel.messageIds());
      return false;
    }
    try {
      parcel.sending().run();
      return true;
    } catch (RuntimeException unavailable) {
      LOG.warn("messages {} come again", parcel.messageIds(), unavailable);
      return false;
    }
  }
}
