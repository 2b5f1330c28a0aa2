package dev.carillon.campaign.system;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.engine.Simulator;
import dev.carillon.campaign.engine.Task;
import dev.carillon.campaign.scenario.NeighbourScenario.Machine;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Jobs;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The virtual time that work takes, measured on 0.58 of a core: calls of a store or queue, parsing
 * a definition, compiling its filters, and the processor time of a launch. Concurrent calls of a
 * function overlap in time; computing does not.
 */
final class WorkCosts implements Work {

  /** Half of the time of a call, in microseconds. */
  private static final int CALL = 2_500;

  /** One of this many calls is slow. */
  private static final int SLOW_ONE_IN = 50;

  /** How many requests of one call of a port are under way at a time. */
  private static final int PARALLEL_REQUESTS = 16;

  /**
   * How many launch requests are under way at a time: the number of requests that one call to a
   * target queue sends, times the number of calls that are under way.
   */
  private static final int PARALLEL_LAUNCHES = 160;

  /** How many schedules a function changes at a time. */
  private static final int PARALLEL_SCHEDULES = 8;

  /**
   * The call that is never slow. A rate holds only if requests are under way for about the same
   * time.
   */
  private static final String SENDING = "targets.send";

  /** The call for at most {@link #PASSING_TOGETHER} jobs that pass a gate together. */
  private static final String PASSING = "gates.commit";

  private static final int PASSING_TOGETHER = 25;

  private static final int PARSE = 300;
  private static final int PROCESS_JOB = 300;

  /**
   * Half of the computing time of calls for a single item, in microseconds, by the names of the
   * calls.
   */
  private static final Map<String, Integer> COMPUTED =
      Map.of(
          "jobs.insert",
          PROCESS_JOB,
          "jobs.update",
          PROCESS_JOB,
          SENDING,
          PROCESS_JOB / 2,
          PASSING,
          2 * PROCESS_JOB);

  /** The calls for each job that launches. */
  private static final List<String> LAUNCHING = List.of("jobs.insert", "jobs.update", SENDING);

  /** The calls for each schedule that counts an event. */
  private static final List<String> COUNTING = List.of("jobs.collectingJob", "jobs.save");

  private final Simulator simulator;
  private final SeededRandom random;
  private final Machine machine;
  private final String filtering;
  private final Set<Task> inFanout = new HashSet<>();

  /**
   * @param filtering the namespace whose schedules have filters
   */
  WorkCosts(Simulator simulator, SeededRandom random, Machine machine, String filtering) {
    this.simulator = simulator;
    this.random = random;
    this.machine = machine;
    this.filtering = filtering;
  }

  /**
   * The average time in microseconds that one launch takes.
   *
   * @param isCounted whether an event causes the launch, and a schedule counts it
   * @param isGated whether the launch passes a gate
   */
  static double ofLaunch(Machine machine, boolean isCounted, boolean isGated) {
    double micros = LAUNCHING.stream().mapToDouble(call -> average(call, 1, machine)).sum();
    if (isCounted) {
      double calls =
          COUNTING.stream().mapToDouble(call -> average(call, PARALLEL_SCHEDULES, machine)).sum();
      micros += PARSE + machine.filterMicros() + calls;
    }
    if (isGated) {
      micros += average(PASSING, 1, machine) / PASSING_TOGETHER;
    }
    return micros * machine.slowness();
  }

  /** The average microseconds of a call in both directions, on a machine of the usual speed. */
  private static double average(String call, int overlap, Machine machine) {
    double usual = (CALL / 2 + CALL) / 2.0;
    double slow = (CALL / 2 + machine.stallMicros()) / 2.0;
    double waits = call.equals(SENDING) ? usual : usual + (slow - usual) / SLOW_ONE_IN;
    return 2 * (waits / overlap(call, overlap) + COMPUTED.getOrDefault(call, 0));
  }

  /** The milliseconds that the slowest call takes in one direction. */
  static long slowest(Machine machine) {
    return (long) Math.ceil(machine.stallMicros() * machine.slowness() / 1_000);
  }

  /** The milliseconds that a call takes in one direction. */
  long latency(String call) {
    boolean isSlow = random.oneIn(SLOW_ONE_IN) && !call.equals(SENDING);
    long most = isSlow ? machine.stallMicros() : CALL;
    int others = inFanout.contains(simulator.current()) ? PARALLEL_SCHEDULES : 1;
    double waits = random.between(CALL / 2, most) / (double) overlap(call, others);
    return millis(waits + COMPUTED.getOrDefault(call, 0));
  }

  /**
   * @param others how many calls of other kinds are under way at a time
   */
  private static int overlap(String call, int others) {
    return switch (call) {
      case "jobs.insert", "jobs.update" -> PARALLEL_REQUESTS;
      case SENDING -> PARALLEL_LAUNCHES;
      default -> others;
    };
  }

  /** Rounds up or down at random, so that the average is right. */
  private long millis(double micros) {
    double exact = micros * machine.slowness() / 1_000;
    long whole = (long) exact;
    return random.below(1_000) < (exact - whole) * 1_000 ? whole + 1 : whole;
  }

  private void compute(long micros) {
    simulator.pause(millis((double) micros));
  }

  @Override
  public ScheduleParser parser() {
    return new ScheduleParser(ZoneOffset.UTC) {
      @Override
      public Schedule parseStored(Definition definition) {
        compute(PARSE);
        return super.parseStored(definition);
      }
    };
  }

  @Override
  public Fanout fanout() {
    return new Fanout(
        task -> {
          Task caller = simulator.current();
          inFanout.add(caller);
          try {
            task.run();
          } finally {
            inFanout.remove(caller);
          }
        });
  }

  /**
   * The jobs as one instance uses them, with the time that compiling filters takes. Ingest compiles
   * the filters of a schedule when it counts, right after it has read the collecting job, and keeps
   * them for the next call.
   */
  @Override
  public Jobs jobs(FunctionName function, Jobs real) {
    if (function != FunctionName.INGEST || machine.filterMicros() == 0) {
      return real;
    }
    Set<ScheduleId> compiled = new HashSet<>();
    return (Jobs)
        Proxy.newProxyInstance(
            Jobs.class.getClassLoader(),
            new Class<?>[] {Jobs.class},
            (proxy, method, arguments) -> {
              try {
                Object answer = method.invoke(real, arguments);
                if (method.getName().equals("collectingJob")
                    && arguments[0] instanceof ScheduleId id
                    && id.namespace().equals(filtering)
                    && compiled.add(id)) {
                  compute(machine.filterMicros());
                }
                return answer;
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
            });
  }
}
