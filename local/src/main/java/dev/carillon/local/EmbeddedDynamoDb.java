package dev.carillon.local;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.LoggerFactory;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/** DynamoDB Local in this JVM, on the loopback interface only. */
public final class EmbeddedDynamoDb implements AutoCloseable {

  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(EmbeddedDynamoDb.class);

  /** Kept, because java.util.logging forgets the level of a logger that nobody holds. */
  private static final Logger SQLITE_LOG = Logger.getLogger("com.almworks.sqlite4java");

  private static final String LOOPBACK = "127.0.0.1";
  private static final int MOST_THREADS = 64;
  private static final int LEAST_THREADS = 4;

  /** Longer than any client keeps an idle connection, so that none is closed under its feet. */
  private static final long IDLE_MILLIS = 600_000;

  private final Server server;
  private final ServerConnector connector;
  private final LocalDynamoDBServerHandler handler;

  private EmbeddedDynamoDb(LocalDynamoDBRequestHandler requests, int port) {
    handler = new LocalDynamoDBServerHandler(requests, null);
    QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, LEAST_THREADS);
    threads.setDaemon(true);
    threads.setName("dynamodb");
    server = new Server(threads);
    connector = new ServerConnector(server, 1, 1);
    connector.setHost(LOOPBACK);
    connector.setPort(port);
    connector.setIdleTimeout(IDLE_MILLIS);
    server.addConnector(connector);
    server.setHandler(handler);
    server.setStopTimeout(0);
  }

  /**
   * @param port 0 for any free one
   */
  public static EmbeddedDynamoDb inMemory(int port) {
    SQLITE_LOG.setLevel(Level.WARNING);
    return new EmbeddedDynamoDb(new LocalDynamoDBRequestHandler(0, true, null, true, false), port)
        .start();
  }

  /**
   * Keeps everything in the directory: what was answered is there after an abrupt end.
   *
   * @param port 0 for any free one
   */
  public static EmbeddedDynamoDb inDirectory(Path directory, int port) {
    SQLITE_LOG.setLevel(Level.WARNING);
    DurableRequests requests = new DurableRequests(made(directory).toString());
    EmbeddedDynamoDb database = new EmbeddedDynamoDb(requests, port);
    requests.prepare();
    return database.start();
  }

  public URI endpoint() {
    return URI.create("http://" + LOOPBACK + ":" + connector.getLocalPort());
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception fault) {
      LOG.warn("DynamoDB Local did not stop cleanly", fault);
    }
    handler.close();
  }

  private EmbeddedDynamoDb start() {
    try {
      server.start();
      return this;
    } catch (Exception fault) {
      close();
      throw new StartFault(
          "DynamoDB Local cannot listen on port "
              + connector.getPort()
              + ": it is taken; give another one with --dynamodb-port",
          fault);
    }
  }

  private static Path made(Path directory) {
    try {
      return Files.createDirectories(directory).toAbsolutePath();
    } catch (IOException fault) {
      throw new StartFault("cannot write to the data directory " + directory, fault);
    }
  }
}
