package dev.carillon.master;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.carillon.Carillon;
import org.jspecify.annotations.Nullable;

/**
 * Invoked by a rule, once a minute. What the event says makes no difference, and its type would
 * bring a library for dates into the cold start.
 */
public final class MasterHandler implements RequestHandler<Object, @Nullable Void> {

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
  public @Nullable Void handleRequest(Object event, Context context) {
    master.tick(carillon.deadline(context));
    return null;
  }
}
