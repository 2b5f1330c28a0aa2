package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Announcement;
import dev.carillon.campaign.judge.ScheduleSpec.Cron;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A trigger that can be nested. Its leaves are numbered in document order, from 0. */
public sealed interface Condition {

  /** Satisfied when all its conditions are satisfied. */
  record All(List<Condition> conditions) implements Condition {}

  /** Satisfied when one of its conditions is satisfied. */
  record Any(List<Condition> conditions) implements Condition {}

  /** A condition that contains no other condition. */
  sealed interface Leaf extends Condition {}

  /** A leaf that counts events up to an amount. */
  sealed interface Counting extends Leaf {
    long enough();

    /** How much an event adds to the count; 0 if it does not concern the leaf. */
    long weightOf(Announcement announcement);

    /** This leaf without its filter. */
    default Counting unfiltered() {
      return this;
    }
  }

  /** Counts the partitions of a data set. */
  record Announced(String dataset, long enough) implements Counting {
    @Override
    public long weightOf(Announcement announcement) {
      boolean isSame = announcement.fact() == null && announcement.dataset().equals(dataset);
      return isSame ? announcement.weight() : 0;
    }
  }

  /** Counts bytes of a stream. */
  record Bytes(String stream, long enough) implements Counting {
    @Override
    public long weightOf(Announcement announcement) {
      Fact fact = announcement.fact();
      return fact != null && fact.key().equals("size:" + stream) ? fact.amount() : 0;
    }
  }

  /** Counts events of a key. */
  record Matching(String key, long enough, @Nullable Filter filter) implements Counting {
    @Override
    public long weightOf(Announcement announcement) {
      Fact fact = announcement.fact();
      if (fact == null || !fact.key().equals("event:" + key)) {
        return 0;
      }
      return filter == null || filter.matches(fact) ? 1 : 0;
    }

    @Override
    public Counting unfiltered() {
      return new Matching(key, enough, null);
    }
  }

  /** Counts the reports about a program that name one of the statuses. */
  record Reported(String program, List<String> statuses, long enough) implements Counting {
    @Override
    public long weightOf(Announcement announcement) {
      Fact fact = announcement.fact();
      String key = fact == null ? "" : fact.key();
      return statuses.stream().anyMatch(it -> key.equals("program:" + program + ":" + it)) ? 1 : 0;
    }
  }

  /** A leaf that an instant satisfies. */
  sealed interface Timed extends Leaf {
    /** The events whose arrival starts its time; null for none. */
    default @Nullable Counting startingEvents() {
      return null;
    }
  }

  /** Satisfied by each fire. */
  record Fires(Cron cron) implements Timed {}

  /**
   * Satisfied when a number of milliseconds has passed.
   *
   * @param since the events from which the time is counted; null for the last launch
   */
  record Elapsed(@Nullable Counting since, long duration) implements Timed {
    @Override
    public @Nullable Counting startingEvents() {
      return since;
    }
  }

  /**
   * Satisfied when an event came, and then no other event for the given number of milliseconds.
   *
   * @param atMost the most milliseconds after the first event; 0 for no bound
   */
  record Quiet(Counting of, long period, long atMost) implements Timed {
    @Override
    public Counting startingEvents() {
      return of;
    }

    /** The latest instant at which the leaf is satisfied after its first and last event. */
    long due(long first, long last) {
      return atMost == 0 ? last + period : Math.min(last + period, first + atMost);
    }
  }

  /** Never satisfied by itself. */
  record Manual() implements Leaf {}

  /** All leaves; the index of a leaf in the list is its number. */
  default List<Leaf> leaves() {
    List<Leaf> leaves = new ArrayList<>();
    addLeaves(leaves);
    return leaves;
  }

  private void addLeaves(List<Leaf> leaves) {
    if (this instanceof Leaf leaf) {
      leaves.add(leaf);
    }
    inner().forEach(inner -> inner.addLeaves(leaves));
  }

  private List<Condition> inner() {
    if (this instanceof All all) {
      return all.conditions();
    }
    return this instanceof Any any ? any.conditions() : List.of();
  }

  /** Whether an event concerns any leaf. */
  default boolean concerns(Announcement announcement) {
    return counting().anyMatch(leaf -> leaf.weightOf(announcement) > 0);
  }

  /** Whether an event has the key of any leaf, whatever the filter of the leaf says. */
  default boolean isKeyOf(Announcement announcement) {
    return counting().anyMatch(leaf -> leaf.unfiltered().weightOf(announcement) > 0);
  }

  private Stream<Counting> counting() {
    return leaves().stream()
        .flatMap(
            leaf -> Stream.ofNullable(leaf instanceof Timed timed ? timed.startingEvents() : leaf))
        .filter(Counting.class::isInstance)
        .map(Counting.class::cast);
  }

  /**
   * The counts to which the events add up, by leaf.
   *
   * @param others the counts of the leaves that count no events
   */
  default List<Long> counts(List<Announcement> events, List<Long> others) {
    List<Leaf> leaves = leaves();
    return IntStream.range(0, leaves.size())
        .mapToObj(
            number ->
                leaves.get(number) instanceof Counting counting
                    ? (Long) events.stream().mapToLong(counting::weightOf).sum()
                    : others.get(number))
        .toList();
  }

  /**
   * Whether counts satisfy this condition.
   *
   * @param counts one for each leaf
   */
  default boolean isSatisfied(List<Long> counts) {
    return isSatisfied(counts.iterator());
  }

  /** Takes the counts of all leaves, even if the outcome is clear early. */
  private boolean isSatisfied(Iterator<Long> counts) {
    if (this instanceof Leaf leaf) {
      long enough = leaf instanceof Counting counting ? counting.enough() : 1;
      return counts.next() >= enough && !(leaf instanceof Manual);
    }
    List<Boolean> satisfied = new ArrayList<>();
    inner().forEach(inner -> satisfied.add(inner.isSatisfied(counts)));
    Stream<Boolean> each = satisfied.stream();
    return this instanceof All ? each.allMatch(one -> one) : each.anyMatch(one -> one);
  }
}
