package dev.carillon.cli.command;

import dev.carillon.client.Job;
import dev.carillon.client.StoredSchedule;
import dev.carillon.client.SuspendMode;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * The values that help texts and completions offer for an option: those of its type without
 * UNRECOGNIZED, which only answers have, as the API writes them.
 */
abstract class Choices implements Iterable<String> {

  private final List<String> names;

  private Choices(Enum<?>[] constants, UnaryOperator<String> form) {
    names =
        Arrays.stream(constants)
            .map(Enum::name)
            .filter(it -> !it.equals("UNRECOGNIZED"))
            .map(form)
            .toList();
  }

  @Override
  public Iterator<String> iterator() {
    return names.iterator();
  }

  static final class JobStates extends Choices {
    JobStates() {
      super(Job.State.values(), UnaryOperator.identity());
    }
  }

  static final class ScheduleStates extends Choices {
    ScheduleStates() {
      super(StoredSchedule.State.values(), UnaryOperator.identity());
    }
  }

  static final class SuspendModes extends Choices {
    SuspendModes() {
      super(SuspendMode.values(), it -> it.toLowerCase(Locale.ROOT));
    }
  }
}
