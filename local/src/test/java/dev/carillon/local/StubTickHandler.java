package dev.carillon.local;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;

/** Records its ticks. */
public final class StubTickHandler implements RequestHandler<ScheduledEvent, Void> {

  private final StubRoot root;

  public StubTickHandler() {
    this(StubRoot.of(System.getenv()));
  }

  public StubTickHandler(StubRoot root) {
    this.root = root;
  }

  @Override
  public Void handleRequest(ScheduledEvent event, Context context) {
    root.note(Integer.toString(context.getRemainingTimeInMillis()));
    root.record(event);
    return null;
  }
}
