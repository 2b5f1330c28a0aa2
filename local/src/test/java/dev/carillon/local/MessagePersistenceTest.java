package dev.carillon.local;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.pattern.Patterns;
import org.elasticmq.MessageContent;
import org.elasticmq.MillisVisibilityTimeout;
import org.elasticmq.NeverReceived$;
import org.elasticmq.QueueData;
import org.elasticmq.actor.queue.InternalMessage;
import org.elasticmq.actor.queue.QueueEvent;
import org.elasticmq.persistence.sql.GetAllMessages;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;
import scala.collection.immutable.Map;
import scala.collection.mutable.Buffer;
import scala.concurrent.Await;
import scala.concurrent.duration.FiniteDuration;
import scala.jdk.javaapi.CollectionConverters;

/** Stores messages with a half-written receipt. */
class MessagePersistenceTest {

  private static final String QUEUE = "any";
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
  private static final OffsetDateTime THEN =
      OffsetDateTime.of(2026, 3, 1, 0, 0, 0, 0, ZoneOffset.UTC);

  private final ActorSystem system = ActorSystem.create();

  @TempDir Path directory;
  private QueueFile file;
  private ActorRef persistence;

  @BeforeEach
  void start() {
    file = new QueueFile(directory);
    persistence =
        system.actorOf(
            Props.create(MessagePersistence.class, () -> new MessagePersistence(file.open())));
    persistence.tell(new QueueEvent.QueueCreated(queue()), ActorRef.noSender());
  }

  @AfterEach
  void stop() throws Exception {
    Await.ready(system.terminate(), new FiniteDuration(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS));
    file.close();
  }

  @Test
  void aReceiptThatIsWrittenMeanwhileDelaysTheMessage() {
    ask(new QueueEvent.MessageAdded(QUEUE, new HalfWritten("one", 3)));
    assertThat(stored()).containsExactly("one");
  }

  @Test
  void aMessageThatCannotBeStoredKeepsNoOtherFromBeingStored() {
    persistence.tell(
        new QueueEvent.MessageAdded(QUEUE, new HalfWritten("one", Integer.MAX_VALUE)),
        ActorRef.noSender());
    ask(new QueueEvent.MessageAdded(QUEUE, new HalfWritten("two", 0)));
    assertThat(stored()).containsExactly("two");
  }

  private List<String> stored() {
    scala.collection.immutable.List<?> messages =
        (scala.collection.immutable.List<?>) ask(new GetAllMessages(QUEUE));
    return CollectionConverters.asJava(messages).stream()
        .map(each -> ((InternalMessage) each).id())
        .toList();
  }

  private Object ask(Object question) {
    return Patterns.ask(persistence, question, LONGEST_WAIT).toCompletableFuture().join();
  }

  private static QueueData queue() {
    return new QueueData(
        QUEUE,
        new MillisVisibilityTimeout(1_000),
        ZERO,
        ZERO,
        THEN,
        THEN,
        Option.empty(),
        false,
        false,
        Option.empty(),
        Option.empty(),
        Map.from(CollectionConverters.asScala(java.util.Map.<String, String>of())));
  }

  private static Buffer<String> receipts(String... receipts) {
    return CollectionConverters.asScala(new ArrayList<>(Arrays.asList(receipts)));
  }

  /** A message whose receipt appears only after some reads. */
  private static final class HalfWritten extends InternalMessage {

    private int looksBefore;

    HalfWritten(String id, int looksBefore) {
      super(
          id,
          receipts("receipt"),
          0,
          new MessageContent("hello"),
          Map.from(CollectionConverters.asScala(java.util.Map.of())),
          THEN,
          0,
          NeverReceived$.MODULE$,
          0,
          false,
          Option.empty(),
          Option.empty(),
          Option.empty(),
          Option.empty(),
          Option.empty());
      this.looksBefore = looksBefore;
    }

    @Override
    public Buffer<String> deliveryReceipts() {
      return looksBefore-- > 0 ? receipts((String) null) : super.deliveryReceipts();
    }
  }
}
