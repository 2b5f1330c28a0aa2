package dev.carillon.contract;

import dev.carillon.event.IngestQueue;
import dev.carillon.event.RejectedMessage;
import dev.carillon.event.RejectedMessages;
import dev.carillon.memory.MemoryIngestQueue;
import dev.carillon.memory.MemoryRejectedMessages;
import java.util.List;

class MemoryEventQueuesTest extends EventQueuesContract {

  private final MemoryIngestQueue ingest = new MemoryIngestQueue();
  private final MemoryRejectedMessages rejected = new MemoryRejectedMessages();

  @Override
  IngestQueue ingest() {
    return ingest;
  }

  @Override
  List<String> arrived() {
    return ingest.take();
  }

  @Override
  RejectedMessages rejected() {
    return rejected;
  }

  @Override
  List<RejectedMessage> kept() {
    return rejected.all();
  }
}
