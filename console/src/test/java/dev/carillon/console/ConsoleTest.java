package dev.carillon.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsoleTest {

  private static final int MOST_BYTES = 300 * 1024;
  private static final Pattern REFERENCE =
      Pattern.compile("(?:href|src)=\"([^\"]+)\"|from \"\\./([^\"]+)\"|src: \"([^\"]+)\"");

  @Test
  void thePageWeighsLittle() {
    int own = 0;
    int libraries = 0;
    for (String name : Console.names()) {
      int bytes = Console.answer(name, null).body().length;
      own += Library.FILES.containsKey(name) ? 0 : bytes;
      libraries += Library.FILES.containsKey(name) ? bytes : 0;
    }
    System.out.printf(
        "the page weighs %d bytes, %d of them libraries%n", own + libraries, libraries);
    assertThat(own + libraries).isBetween(100_000, MOST_BYTES);
  }

  @Test
  void eachFileIsServedWithItsType() {
    assertThat(Console.answer("", null).body())
        .isEqualTo(content("index.html").getBytes(StandardCharsets.UTF_8));
    assertThat(type("")).isEqualTo("text/html; charset=utf-8");
    assertThat(type("main.js")).isEqualTo("text/javascript; charset=utf-8");
    assertThat(type("preact.js")).isEqualTo("text/javascript; charset=utf-8");
    assertThat(type("console.css")).isEqualTo("text/css; charset=utf-8");
    assertThat(type("icon.svg")).isEqualTo("image/svg+xml");
  }

  @Test
  void whatAFileRefersToIsServed() {
    List<String> referred = new ArrayList<>();
    for (String name : Console.names()) {
      if (!Library.FILES.containsKey(name)) {
        Matcher reference = REFERENCE.matcher(content(name));
        while (reference.find()) {
          referred.add(first(reference));
        }
      }
    }
    referred.removeIf(name -> name.startsWith("#"));
    assertThat(referred).isNotEmpty();
    assertThat(Console.names()).containsAll(referred);
  }

  private static String first(Matcher reference) {
    for (int group = 1; group < reference.groupCount(); group++) {
      if (reference.group(group) != null) {
        return reference.group(group);
      }
    }
    return reference.group(reference.groupCount());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../../../../META-INF/MANIFEST.MF",
        "/index.html",
        "Console.class",
        "%2e%2e/secret",
        "..%2f..%2fpom.xml",
        "index.html/",
        "INDEX.HTML",
        "main.js\u0000",
        "."
      })
  void nothingElseIsServed(String name) {
    Console.Answer answer = Console.answer(name, null);
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.body()).isEmpty();
    assertThat(answer.headers()).containsKey("Content-Security-Policy");
  }

  @Test
  void aBrowserKeepsWhatHasNotChanged() {
    String etag = Console.answer("main.js", null).headers().get("ETag");
    assertThat(etag)
        .matches("\"[0-9a-f]{32}\"")
        .isNotEqualTo(Console.answer("api.js", null).headers().get("ETag"));

    Console.Answer again = Console.answer("main.js", etag);
    assertThat(again.status()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(again.headers()).containsEntry("ETag", etag);
    assertThat(Console.answer("main.js", "\"other\"").status()).isEqualTo(200);
  }

  @Test
  void everyFileComesWithThePolicy() {
    for (String name : Console.names()) {
      assertThat(Console.answer(name, null).headers())
          .hasEntrySatisfying(
              "Content-Security-Policy",
              policy ->
                  assertThat(policy).startsWith("default-src 'self';").doesNotContain("unsafe"))
          .containsEntry("X-Content-Type-Options", "nosniff")
          .containsEntry("Referrer-Policy", "no-referrer");
    }
  }

  /** Text of the server is inserted as text: no module has a way to insert HTML. */
  @Test
  void noModuleInsertsHtml() {
    for (String name : Console.names()) {
      if (!Library.FILES.containsKey(name) && name.endsWith(".js")) {
        assertThat(content(name))
            .doesNotContain(
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "dangerously",
                "eval(",
                "http:",
                "https:");
      }
    }
  }

  private static String content(String name) {
    return new String(Console.answer(name, null).body(), StandardCharsets.UTF_8);
  }

  private static String type(String name) {
    return Console.answer(name, null).headers().get("Content-Type");
  }
}
