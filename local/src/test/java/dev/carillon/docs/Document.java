package dev.carillon.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Markdown document of this repository. */
record Document(Path file, List<String> lines) {

  static final Path ROOT = Path.of("..");

  private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)\\]\\(([^)\\s]+)\\)");
  private static final Pattern LIST_ITEM = Pattern.compile("\\s*([*-]|\\d+\\.) .*");
  private static final String FENCE = "```";

  /** A fenced block, without its fences. */
  record Block(String language, String text) {}

  static Document of(String path) {
    return read(ROOT.resolve(path));
  }

  /** The documents for readers: in the root, of the libraries, and all below {@code docs}. */
  static List<Document> all() throws IOException {
    Stream<Path> roots =
        Stream.of("README.md", "CONTRIBUTING.md", "client/README.md", "worker/README.md")
            .map(ROOT::resolve);
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(roots, docs.filter(file -> file.toString().endsWith(".md")))
          .map(Document::read)
          .toList();
    }
  }

  static Document read(Path file) {
    try {
      return new Document(file, Files.readAllLines(file));
    } catch (IOException fault) {
      throw new IllegalStateException(file + " cannot be read", fault);
    }
  }

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    String language = null;
    for (String line : lines) {
      if (line.startsWith(FENCE)) {
        if (language != null) {
          blocks.add(new Block(language, text.toString()));
        }
        language = language == null ? line.substring(FENCE.length()).strip() : null;
        text.setLength(0);
      } else if (language != null) {
        text.append(line).append('\n');
      }
    }
    return blocks;
  }

  /** The targets of all links. */
  List<String> links() {
    return LINK.matcher(String.join("\n", prose())).results().map(link -> link.group(2)).toList();
  }

  /** What links can name behind a {@code #}. */
  Set<String> anchors() {
    return prose().stream()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  /** Paragraphs, list items and cells of tables, as they are shown. */
  List<String> paragraphs() {
    List<String> paragraphs = new ArrayList<>();
    StringBuilder paragraph = new StringBuilder();
    for (String line : prose()) {
      boolean isTable = line.startsWith("|");
      if (line.isBlank() || isTable || LIST_ITEM.matcher(line).matches()) {
        paragraphs.add(paragraph.toString());
        paragraph.setLength(0);
      }
      if (isTable) {
        paragraphs.addAll(cells(line));
      } else {
        paragraph.append(shown(line)).append(' ');
      }
    }
    paragraphs.add(paragraph.toString());
    return paragraphs;
  }

  /** The rows of tables in the section of a heading, without their heads. */
  List<List<String>> rows(String heading) {
    return section(heading).stream()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| behaviour "))
        .map(Document::cells)
        .toList();
  }

  static List<String> cells(String row) {
    return Arrays.stream(row.replace("\\|", "/").split("\\|")).skip(1).map(String::strip).toList();
  }

  private List<String> section(String heading) {
    return lines.stream()
        .dropWhile(line -> !line.equals("## " + heading))
        .skip(1)
        .takeWhile(line -> !line.startsWith("## "))
        .toList();
  }

  List<String> prose() {
    List<String> prose = new ArrayList<>();
    boolean isCode = false;
    for (String line : lines) {
      if (line.startsWith(FENCE)) {
        isCode = !isCode;
        prose.add("");
      } else if (!isCode) {
        prose.add(line);
      }
    }
    return prose;
  }

  private static String shown(String line) {
    return LINK.matcher(line).replaceAll(link -> Matcher.quoteReplacement(link.group(1)));
  }
}
