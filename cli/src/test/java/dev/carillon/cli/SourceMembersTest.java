package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No member of a document is ignored, and each names what it can name. */
@Timeout(600)
class SourceMembersTest extends EngineCommands {

  private Path write(String name, String text) throws IOException {
    Path file = directory.resolve("files").resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private String faults() {
    Result diff = call.run("diff -f " + directory.resolve("files"));
    assertThat(diff.code()).as(diff.out()).isEqualTo(1);
    return diff.err();
  }

  @Test
  void aMemberBesideADefinitionIsAFault() throws IOException {
    write(
        "a.yaml",
        """
        - name: enc
          pool: {queue: encode}
          depth: 200
          paused: true
        - name: closed
          calendar: {dates: [2030-12-25]}
          zone: UTC
          state: SUSPENDED
        - name: both
          calendar: {dates: [2030-12-25]}
          pool: {queue: encode}
        - name: answer
          schedule: {trigger: {type: manual}, target: {queue: work, template: {}}}
          priority: 2
        """);

    assertThat(faults())
        .contains("a.yaml:3: /0/depth: it is not within the member 'pool'; write it there")
        .contains("a.yaml:4: /0/paused: it is not within the member 'pool'; write it there")
        .contains("a.yaml:7: /1/zone: it is not within the member 'calendar'; write it there")
        .contains("a.yaml:8: /1/state: it is not within the member 'calendar'; write it there")
        .contains("a.yaml:11: /2/pool: it is not within the member 'calendar'")
        .contains("a.yaml:14: /3/priority: it is not within the member 'schedule'");
  }

  @Test
  void aScheduleWhosePoolIsAnObjectIsAFaultyScheduleAndNoPool() throws IOException {
    write("a.yaml", "pool: {queue: encode}\n" + YEARLY);
    write("b.yaml", "calendar: {dates: [2030-12-25]}\n" + YEARLY);

    assertThat(faults()).contains("a.yaml:1: /pool: ", "b.yaml:1: /calendar: ");
    assertThat(good("pools list -o name").lines()).isEmpty();
  }

  @Test
  void whatTheApiAnswersIsApplied() throws IOException {
    write("enc.yaml", "pool: {queue: encode}\n");
    write("closed.yaml", "calendar: {dates: [2030-12-25]}\n");
    write("a.yaml", YEARLY);
    good("apply --yes -f " + directory.resolve("files"));
    good("schedules suspend a --mode discard");
    write("enc.yaml", good("pools show enc -o yaml").out());
    write("closed.json", good("calendars show closed -o json").out());
    Files.delete(directory.resolve("files/closed.yaml"));
    write("a.yaml", good("schedules show a -o yaml").out());
    assertThat(good("diff -f " + directory.resolve("files")).err()).contains("3 unchanged");

    for (String list : List.of("pools", "calendars", "schedules")) {
      Path file =
          Files.writeString(directory.resolve("l.json"), good(list + " list -o json").out());
      assertThat(good("diff -f " + file).err()).contains("1 unchanged");
    }
  }

  @Test
  void aNamespaceThatIsNoStringIsRefused() throws IOException {
    write("a.yaml", "namespace: [a]\n" + YEARLY);
    write("b.yaml", "namespace: 2030\n" + YEARLY);

    assertThat(faults())
        .contains("a.yaml:1: /namespace: [\"a\"] is not a string; write the name in quotes")
        .contains("b.yaml:1: /namespace: 2030 is not a string; write the name in quotes");
  }

  @Test
  void aNameThatNoObjectCanHaveIsRefusedWithTheRule() throws IOException {
    String rule = "give 1 to 64 letters, digits, \".\", \"_\" or \"-\", but not only dots";
    String namespaces = "give 1 to 32 letters, digits, \"_\" or \"-\"";
    write("a.yaml", "name: a/b\n" + YEARLY);
    write("b.yaml", "name: c/d\npool: {queue: work}\n");
    write("c.yaml", "namespace: a.b\n" + YEARLY);
    write("d e.yaml", YEARLY);
    write("f g/h.yaml", YEARLY);

    assertThat(faults())
        .contains("a.yaml:1: /name: \"a/b\" is not a valid name; " + rule)
        .contains("b.yaml:1: /name: \"c/d\" is not a valid name; " + rule)
        .contains("c.yaml:1: /namespace: \"a.b\" is not a valid name of a namespace; " + namespaces)
        .contains("d e.yaml:1: \"d e\" is not a valid name; " + rule)
        .contains("h.yaml:1: \"f g\" is not a valid name of a namespace; " + namespaces);
  }
}
