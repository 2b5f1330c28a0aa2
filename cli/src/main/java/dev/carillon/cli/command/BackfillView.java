package dev.carillon.cli.command;

import dev.carillon.cli.output.Card;
import dev.carillon.cli.output.Times;
import dev.carillon.client.Backfill;
import java.util.stream.Collectors;

/** Shows backfills as text. */
final class BackfillView {

  private BackfillView() {}

  static Card card(Backfill backfill, Times times) {
    String ended =
        backfill.ended().entrySet().stream()
            .filter(it -> it.getValue() > 0)
            .map(it -> it.getKey() + " " + it.getValue())
            .collect(Collectors.joining(", "));
    return new Card()
        .with("Backfill", backfill.backfillId())
        .with("Schedule", backfill.namespace() + "/" + backfill.schedule())
        .state("State", backfill.stateName())
        .with("Reason", backfill.reason())
        .with("After", times.text(backfill.from()))
        .with("Until", times.text(backfill.to()))
        .with("Concurrency", backfill.concurrency())
        .with("Fires", backfill.fires())
        .with("Launched", backfill.launched())
        .with("Unfinished", backfill.unfinished())
        .with("Ended", ended)
        .with("Next fire", times.text(backfill.next()));
  }
}
