package dev.carillon.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The test classes of this repository, and the tests in each. */
final class TestMethods {

  private static final List<String> MODULES =
      List.of("functions", "local", "console", "client", "worker", "cli", "campaign", "bench");

  /** A test: its annotation, and the first declaration of a method behind it. */
  private static final Pattern TEST =
      Pattern.compile(
          "^  @(?:Test|ParameterizedTest|Property)\\b.*?^  (?:(?:public )?void) (\\w+)\\(",
          Pattern.MULTILINE | Pattern.DOTALL);

  private static final String JAVA = ".java";

  private final Map<String, Set<String>> byClass = new HashMap<>();

  TestMethods() throws IOException {
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(Document.ROOT.resolve(module + "/src/test/java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(JAVA)).toList()) {
          String name = file.getFileName().toString();
          byClass
              .computeIfAbsent(
                  name.substring(0, name.length() - JAVA.length()), any -> new HashSet<>())
              .addAll(testsIn(Files.readString(file)));
        }
      }
    }
  }

  private static List<String> testsIn(String source) {
    return TEST.matcher(source).results().map(test -> test.group(1)).toList();
  }

  boolean hasClass(String name) {
    return byClass.containsKey(name);
  }

  /** Whether a class of this name, in any package, has such a test. */
  boolean has(String className, String method) {
    return byClass.getOrDefault(className, Set.of()).contains(method);
  }
}
