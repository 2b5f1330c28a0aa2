package dev.carillon.local;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.pattern.Patterns;
import org.elasticmq.NodeAddress;
import org.elasticmq.StrictSQSLimits$;
import org.elasticmq.actor.QueueManagerActor;
import org.elasticmq.actor.queue.QueueEvent;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.elasticmq.util.NowProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.concurrent.Await;
import scala.concurrent.duration.FiniteDuration;
import scala.util.Either;

/** ElasticMQ in this JVM, on the loopback interface only. */
public final class EmbeddedSqs implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedSqs.class);
  private static final Duration RESTORE_TIME = Duration.ofSeconds(30);
  private static final FiniteDuration STOP_TIME = new FiniteDuration(3, TimeUnit.SECONDS);
  private static final Config QUIET_DAEMON =
      ConfigFactory.parseString(
          """
          pekko.daemonic = on
          pekko.loglevel = WARNING
          pekko.stdout-loglevel = WARNING
          pekko.log-dead-letters = off
          pekko.log-dead-letters-during-shutdown = off
          pekko.http.server.pipelining-limit = 1
          pekko.loggers = ["org.apache.pekko.event.slf4j.Slf4jLogger"]
          pekko.logging-filter = "org.apache.pekko.event.slf4j.Slf4jLoggingFilter"
          """);

  private final ActorSystem system;
  private final SQSRestServer server;
  private final int port;
  private final @Nullable QueueFile file;

  private EmbeddedSqs(int port, @Nullable QueueFile file) {
    this.file = file;
    system = ActorSystem.create("elasticmq", QUIET_DAEMON.withFallback(ConfigFactory.load()));
    try {
      GuardedHttp.install(system);
      server = start(port, file);
      this.port = boundPort(server, port);
    } catch (RuntimeException fault) {
      system.terminate();
      throw fault;
    }
  }

  /**
   * @param port 0 for any free one
   */
  public static EmbeddedSqs inMemory(int port) {
    return new EmbeddedSqs(port, null);
  }

  /**
   * Keeps queues and messages in the directory. Every accepted message survives an abrupt end, and
   * messages in flight become visible again; messages that SQS would no longer keep are deleted. A
   * JVM can run only one server that does so.
   *
   * @param port 0 for any free one
   */
  public static EmbeddedSqs inDirectory(Path directory, int port) {
    QueueFile file = new QueueFile(directory);
    file.prepare();
    return new EmbeddedSqs(port, file);
  }

  public URI endpoint() {
    return URI.create("http://" + LoopbackServer.LOOPBACK + ":" + port);
  }

  @Override
  public void close() {
    try {
      Await.ready(server.stopAndGetFuture().apply(), STOP_TIME);
      Await.ready(system.terminate(), STOP_TIME);
    } catch (TimeoutException slow) {
      LOG.debug("ElasticMQ is still stopping");
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    if (file != null) {
      file.close();
    }
  }

  private SQSRestServer start(int wantedPort, @Nullable QueueFile storage) {
    var builder =
        SQSRestServerBuilder.withActorSystem(system)
            .withInterface(LoopbackServer.LOOPBACK)
            .withSQSLimits(StrictSQSLimits$.MODULE$)
            .withAWSRegion(LocalAccount.REGION)
            .withAWSAccountId(LocalAccount.ID);
    if (storage != null) {
      builder = builder.withQueueManagerActor(restored(storage));
    }
    return wantedPort == 0
        ? builder.withDynamicPort().start()
        : builder
            .withPort(wantedPort)
            .withServerAddress(new NodeAddress("http", LoopbackServer.LOOPBACK, wantedPort, ""))
            .start();
  }

  private ActorRef restored(QueueFile storage) {
    ActorRef persistence =
        system.actorOf(
            Props.create(MessagePersistence.class, () -> new MessagePersistence(storage.open())));
    ActorRef queues =
        system.actorOf(
            Props.create(
                QueueManagerActor.class,
                () ->
                    new QueueManagerActor(
                        new NowProvider(), StrictSQSLimits$.MODULE$, Option.apply(persistence))));
    Object outcome =
        Patterns.ask(persistence, new QueueEvent.Restore(queues), RESTORE_TIME)
            .toCompletableFuture()
            .join();
    if (outcome instanceof Either<?, ?> either && either.isLeft()) {
      throw new StartFault("the stored queues cannot be restored: " + either);
    }
    return queues;
  }

  private static int boundPort(SQSRestServer server, int wantedPort) {
    try {
      return server.waitUntilStarted().localAddress().getPort();
    } catch (Exception fault) {
      throw StartFault.port("ElasticMQ", wantedPort, "--sqs-port", fault);
    }
  }
}
