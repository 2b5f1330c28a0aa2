package dev.carillon.cli.apply;

import dev.carillon.cli.output.CommandFault;
import dev.carillon.client.CarillonClient;
import dev.carillon.client.CarillonException;
import dev.carillon.client.Namespace;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Carries out a plan, change by change. A change that fails ends it; the next plan then has what is
 * left.
 */
public final class Application {

  private final CarillonClient client;
  private final Consumer<Change> done;

  /**
   * @param done is called after each change
   */
  public Application(CarillonClient client, Consumer<Change> done) {
    this.client = client;
    this.done = done;
  }

  /**
   * @throws CommandFault if a schedule was changed since the plan was made
   */
  public void carryOut(Plan plan) {
    for (Change change : plan.effective()) {
      try {
        carryOut(change);
      } catch (CarillonException.Stale stale) {
        throw new CommandFault(
            change.id() + " was changed since the plan was made; apply again to see the new plan",
            stale);
      }
      done.accept(change);
    }
  }

  private void carryOut(Change change) {
    Namespace namespace = client.namespace(change.namespace());
    switch (change.action()) {
      case create -> namespace.create(Objects.requireNonNull(change.schedule()));
      case replace ->
          namespace.replace(
              Objects.requireNonNull(change.schedule()), Objects.requireNonNull(change.etag()));
      case delete -> delete(namespace, change.name());
      case unchanged -> {}
    }
  }

  /** A schedule that another caller has deleted is as it should be. */
  private static void delete(Namespace namespace, String name) {
    try {
      namespace.delete(name);
    } catch (CarillonException.NotFound deleted) {
      return;
    }
  }
}
