package dev.carillon.lambda;

import dev.carillon.master.Master;
import dev.carillon.runtime.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The function that a rule invokes, once a minute by default. It ignores the event, because the
 * event's SDK type would load a date library during a cold start.
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
  protected void prime(Carillon offline, Deadline deadline) {
    master.prime(deadline);
    offline.master().tick(deadline);
  }
}
