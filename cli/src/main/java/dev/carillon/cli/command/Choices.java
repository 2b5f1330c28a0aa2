package dev.carillon.cli.command;

import dev.carillon.client.Job;
import dev.carillon.client.StoredSchedule;
import dev.carillon.client.SuspendMode;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * The values that help texts and completions offer for an option: those of its type without
 * UNRECOGNIZED, which only answers have.
 */
abstract class Choices implements Iterable<String> {

  private final List<String> names;

  private Choices(Enum<?>[] constants) {
    names =
        Arrays.stream(constants).map(Enum::name).filter(it -> !it.equals("UNRECOGNIZED")).toList();
  }

  @Override
  public Iterator<String> iterator() {
    return names.iterator();
  }

  static final class JobStates extends Choices {
    JobStates() {
      super(Job.State.values());
    }
  }

  static final class ScheduleStates extends Choices {
    ScheduleStates() {
      super(StoredSchedule.State.values());
    }
  }

  static final class SuspendModes extends Choices {
    SuspendModes() {
      super(SuspendMode.values());
    }
  }
}
