package dev.carillon.campaign.system;

import dev.carillon.job.Jobs;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.ScheduleParser;
import java.time.ZoneOffset;

/**
 * What functions compute, and how much of it at a time. The defaults take no virtual time, and do
 * one thing after the other.
 */
public interface Work {

  /** Computing takes no time. */
  Work FREE = new Work() {};

  ScheduleParser FREE_PARSER = new ScheduleParser(ZoneOffset.UTC);

  Fanout SEQUENTIAL = new Fanout(Runnable::run);

  /** The parser of one instance. */
  default ScheduleParser parser() {
    return FREE_PARSER;
  }

  default Fanout fanout() {
    return SEQUENTIAL;
  }

  /** The jobs as one instance uses them. */
  default Jobs jobs(FunctionName function, Jobs real) {
    return real;
  }
}
