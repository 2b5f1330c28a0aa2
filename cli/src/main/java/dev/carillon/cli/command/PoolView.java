package dev.carillon.cli.command;

import dev.carillon.cli.output.Card;
import dev.carillon.cli.output.Counted;
import dev.carillon.cli.output.Table;
import dev.carillon.cli.output.Times;
import dev.carillon.cli.output.Yaml;
import dev.carillon.client.Pool;
import dev.carillon.client.PoolStatus;
import dev.carillon.client.PoolStatus.Waiting;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows pools as text. */
final class PoolView {

  private PoolView() {}

  static Table<Pool> table(Times times) {
    return Table.of("NAME", Pool::name)
        .state("STATE", PoolView::state)
        .column("QUEUE", pool -> text(pool, "queue"))
        .column("DEPTH", pool -> text(pool, "depth"))
        .column("ORDER", pool -> text(pool, "order"))
        .column("DESCRIPTION", pool -> text(pool, "description"))
        .wide("REASON", pool -> text(pool, "reason"))
        .wide("UPDATED", pool -> times.text(pool.updatedAt()))
        .wide("BY", Pool::updatedBy);
  }

  static Card card(Pool pool, Times times) {
    Card card =
        new Card()
            .with("Pool", pool.namespace() + "/" + pool.name())
            .state("State", state(pool))
            .with("Reason", text(pool, "reason"))
            .with("Queue", text(pool, "queue"));
    return status(card, pool.status(), times)
        .with("Created", times.text(pool.createdAt()) + " by " + pool.createdBy())
        .with("Updated", times.text(pool.updatedAt()) + " by " + pool.updatedBy())
        .with("Document", Yaml.text(pool.document()));
  }

  private static Card status(Card card, @Nullable PoolStatus status, Times times) {
    if (status == null) {
      return card;
    }
    String depth = status.depth() == null ? "" : " of " + status.depth();
    return card.with("In the queue", status.visible() + depth)
        .with("In flight", status.inFlight())
        .with("Waiting", waiting(status.waiting()))
        .with("Oldest", times.text(status.oldestReadyAt()))
        .with("By customer", byCustomer(status.waiting()))
        .with("Next choice", times.text(status.nextChoiceAt()))
        .with("Moved", status.moved())
        .with("Last hour", lastHour(status));
  }

  private static String lastHour(PoolStatus status) {
    return status.servedLastHour().stream()
        .map(it -> "%d (%.0f %%) %s".formatted(it.jobs(), 100 * it.share(), name(it.customer())))
        .collect(Collectors.joining("\n"));
  }

  private static String name(@Nullable String customer) {
    return customer == null ? "(no customer)" : customer;
  }

  private static String waiting(Waiting waiting) {
    return "%s%s of %s"
        .formatted(
            waiting.isAtLeast() ? "at least " : "",
            Counted.of(waiting.jobs(), "job"),
            Counted.of(waiting.customers(), "customer"));
  }

  private static String byCustomer(Waiting waiting) {
    return waiting.byCustomer().stream()
        .map(it -> it.jobs() + " " + name(it.customer()))
        .collect(Collectors.joining("\n"));
  }

  private static String state(Pool pool) {
    return pool.document().path("paused").asBoolean() ? "PAUSED" : "ACTIVE";
  }

  private static String text(Pool pool, String member) {
    return pool.document().hasNonNull(member) ? pool.document().path(member).asText() : "";
  }
}
