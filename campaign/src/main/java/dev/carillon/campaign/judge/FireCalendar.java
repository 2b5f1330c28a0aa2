package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.ScheduleSpec.At;
import dev.carillon.campaign.judge.ScheduleSpec.Cron;
import dev.carillon.campaign.judge.ScheduleSpec.Leaf;
import dev.carillon.campaign.judge.ScheduleSpec.Rate;
import dev.carillon.campaign.judge.ScheduleSpec.ZonedCron;
import java.util.Arrays;
import java.util.NavigableSet;
import java.util.TreeSet;

/** The fires of a document, computed by testing every second. */
final class FireCalendar {

  private static final int[] SIZES = {60, 60, 24};

  private FireCalendar() {}

  /** The fires of all leaves from {@code from} to {@code to}, both inclusive. */
  static NavigableSet<Long> fires(ScheduleSpec spec, long from, long to) {
    NavigableSet<Long> fires = new TreeSet<>();
    spec.leaves().forEach(leaf -> addFires(leaf, from, to, fires));
    return fires;
  }

  /** The fires of one leaf from {@code from} to {@code to}, both inclusive. */
  static NavigableSet<Long> fires(Leaf leaf, long from, long to) {
    NavigableSet<Long> fires = new TreeSet<>();
    addFires(leaf, from, to, fires);
    return fires;
  }

  static boolean fires(Leaf leaf, long instant) {
    return fires(leaf, instant, instant).contains(instant);
  }

  private static void addFires(Leaf leaf, long from, long to, NavigableSet<Long> fires) {
    if (leaf instanceof At at) {
      if (at.instant() >= from && at.instant() <= to) {
        fires.add(at.instant());
      }
    } else if (leaf instanceof Rate rate) {
      for (long fire = rate.anchor(); fire <= to; fire += rate.every()) {
        if (fire >= from) {
          fires.add(fire);
        }
      }
    } else if (leaf instanceof Cron cron) {
      addSeconds(cron, from, to, fires);
    } else if (leaf instanceof ZonedCron cron) {
      fires.addAll(ZonedFires.of(cron, from, to));
    }
  }

  private static void addSeconds(Cron cron, long from, long to, NavigableSet<Long> fires) {
    String[] fields = cron.expression().split(" ", -1);
    boolean[][] allowed = new boolean[SIZES.length][];
    for (int i = 0; i < SIZES.length; i++) {
      allowed[i] = allowed(fields[i], SIZES[i]);
    }
    for (long second = Math.floorDiv(from + 999, 1_000L); second * 1_000 <= to; second++) {
      long ofDay = Math.floorMod(second, 86_400L);
      if (allowed[0][(int) (ofDay % 60)]
          && allowed[1][(int) (ofDay / 60 % 60)]
          && allowed[2][(int) (ofDay / 3_600)]) {
        fires.add(second * 1_000);
      }
    }
  }

  static boolean[] allowed(String field, int size) {
    boolean[] allowed = new boolean[size];
    if (field.equals("*")) {
      Arrays.fill(allowed, true);
    } else if (field.contains("/")) {
      int slash = field.indexOf('/');
      int step = Integer.parseInt(field.substring(slash + 1));
      for (int i = Integer.parseInt(field.substring(0, slash)); i < size; i += step) {
        allowed[i] = true;
      }
    } else {
      for (String one : field.split(",", -1)) {
        allowed[Integer.parseInt(one)] = true;
      }
    }
    return allowed;
  }
}
