package dev.carillon.lambda;

import dev.carillon.master.Master;
import dev.carillon.runtime.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Invoked by a rule, once a minute. What the event says makes no difference, and its type would
 * bring a library for dates into the cold start.
 */
public final class MasterHandler extends FunctionHandler<Object, Void> {

  private final Master master;

  public MasterHandler() {
    this(Carillon.of(System.getenv()));
  }

  public MasterHandler(Carillon carillon) {
    super(carillon);
    this.master = carillon.master();
  }

  @Override
  protected @Nullable Void handle(Object event, Deadline deadline) {
    master.tick(deadline);
    return null;
  }

  @Override
  protected void prime(Deadline deadline) {
    master.prime(deadline);
  }
}
