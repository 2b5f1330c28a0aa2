package dev.carillon.memory;

import dev.carillon.event.RejectedMessage;
import dev.carillon.event.RejectedMessages;
import java.util.ArrayList;
import java.util.List;

/** Rejected events in memory. */
public final class MemoryRejectedMessages implements RejectedMessages {

  private final List<RejectedMessage> messages = new ArrayList<>();

  @Override
  public synchronized void reject(List<Rejection> rejections) {
    rejections.forEach(one -> messages.add(RejectedMessage.of(one.body(), one.reason())));
  }

  /** All rejected events, in order. */
  public synchronized List<RejectedMessage> all() {
    return List.copyOf(messages);
  }
}
