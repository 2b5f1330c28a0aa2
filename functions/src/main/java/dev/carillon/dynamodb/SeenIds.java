package dev.carillon.dynamodb;

import dev.carillon.job.Jobs;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The ids of recently counted events. The item of the collecting job holds the newest ids. Older
 * ids are in slices, which never change once they are written.
 *
 * @param inline the ids in the item of the collecting job, the oldest first
 * @param slices the slices that still matter, the oldest first
 * @param lastSlice the number of the newest slice ever written
 */
record SeenIds(List<Group> inline, List<Slice> slices, long lastSlice) {

  /**
   * If the item would hold more ids than this, the ids move to a slice, because each write of the
   * item costs according to its size.
   */
  static final int MOST_INLINE = 128;

  static final int MOST_IN_SLICE = 1_000;

  static final SeenIds NONE = new SeenIds(List.of(), List.of(), 0);

  /** Ids that were counted at one instant, as hashes. */
  record Group(long at, List<Long> hashes) {}

  /** Some groups, stored as a separate item. */
  record Slice(long number, List<Group> groups) {
    int size() {
      return count(groups);
    }

    long newest() {
      long newest = 0;
      for (Group group : groups) {
        newest = Math.max(newest, group.at());
      }
      return newest;
    }
  }

  /** Adds ids. Slices with numbers above {@link #lastSlice} are new. */
  SeenIds with(Collection<Long> hashes, Instant now) {
    List<Group> newest = new ArrayList<>(live(inline, now));
    if (!hashes.isEmpty()) {
      newest.add(new Group(now.toEpochMilli(), List.copyOf(hashes)));
    }
    List<Slice> kept = new ArrayList<>(slices);
    long last = lastSlice;
    if (count(newest) > MOST_INLINE) {
      for (List<Group> groups : cut(newest)) {
        kept.add(new Slice(++last, groups));
      }
      newest = List.of();
    }
    dropOld(kept, count(newest), now);
    return new SeenIds(List.copyOf(newest), List.copyOf(kept), last);
  }

  /** The ids that were counted within the window; if there are too many, the newest of them. */
  Set<Long> at(Instant now) {
    Set<Long> seen = new LinkedHashSet<>();
    int count = 0;
    for (Group group : newestFirst(now)) {
      for (Long hash : group.hashes()) {
        if (count++ == Jobs.MOST_SEEN) {
          return seen;
        }
        seen.add(hash);
      }
    }
    return seen;
  }

  /**
   * The age of the oldest remembered id if there are too many ids to remember; otherwise the whole
   * window.
   */
  Duration window(Instant now) {
    int remembered = 0;
    for (Group group : newestFirst(now)) {
      remembered += group.hashes().size();
      if (remembered >= Jobs.MOST_SEEN) {
        return Duration.ofMillis(Math.max(0, now.toEpochMilli() - group.at()));
      }
    }
    return Jobs.SEEN_WINDOW;
  }

  private List<Group> newestFirst(Instant now) {
    List<Group> groups = new ArrayList<>();
    for (Slice slice : slices) {
      groups.addAll(live(slice.groups(), now));
    }
    groups.addAll(live(inline, now));
    groups.sort(Comparator.comparingLong(Group::at).reversed());
    return groups;
  }

  private static void dropOld(List<Slice> kept, int inline, Instant now) {
    while (!kept.isEmpty() && kept.get(0).newest() < windowStart(now)) {
      kept.remove(0);
    }
    int total = inline;
    for (Slice slice : kept) {
      total += slice.size();
    }
    while (!kept.isEmpty() && total - kept.get(0).size() >= Jobs.MOST_SEEN) {
      total -= kept.remove(0).size();
    }
  }

  private static List<Group> live(List<Group> groups, Instant now) {
    long start = windowStart(now);
    List<Group> live = new ArrayList<>();
    for (Group group : groups) {
      if (group.at() >= start) {
        live.add(group);
      }
    }
    return live;
  }

  private static long windowStart(Instant now) {
    return now.minus(Jobs.SEEN_WINDOW).toEpochMilli();
  }

  private static int count(List<Group> groups) {
    int count = 0;
    for (Group group : groups) {
      count += group.hashes().size();
    }
    return count;
  }

  private static List<List<Group>> cut(List<Group> groups) {
    List<List<Group>> parts = new ArrayList<>();
    List<Group> part = new ArrayList<>();
    for (Group group : groups) {
      for (int from = 0; from < group.hashes().size(); ) {
        int room = MOST_IN_SLICE - count(part);
        int to = Math.min(group.hashes().size(), from + room);
        part.add(new Group(group.at(), List.copyOf(group.hashes().subList(from, to))));
        from = to;
        if (count(part) == MOST_IN_SLICE) {
          parts.add(List.copyOf(part));
          part.clear();
        }
      }
    }
    if (!part.isEmpty()) {
      parts.add(List.copyOf(part));
    }
    return parts;
  }

  /** Writes the instant, the size and the hashes of each group. */
  static byte[] write(List<Group> groups) {
    int size = groups.size() * (Long.BYTES + Short.BYTES) + count(groups) * Long.BYTES;
    ByteBuffer bytes = ByteBuffer.allocate(size);
    for (Group group : groups) {
      bytes.putLong(group.at()).putShort((short) group.hashes().size());
      group.hashes().forEach(bytes::putLong);
    }
    return bytes.array();
  }

  static List<Group> read(ByteBuffer bytes) {
    List<Group> groups = new ArrayList<>();
    while (bytes.hasRemaining()) {
      long at = bytes.getLong();
      int size = bytes.getShort();
      List<Long> hashes = new ArrayList<>(size);
      for (int i = 0; i < size; i++) {
        hashes.add(bytes.getLong());
      }
      groups.add(new Group(at, List.copyOf(hashes)));
    }
    return List.copyOf(groups);
  }
}
