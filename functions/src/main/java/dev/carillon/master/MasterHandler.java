package dev.carillon.master;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import dev.carillon.Carillon;
import org.jspecify.annotations.Nullable;

/** Invoked by a rule, once a minute. */
public final class MasterHandler implements RequestHandler<ScheduledEvent, @Nullable Void> {

  private final Carillon carillon;
  private final Master master;

  public MasterHandler() {
    this(Carillon.of(System.getenv()));
  }

  public MasterHandler(Carillon carillon) {
    this.carillon = carillon;
    this.master = carillon.master();
  }

  @Override
  public @Nullable Void handleRequest(ScheduledEvent event, Context context) {
    master.tick(carillon.deadline(context));
    return null;
  }
}
