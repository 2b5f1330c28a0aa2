package dev.carillon.ingest;

import java.util.List;

/** The queue that takes events. */
public interface IngestQueue {

  /**
   * @throws RuntimeException unless every one was accepted; some may have been
   */
  void send(List<String> bodies);
}
