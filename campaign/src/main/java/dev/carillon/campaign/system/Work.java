package dev.carillon.campaign.system;

import dev.carillon.job.Jobs;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.ScheduleParser;
import java.time.ZoneOffset;

/**
 * The work that functions do besides calls, and how much of it runs in parallel. By default, work
 * takes no virtual time and runs sequentially.
 */
public interface Work {

  /** Computing takes no time. */
  Work FREE = new Work() {};

  ScheduleParser FREE_PARSER = new ScheduleParser(ZoneOffset.UTC);

  Fanout SEQUENTIAL = new Fanout(Runnable::run);

  /** The parser that one instance uses. */
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
