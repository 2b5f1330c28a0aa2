package dev.carillon.cli.apply;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Finds the files of documents in a directory and below. It skips names that begin with a dot,
 * because they belong to other programs: editors, Git, the services that host repositories.
 */
final class Folder extends SimpleFileVisitor<Path> {

  private static final List<String> ENDINGS = List.of(".json", ".yaml", ".yml");

  private final Path root;
  private final List<Path> found = new ArrayList<>();

  private Folder(Path root) {
    this.root = root;
  }

  /**
   * The files, by name.
   *
   * @throws FaultyFiles if there are none, or if a directory cannot be read
   */
  static List<Path> files(Path directory) {
    Folder folder = new Folder(directory);
    try {
      Files.walkFileTree(
          directory, Set.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, folder);
    } catch (IOException unreadable) {
      throw new FaultyFiles(fault(directory, unreadable));
    }
    if (folder.found.isEmpty()) {
      throw new FaultyFiles(
          new LocatedFault(directory, 0, "", "it has no file that ends with .json, .yaml or .yml"));
    }
    return folder.found.stream().sorted().toList();
  }

  @Override
  public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
    return isSkipped(directory) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    if (!isSkipped(file)
        && attributes.isRegularFile()
        && ENDINGS.stream().anyMatch(file.toString()::endsWith)) {
      found.add(file);
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException unreadable) throws IOException {
    if (isSkipped(file)) {
      return FileVisitResult.CONTINUE;
    }
    throw unreadable;
  }

  private boolean isSkipped(Path path) {
    return !path.equals(root) && path.getFileName().toString().startsWith(".");
  }

  /** The fault of a directory, or of the one below it that the exception names. */
  private static LocatedFault fault(Path directory, IOException cause) {
    Path place =
        cause instanceof FileSystemException named && named.getFile() != null
            ? Path.of(named.getFile())
            : directory;
    String detail =
        cause instanceof FileSystemLoopException
            ? "it is a link to a directory above it; remove the link"
            : "it cannot be read; allow it";
    return new LocatedFault(place, 0, "", detail);
  }
}
