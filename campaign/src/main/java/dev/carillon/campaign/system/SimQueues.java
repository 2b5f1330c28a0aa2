package dev.carillon.campaign.system;

import dev.carillon.campaign.engine.Inbox;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.engine.Unavailable;
import dev.carillon.check.Check;
import dev.carillon.check.CheckJson;
import dev.carillon.check.CheckQueue;
import dev.carillon.check.OverdueCheck;
import dev.carillon.check.UnknownChecks;
import dev.carillon.event.IngestQueue;
import dev.carillon.event.RejectedMessages;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Carillon's own queues behind a simulated connection; messages are sent in batches of ten. */
public final class SimQueues implements CheckQueue, IngestQueue, RejectedMessages, UnknownChecks {

  private static final int BATCH = 10;

  private final Inbox<String> checks;
  private final Consumer<OverdueCheck> overdue;
  private final Inbox<String> ingest;
  private final List<String> rejected = new ArrayList<>();
  private final Link link;
  private final Versions versions;

  /**
   * @param versions the versions of the functions that send the messages
   */
  public SimQueues(
      Inbox<String> checks,
      Consumer<OverdueCheck> overdue,
      Inbox<String> ingest,
      Link link,
      Versions versions) {
    this.checks = checks;
    this.overdue = overdue;
    this.ingest = ingest;
    this.link = link;
    this.versions = versions;
  }

  @Override
  public void send(List<Check> sent, Instant now) {
    OverdueCheck.Routes routes = OverdueCheck.route(sent, now);
    inBatches(
        "checks.send",
        routes.due(),
        check -> {
          long seconds = Duration.between(now, check.due()).toSeconds();
          checks.accept(
              versions.check(CheckJson.write(check)),
              1_000 * Math.max(0, Math.min(LONGEST_DELAY_SECONDS, seconds)));
        });
    inBatches("overdue.send", routes.overdue(), overdue);
  }

  @Override
  public void send(List<String> bodies, Duration delay) {
    inBatches("ingest.send", bodies, body -> ingest.accept(versions.event(body), delay.toMillis()));
  }

  private <T> void inBatches(String name, List<T> items, Consumer<T> accept) {
    Unavailable failure = null;
    for (int from = 0; from < items.size(); from += BATCH) {
      try {
        link.each(name, items.subList(from, Math.min(items.size(), from + BATCH)), accept);
      } catch (Unavailable unknown) {
        failure = unknown;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void reject(List<Rejection> rejections) {
    inBatches("rejected.send", rejections, one -> rejected.add(one.body()));
  }

  @Override
  public void passOn(String body) {
    inBatches("checks.passOn", List.of(body), rest -> checks.accept(rest, 0));
  }

  @Override
  public void reject(String body, String reason) {
    reject(List.of(new Rejection(body, reason)));
  }

  public List<String> rejected() {
    return rejected;
  }
}
