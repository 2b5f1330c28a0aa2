package dev.carillon.imports;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The behaviour of Quartz when clocks change. Quartz leaves out a time that does not exist. It
 * fires at the second occurrence of a time that occurs twice, even if the cron fires each hour.
 */
public final class QuartzDst {

  private QuartzDst() {}

  /** Makes a cron behave as Quartz does. */
  public static void add(ObjectNode cron) {
    cron.putObject("dst").put("gap", "skip").put("overlap", "second");
  }
}
