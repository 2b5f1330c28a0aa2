package dev.carillon.campaign;

import dev.carillon.app.Apps;
import dev.carillon.backfill.Backfills;
import dev.carillon.calendar.Calendars;
import dev.carillon.campaign.system.Part;
import dev.carillon.campaign.system.Tampering;
import dev.carillon.check.CheckQueue;
import dev.carillon.ingest.IngestQueue;
import dev.carillon.job.Gates;
import dev.carillon.job.Jobs;
import dev.carillon.launch.TargetQueues;
import dev.carillon.schedule.Schedules;
import dev.carillon.timer.Timers;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Systems in which one port of some functions does not do what it should. */
final class Broken {

  static final Set<Part> EVERYWHERE = EnumSet.allOf(Part.class);

  private Broken() {}

  static Tampering apps(Set<Part> parts, UnaryOperator<Apps> broken) {
    return new Tampering() {
      @Override
      public Apps apps(Part part, Apps real) {
        return parts.contains(part) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering backfills(Set<Part> parts, UnaryOperator<Backfills> broken) {
    return new Tampering() {
      @Override
      public Backfills backfills(Part part, Backfills real) {
        return parts.contains(part) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering calendars(Set<Part> parts, UnaryOperator<Calendars> broken) {
    return new Tampering() {
      @Override
      public Calendars calendars(Part part, Calendars real) {
        return parts.contains(part) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering checks(Set<Part> parts, UnaryOperator<CheckQueue> broken) {
    return new Tampering() {
      @Override
      public CheckQueue checks(Part part, CheckQueue real) {
        return parts.contains(part) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering clock(Set<Part> parts, UnaryOperator<InstantSource> broken) {
    return new Tampering() {
      @Override
      public InstantSource clock(Part part, InstantSource real) {
        return parts.contains(part) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering gates(Set<Part> parts, UnaryOperator<Gates> broken) {
    return new Tampering() {
      @Override
      public Gates gates(Part part, Gates real) {
        return parts.contains(part) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering ingest(Set<Part> parts, UnaryOperator<IngestQueue> broken) {
    return new Tampering() {
      @Override
      public IngestQueue ingest(Part part, IngestQueue real) {
        return parts.contains(part) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering jobs(Set<Part> parts, UnaryOperator<Jobs> broken) {
    return new Tampering() {
      @Override
      public Jobs jobs(Part part, Jobs real) {
        return parts.contains(part) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering schedules(Set<Part> parts, UnaryOperator<Schedules> broken) {
    return new Tampering() {
      @Override
      public Schedules schedules(Part part, Schedules real) {
        return parts.contains(part) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering targets(Set<Part> parts, UnaryOperator<TargetQueues> broken) {
    return new Tampering() {
      @Override
      public TargetQueues targets(Part part, TargetQueues real) {
        return parts.contains(part) ? broken.apply(real) : real;
      }
    };
  }

  static Tampering timers(Set<Part> parts, UnaryOperator<Timers> broken) {
    return new Tampering() {
      @Override
      public Timers timers(Part part, Timers real) {
        return parts.contains(part) ? broken.apply(real) : real;
      }
    };
  }
}
