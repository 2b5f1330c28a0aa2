package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.session.Session;
import dev.carillon.cli.session.World;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class NounTest {

  private final Session session = new Session(World.ofProcess());

  @ParameterizedTest
  @EnumSource
  void aNounAndTheMethodsOfItsVerbsHaveTheNamesOfTheCommands(Noun noun) {
    CommandLine whole = noun.whole(session);
    assertThat(whole.getCommandName()).isEqualTo(noun.word());
    Class<?> type = whole.getCommandSpec().userObject().getClass();
    for (Method verb : CommandLine.getCommandMethods(type, null)) {
      assertThat(verb.getName()).isEqualTo(verb.getAnnotation(Command.class).name());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCallReadsOnlyTheVerbsThatItNames(Noun noun) {
    for (String verb : noun.whole(session).getSubcommands().keySet()) {
      assertThat(noun.part(session, List.of("-n", "x", verb)).getSubcommands())
          .containsOnlyKeys(verb);
    }
    assertThat(noun.part(session, List.of()).getSubcommands())
        .containsOnlyKeys(noun.whole(session).getSubcommands().keySet().toArray(String[]::new));
  }
}
