package dev.carillon.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The directory in which an engine keeps its data; at most one engine uses it at a time. */
final class DataDirectory implements AutoCloseable {

  private final Path path;
  private final FileChannel lock;

  private DataDirectory(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  static DataDirectory take(Path path) {
    try {
      Files.createDirectories(path);
      FileChannel lock =
          FileChannel.open(
              path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!locked(lock)) {
        lock.close();
        throw new StartFault(
            "the data directory "
                + path
                + " is in use by another engine; stop that engine, or use another directory");
      }
      return new DataDirectory(path, lock);
    } catch (IOException fault) {
      throw new StartFault("cannot write to the data directory " + path + ": " + fault, fault);
    }
  }

  private static boolean locked(FileChannel lock) throws IOException {
    try {
      return lock.tryLock() != null;
    } catch (OverlappingFileLockException sameJvm) {
      return false;
    }
  }

  Path database() {
    return path.resolve("dynamodb");
  }

  Path queues() {
    return path.resolve("sqs");
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
