package dev.carillon.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.carillon.lambda.Carillon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The handlers that the template names. */
class TemplateHandlersTest {

  private static final Pattern HANDLER = Pattern.compile("(?m)^ +Handler: +(\\S+)$");

  static List<String> handlers() throws IOException {
    String template = Files.readString(Path.of("../template.yaml"));
    return HANDLER.matcher(template).results().map(match -> match.group(1)).toList();
  }

  @ParameterizedTest
  @MethodSource("handlers")
  void everyHandlerIsThereAndCanBeBuilt(String name) throws Exception {
    Class<?> handler = Class.forName(name);
    assertThat(handler.getConstructor().canAccess(null)).as("Lambda needs it").isTrue();
    try (Stack stack = new Stack()) {
      assertThat(handler.getConstructor(Carillon.class).newInstance(stack.carillon))
          .isInstanceOf(RequestHandler.class);
    }
  }

  @ParameterizedTest
  @MethodSource("handlers")
  void everyHandlerHasASample(String name) throws IOException {
    String function =
        name.substring(name.lastIndexOf('.') + 1).replace("Handler", "").toLowerCase(Locale.ROOT);
    try (Stream<Path> samples = Files.list(Path.of("../events"))) {
      assertThat(samples).anyMatch(file -> file.getFileName().toString().startsWith(function));
    }
  }
}
