package dev.carillon.trigger;

import dev.carillon.trigger.Trigger.And;
import dev.carillon.trigger.Trigger.Manual;
import dev.carillon.trigger.Trigger.Or;
import java.util.Iterator;
import java.util.List;

/** Determines whether the counts of a trigger's leaves satisfy the trigger. */
public final class Satisfaction {

  private final Iterator<LeafCount> leaves;

  private Satisfaction(Iterator<LeafCount> leaves) {
    this.leaves = leaves;
  }

  /**
   * @param leaves the count of each leaf of the trigger, in document order
   */
  public static boolean isSatisfied(Trigger trigger, List<LeafCount> leaves) {
    int expected = trigger.leaves().size();
    if (leaves.size() != expected) {
      throw new IllegalArgumentException(
          "the trigger has " + expected + " leaves, but there are counts of " + leaves.size());
    }
    return new Satisfaction(leaves.iterator()).of(trigger);
  }

  private boolean of(Trigger trigger) {
    if (trigger instanceof And and) {
      return satisfiedOf(and.triggers()) == and.triggers().size();
    }
    if (trigger instanceof Or or) {
      return satisfiedOf(or.triggers()) > 0;
    }
    return leaves.next().isSatisfied() && !(trigger instanceof Manual);
  }

  /**
   * Evaluates all triggers even if the outcome is clear early, because each leaf takes the next
   * count of the list.
   */
  private int satisfiedOf(List<Trigger> triggers) {
    int satisfied = 0;
    for (Trigger trigger : triggers) {
      satisfied += of(trigger) ? 1 : 0;
    }
    return satisfied;
  }
}
