package dev.carillon.master;

import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import dev.carillon.Carillon;
import dev.carillon.Deadline;
import dev.carillon.FunctionHandler;
import org.jspecify.annotations.Nullable;

/** Invoked by a rule, once a minute. */
public final class MasterHandler extends FunctionHandler<ScheduledEvent, Void> {

  private final Master master;

  public MasterHandler() {
    this(Carillon.of(System.getenv()));
  }

  public MasterHandler(Carillon carillon) {
    super(carillon);
    this.master = carillon.master();
  }

  @Override
  protected @Nullable Void handle(ScheduledEvent event, Deadline deadline) {
    master.tick(deadline);
    return null;
  }

  @Override
  protected void prime(Deadline deadline) {
    master.prime(deadline);
  }
}
