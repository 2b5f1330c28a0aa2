package dev.carillon.local;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.elasticmq.persistence.CreateQueueMetadata;
import org.elasticmq.persistence.sql.SqlQueuePersistenceActor;
import org.elasticmq.persistence.sql.SqlQueuePersistenceConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.PartialFunction;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/**
 * Stores ElasticMQ's messages, including those that are received while they are being stored.
 *
 * <p>ElasticMQ adds a receipt to a message while its storing actor reads the receipts. The actor
 * may then read a list that is longer than expected, and fail. A failed actor restarts without its
 * queues, and acknowledges messages from then on without storing them. This actor tries again
 * instead, and never restarts. Only a message that cannot be stored remains unacknowledged.
 */
class MessagePersistence extends SqlQueuePersistenceActor {

  private static final Logger LOG = LoggerFactory.getLogger(MessagePersistence.class);
  private static final int ATTEMPTS = 100;
  private static final Duration PAUSE = Duration.ofMillis(1);

  MessagePersistence(SqlQueuePersistenceConfig config) {
    super(config, CollectionConverters.asScala(List.<CreateQueueMetadata>of()).toList());
  }

  @Override
  public void aroundReceive(PartialFunction<Object, BoxedUnit> receive, Object message) {
    for (int attempt = 1; ; attempt++) {
      try {
        super.aroundReceive(receive, message);
        return;
      } catch (RuntimeException fault) {
        if (attempt == ATTEMPTS) {
          LOG.error("a change of a queue is not stored: {}", message.getClass().getName(), fault);
          return;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }
}
