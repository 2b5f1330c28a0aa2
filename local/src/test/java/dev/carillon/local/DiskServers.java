package dev.carillon.local;

import java.nio.file.Path;

/** A JVM to kill: both servers on disk, in a given directory. */
public final class DiskServers {

  private DiskServers() {}

  /** Prints the addresses, and then serves until it is killed. */
  public static void main(String[] arguments) throws InterruptedException {
    Path directory = Path.of(arguments[0]);
    EmbeddedDynamoDb database = EmbeddedDynamoDb.inDirectory(directory.resolve("dynamodb"), 0);
    EmbeddedSqs queues = EmbeddedSqs.inDirectory(directory.resolve("sqs"), 0);
    System.out.println(database.endpoint());
    System.out.println(queues.endpoint());
    Thread.currentThread().join();
  }
}
