package dev.carillon.local;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/** DynamoDB Local in this JVM, on the loopback interface only. */
public final class EmbeddedDynamoDb implements AutoCloseable {

  /**
   * The logger is kept in a field, because java.util.logging drops the level of a logger that is
   * not referenced.
   */
  private static final Logger SQLITE_LOG = Logger.getLogger("com.almworks.sqlite4java");

  static {
    SQLITE_LOG.setLevel(Level.WARNING);
  }

  private static final int MOST_THREADS = 64;

  /**
   * Guards the table of operations, which all databases of a JVM share. The constructor of a
   * handler replaces it by an empty one and fills that, so other databases would refuse requests
   * meanwhile.
   */
  private static final ReadWriteLock OPERATIONS = new ReentrantReadWriteLock();

  private final LoopbackServer server;
  private final LocalDynamoDBServerHandler handler;

  private EmbeddedDynamoDb(LocalDynamoDBRequestHandler requests, int port) {
    server = new LoopbackServer("DynamoDB Local", port, "--dynamodb-port", MOST_THREADS);
    handler = handler(requests);
    try {
      server.start(handler);
    } catch (StartFault fault) {
      handler.close();
      throw fault;
    }
  }

  private static LocalDynamoDBServerHandler handler(LocalDynamoDBRequestHandler requests) {
    OPERATIONS.writeLock().lock();
    try {
      return new Handler(requests);
    } finally {
      OPERATIONS.writeLock().unlock();
    }
  }

  /** Answers no request while the table of operations is filled. */
  private static final class Handler extends LocalDynamoDBServerHandler {

    Handler(LocalDynamoDBRequestHandler requests) {
      super(requests, null);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      OPERATIONS.readLock().lock();
      try {
        return super.handle(request, response, callback);
      } finally {
        OPERATIONS.readLock().unlock();
      }
    }
  }

  /**
   * @param port 0 for any free port
   */
  public static EmbeddedDynamoDb inMemory(int port) {
    return new EmbeddedDynamoDb(new LocalDynamoDBRequestHandler(0, true, null, true, false), port);
  }

  /**
   * Keeps all data in the directory; every answered write survives an abrupt end.
   *
   * @param port 0 for any free port
   */
  public static EmbeddedDynamoDb inDirectory(Path directory, int port) {
    DurableRequests requests = new DurableRequests(made(directory).toString());
    requests.prepare();
    return new EmbeddedDynamoDb(requests, port);
  }

  public URI endpoint() {
    return server.address();
  }

  @Override
  public void close() {
    server.close();
    handler.close();
  }

  private static Path made(Path directory) {
    try {
      return Files.createDirectories(directory).toAbsolutePath();
    } catch (IOException fault) {
      throw new StartFault("cannot write to the data directory " + directory, fault);
    }
  }
}
