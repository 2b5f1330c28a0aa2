package dev.carillon.contract;

import dev.carillon.event.IngestQueue;
import dev.carillon.ingest.RejectedEvents;
import dev.carillon.ingest.RejectedMessage;
import dev.carillon.memory.MemoryIngestQueue;
import dev.carillon.memory.MemoryRejectedEvents;
import java.util.List;

class MemoryEventQueuesTest extends EventQueuesContract {

  private final MemoryIngestQueue ingest = new MemoryIngestQueue();
  private final MemoryRejectedEvents rejected = new MemoryRejectedEvents();

  @Override
  IngestQueue ingest() {
    return ingest;
  }

  @Override
  List<String> arrived() {
    return ingest.take();
  }

  @Override
  RejectedEvents rejected() {
    return rejected;
  }

  @Override
  List<RejectedMessage> kept() {
    return rejected.all();
  }
}
