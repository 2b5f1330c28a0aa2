package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All documents below a given directory are read, or it is said why not. */
@Timeout(600)
class SourceFolderTest extends EngineCommands {

  private Path write(String name, String text) throws IOException {
    Path file = directory.resolve("files").resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private Result diff() {
    return call.run("diff -f " + directory.resolve("files"));
  }

  @Test
  void aLinkedDirectoryIsReadLikeAnyOther() throws IOException {
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve("linked.yaml"), YEARLY);
    write("a.yaml", YEARLY);
    Files.createSymbolicLink(directory.resolve("files/team"), elsewhere);

    assertThat(diff().out()).contains("/a\n", "+ create team/linked\n");
  }

  @Test
  void hiddenFilesAndFoldersAreSkippedUnlessTheyAreNamed() throws IOException {
    write("a.yaml", YEARLY);
    Path hidden = write(".old.yaml", "- 7\n");
    Path folder = write("team/.git/x.yaml", "- 7\n").getParent();
    Files.createSymbolicLink(directory.resolve("files/.up"), directory.resolve("files"));

    for (String named : List.of("files", "files/.", "files/./team/..")) {
      Result diff = call.run("diff -f " + directory.resolve(named));
      assertThat(diff.lines()).as(diff.err()).hasSize(1);
    }
    assertThat(call.run("diff -f " + hidden).err()).contains(".old.yaml:1: /0: ");
    assertThat(call.run("diff -f " + folder).err()).contains("x.yaml:1: /0: ");
  }

  @Test
  void aLinkToADirectoryAboveIsRefused() throws IOException {
    write("team/a.yaml", YEARLY);
    Path link = directory.resolve("files/team/up");
    Files.createSymbolicLink(link, directory.resolve("files"));

    Result diff = diff();
    assertThat(diff.code()).isEqualTo(1);
    assertThat(diff.err())
        .isEqualTo(
            "carillon: files have faults:\n"
                + link
                + ": it is a link to a directory above it; remove the link\n");
  }

  @Test
  void aDirectoryThatCannotBeReadIsNamed() throws IOException {
    write("a.yaml", YEARLY);
    Path closed = Files.createDirectory(directory.resolve("files/closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    try {
      Assumptions.assumeFalse(Files.isReadable(closed), "this user can read everything");
      assertThat(diff().err()).contains(closed + ": it cannot be read; allow it");
    } finally {
      Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void aNameThatIsNoStringIsRefused() throws IOException {
    write("a.yaml", "name: 2030\n" + YEARLY);
    write("b.yaml", "- name: true\n  pool: {queue: work}\n");

    Result diff = diff();
    assertThat(diff.code()).isEqualTo(1);
    assertThat(diff.err())
        .contains("a.yaml:1: /name: 2030 is not a string; write the name in quotes")
        .contains("b.yaml:1: /0/name: true is not a string; write the name in quotes");
  }
}
