package dev.carillon.campaign;

import dev.carillon.app.Apps;
import dev.carillon.backfill.Backfills;
import dev.carillon.calendar.Calendars;
import dev.carillon.campaign.system.FunctionName;
import dev.carillon.campaign.system.Tampering;
import dev.carillon.check.CheckQueue;
import dev.carillon.event.IngestQueue;
import dev.carillon.job.Gates;
import dev.carillon.job.Jobs;
import dev.carillon.launch.TargetQueues;
import dev.carillon.pool.Pools;
import dev.carillon.schedule.Schedules;
import dev.carillon.timer.Timers;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Tamperings that replace one port of some functions by a faulty one. */
final class Tamperings {

  static final Set<FunctionName> EVERYWHERE = EnumSet.allOf(FunctionName.class);

  private Tamperings() {}

  /** Each slot has an item of its own. */
  static Tampering slotItems(UnaryOperator<Gates> broken) {
    return new Tampering() {
      @Override
      public Gates gates(FunctionName function, Gates real) {
        return broken.apply(real);
      }

      @Override
      public int roomForSlots() {
        return 0;
      }
    };
  }

  static Tampering apps(Set<FunctionName> functions, UnaryOperator<Apps> broken) {
    return new Tampering() {
      @Override
      public Apps apps(FunctionName function, Apps real) {
        return functions.contains(function) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering backfills(Set<FunctionName> functions, UnaryOperator<Backfills> broken) {
    return new Tampering() {
      @Override
      public Backfills backfills(FunctionName function, Backfills real) {
        return functions.contains(function) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering calendars(Set<FunctionName> functions, UnaryOperator<Calendars> broken) {
    return new Tampering() {
      @Override
      public Calendars calendars(FunctionName function, Calendars real) {
        return functions.contains(function) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering checks(Set<FunctionName> functions, UnaryOperator<CheckQueue> broken) {
    return new Tampering() {
      @Override
      public CheckQueue checks(FunctionName function, CheckQueue real) {
        return functions.contains(function) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering clock(Set<FunctionName> functions, UnaryOperator<InstantSource> broken) {
    return new Tampering() {
      @Override
      public InstantSource clock(FunctionName function, InstantSource real) {
        return functions.contains(function) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering gates(Set<FunctionName> functions, UnaryOperator<Gates> broken) {
    return new Tampering() {
      @Override
      public Gates gates(FunctionName function, Gates real) {
        return functions.contains(function) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering ingest(Set<FunctionName> functions, UnaryOperator<IngestQueue> broken) {
    return new Tampering() {
      @Override
      public IngestQueue ingest(FunctionName function, IngestQueue real) {
        return functions.contains(function) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering jobs(Set<FunctionName> functions, UnaryOperator<Jobs> broken) {
    return new Tampering() {
      @Override
      public Jobs jobs(FunctionName function, Jobs real) {
        return functions.contains(function) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering pools(Set<FunctionName> functions, UnaryOperator<Pools> broken) {
    return new Tampering() {
      @Override
      public Pools pools(FunctionName function, Pools real) {
        return functions.contains(function) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering schedules(Set<FunctionName> functions, UnaryOperator<Schedules> broken) {
    return new Tampering() {
      @Override
      public Schedules schedules(FunctionName function, Schedules real) {
        return functions.contains(function) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering targets(Set<FunctionName> functions, UnaryOperator<TargetQueues> broken) {
    return new Tampering() {
      @Override
      public TargetQueues targets(FunctionName function, TargetQueues real) {
        return functions.contains(function) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering timers(Set<FunctionName> functions, UnaryOperator<Timers> broken) {
    return new Tampering() {
      @Override
      public Timers timers(FunctionName function, Timers real) {
        return functions.contains(function) ? broken.apply(real) : real;
      }
    };
  }
}
