package dev.carillon.dynamodb;

import dev.carillon.dynamodb.Writes.Guarded;
import dev.carillon.dynamodb.Writes.Write;
import dev.carillon.gate.DemandCounts;
import dev.carillon.id.GateKey;
import dev.carillon.job.Gates.Step;
import dev.carillon.schedule.Schedules.TooManyDemandsException;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Counts, at each gate, how many schedules set the same limits there. The counts change in the
 * transaction that stores the schedule, so each change counts once, however often it is repeated.
 */
final class DemandWrites {

  private final Writes writes;
  private final DynamoDbTable<Item<GateKey>> gates;
  private final DynamoDbTable<Item<String>> limited;

  DemandWrites(Database database, Tables tables) {
    this.writes = database.writes();
    this.gates = database.counters(tables.gates(), () -> GateItem.KEY);
    this.limited = database.counters(tables.schedules(), () -> LimitedItem.KEY);
  }

  /**
   * Stores a schedule and counts its limits.
   *
   * @param head the write that decides whether the transaction wins its race
   * @param others the other items of the schedule
   * @return false if the transaction lost its race; nothing was stored
   * @throws TooManyDemandsException if a gate would be too large for an item, or the change too
   *     large for a transaction; nothing was stored
   */
  boolean transact(Guarded head, List<Write> others, String namespace, DemandCounts changes) {
    List<Write> all = new ArrayList<>(others);
    all.addAll(of(namespace, changes));
    if (1 + all.size() > Step.MOST_ITEMS) {
      throw new TooManyDemandsException(null);
    }
    try {
      return writes.transact(head, all);
    } catch (TransactionCanceledException refused) {
      if (Cancellations.isTooLarge(refused, 1 + others.size())) {
        throw new TooManyDemandsException(refused);
      }
      throw refused;
    }
  }

  private List<Write> of(String namespace, DemandCounts changes) {
    List<Write> counts = new ArrayList<>();
    changes
        .atGates()
        .forEach(
            (gate, texts) -> counts.add(Writes.adding(gates, GateItem.additions(gate, texts))));
    if (!changes.inBuckets().isEmpty()) {
      Item<String> buckets = LimitedItem.additions(namespace, changes.inBuckets());
      counts.add(Writes.adding(limited, buckets));
    }
    return counts;
  }
}
