package dev.carillon.ingest;

import dev.carillon.check.Shared;
import dev.carillon.event.IngestQueue;
import dev.carillon.event.RejectedMessages;
import dev.carillon.metrics.Metrics;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Processes a batch of events. Each schedule counts all events that concern it in one change, in
 * the order of their arrival. Then the runs that the events report on are ended. A message is
 * acknowledged when all its events are processed, or when further messages that name the remaining
 * work were accepted.
 */
public final class Ingest {

  /**
   * From this receive on, a message is suspect: it is processed after the others and alone, because
   * it can be the cause of the failures.
   */
  static final int ALONE_RECEIVES = 3;

  /**
   * How many suspect messages one invocation processes alone at most; it takes those that were
   * received most often. After an outage there are very many suspect messages, although none of
   * them is the cause.
   */
  static final int MOST_ALONE = 5;

  private final ScheduleSearch search;
  private final CountPass counting;
  private final RunEnds runEnds;
  private final IngestQueue queue;
  private final RejectedMessages rejectedEvents;
  private final InstantSource clock;
  private final Fanout fanout;
  private final Metrics metrics;

  public Ingest(
      Shared shared,
      RejectedMessages rejectedEvents,
      InstantSource clock,
      Fanout fanout,
      Metrics metrics) {
    this.search = new ScheduleSearch(shared.schedules(), fanout);
    this.counting =
        new CountPass(
            shared.schedules(), shared.definitions(), new ScheduleCounts(shared, clock), fanout);
    this.runEnds = new RunEnds(shared, clock);
    this.queue = shared.ingest();
    this.rejectedEvents = rejectedEvents;
    this.clock = clock;
    this.fanout = fanout;
    this.metrics = metrics;
  }

  /**
   * One message as it was received.
   *
   * @param namespace the only namespace whose events the message's queue accepts, whatever the
   *     message says; empty if the queue accepts events of any namespace
   * @param receives how often it was received, this time included
   */
  public record Received(String messageId, String body, Optional<String> namespace, int receives) {

    /** A message of the queue that accepts events of any namespace, received for the first time. */
    public Received(String messageId, String body) {
      this(messageId, body, Optional.empty(), 1);
    }
  }

  /** Processes the messages and returns the ids of those that must be received again. */
  public Set<String> handle(List<Received> messages, Deadline deadline) {
    List<Received> suspects =
        messages.stream()
            .filter(message -> message.receives() >= ALONE_RECEIVES)
            .sorted(Comparator.comparing(Received::receives))
            .toList();
    int alone = Math.max(0, suspects.size() - MOST_ALONE);
    List<List<Received>> groups = new ArrayList<>();
    groups.add(messages.stream().filter(it -> it.receives() < ALONE_RECEIVES).toList());
    groups.add(suspects.subList(0, alone));
    suspects.subList(alone, suspects.size()).forEach(one -> groups.add(List.of(one)));
    groups.removeIf(List::isEmpty);
    Set<String> failed = new HashSet<>();
    for (int group = 0; group < groups.size(); group++) {
      int left = groups.size() - group;
      Deadline end = group == 0 && left > 1 ? deadline.after(1, 2) : deadline.after(1, left);
      Outbox outbox = new Outbox(queue, rejectedEvents, fanout, metrics, deadline);
      failed.addAll(process(groups.get(group), new EventBatch(outbox, end, clock.instant())));
    }
    return failed;
  }

  private Set<String> process(List<Received> messages, EventBatch batch) {
    messages.forEach(message -> batch.parse(message));
    batch.findSchedules(search);
    CountPass.Result result = batch.count(counting);
    batch.settle(result);
    batch.endRuns(runEnds);
    batch.send();
    batch.report(result, metrics);
    return batch.failed();
  }
}
