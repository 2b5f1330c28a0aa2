package dev.carillon.campaign;

import dev.carillon.campaign.FaultyPorts.Around;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Remembered;
import dev.carillon.gate.Slots;
import dev.carillon.job.Gates;
import dev.carillon.job.Gates.Change;
import dev.carillon.job.Gates.Done;
import dev.carillon.job.Gates.Step;
import java.util.List;
import java.util.function.BinaryOperator;

/** Gates that forget what limits need, or keep what they must forget. */
final class FaultyGates {

  private FaultyGates() {}

  /** Stores something else than what was decided; the first argument is the gate before. */
  static Gates storing(Gates real, BinaryOperator<Gate> change) {
    return Around.of(Gates.class, real)
        .replace(
            "update",
            arguments -> {
              Gate before = (Gate) arguments[0];
              return real.update(before, change.apply(before, (Gate) arguments[1]));
            })
        .replace(
            "commit",
            arguments -> {
              Step step = (Step) arguments[0];
              List<Change> changes =
                  step.gates().stream()
                      .map(it -> new Change(it.before(), change.apply(it.before(), it.after())))
                      .toList();
              return real.commit(new Step(step.jobs(), changes, step.joining(), step.leaving()));
            })
        .port();
  }

  static Gates withoutLaunches(Gates real) {
    return storing(
        real,
        (before, after) ->
            remembering(
                after,
                new Remembered(
                    before.launches(),
                    before.past().dropped(),
                    after.lastSuccess(),
                    after.past().ends(),
                    after.past().unsureUntil())));
  }

  static Gate remembering(Gate gate, Remembered past) {
    return new Gate(
        gate.key(),
        gate.version(),
        gate.slots(),
        past,
        gate.waiters(),
        gate.wakeup(),
        gate.gauge(),
        gate.demands());
  }

  static Gates keepingSlotItems(Gates real) {
    return storing(
        real,
        (before, after) ->
            new Gate(
                after.key(),
                after.version(),
                kept(after.slots()),
                after.past(),
                after.waiters(),
                after.wakeup(),
                after.gauge(),
                after.demands()));
  }

  private static Slots kept(Slots slots) {
    return new Slots(
        slots.room(), slots.inline(), slots.apart(), slots.found(), slots.added(), List.of());
  }

  static Gates withoutHolders(Gates real) {
    return Around.of(Gates.class, real).replace("finding", arguments -> arguments[0]).port();
  }

  /** Does not store that launches are counted once more; such a step has no jobs. */
  static Gates countingOnce(Gates real) {
    return Around.of(Gates.class, real)
        .replace(
            "commit",
            arguments -> {
              Step step = (Step) arguments[0];
              boolean isRecount =
                  step.jobs().isEmpty()
                      && step.gates().stream()
                          .anyMatch(it -> !it.before().launches().equals(it.after().launches()));
              return isRecount ? new Done() : real.commit(step);
            })
        .port();
  }
}
