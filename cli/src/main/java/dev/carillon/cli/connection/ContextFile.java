package dev.carillon.cli.connection;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.carillon.cli.output.CommandFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The file of named contexts, {@code ~/.config/carillon/config.yaml}. */
public final class ContextFile {

  /** The context that always exists: a local engine. */
  public static final String LOCAL = "local";

  private static final Pattern CURRENT = Pattern.compile("(?m)^current:.*$");

  /** The line that begins the document, with the comments and directives before it. */
  private static final Pattern BEGINNING =
      Pattern.compile("\\A(?:(?:[#%].*)?\\R)*---[ \\t]*(?:#.*)?\\R");

  private final Path file;

  public ContextFile(Path file) {
    this.file = file;
  }

  /** The file that environment variables name, or the usual one. */
  public static ContextFile of(Map<String, String> environment, Path home) {
    String named = environment.get("CARILLON_CONFIG");
    String xdg = environment.get("XDG_CONFIG_HOME");
    Path directory = xdg == null || xdg.isEmpty() ? home.resolve(".config") : Path.of(xdg);
    return new ContextFile(
        named == null ? directory.resolve("carillon").resolve("config.yaml") : Path.of(named));
  }

  /**
   * The content of the file.
   *
   * @param file the file, to which contexts can be added
   * @param current the context in use
   */
  public record Contexts(Path file, String current, Map<String, Settings> contexts) {

    /**
     * @throws CommandFault if there is no such context
     */
    public Settings named(String name) {
      Settings settings = contexts.get(name);
      if (settings == null) {
        throw new CommandFault(
            "there is no context '%s', but %s; add it to %s, like 'contexts: {%s: {stack: NAME}}'"
                .formatted(name, String.join(", ", contexts.keySet()), file, name));
      }
      return settings;
    }
  }

  private record Content(@Nullable String current, @Nullable Map<String, Settings> contexts) {}

  public Path path() {
    return file;
  }

  /** The contexts; only the context of a local engine if there is no file. */
  public Contexts read() {
    return contexts(text());
  }

  private Contexts contexts(String text) {
    Content content = content(text);
    Map<String, Settings> contexts = new TreeMap<>();
    contexts.put(LOCAL, new Settings(Settings.LOCAL_URL, null, null, null, null));
    if (content.contexts() != null) {
      contexts.putAll(content.contexts());
    }
    return new Contexts(file, content.current() == null ? LOCAL : content.current(), contexts);
  }

  /**
   * Makes a context the current one. The rest of the file stays as it is.
   *
   * @throws CommandFault if there is no such context, or if the file has no place for the line that
   *     names the current one
   */
  public void use(String name) {
    String text = text();
    Contexts before = contexts(text);
    before.named(name);
    String line = "current: \"" + name + "\"";
    String changed = with(line, text);
    if (!means(changed, new Contexts(file, name, before.contexts()))) {
      throw new CommandFault(
          "%s: the line '%s' does not fit into it; write 'current: NAME' and 'contexts:' on lines of their own, without braces around both"
              .formatted(file, line));
    }
    write(changed);
  }

  private static String with(String line, String text) {
    Matcher current = CURRENT.matcher(text);
    if (current.find()) {
      return current.replaceFirst(Matcher.quoteReplacement(line));
    }
    Matcher beginning = BEGINNING.matcher(text);
    int place = beginning.find() ? beginning.end() : 0;
    return text.substring(0, place) + line + "\n" + text.substring(place);
  }

  private boolean means(String text, Contexts wanted) {
    try {
      return contexts(text).equals(wanted);
    } catch (CommandFault unreadable) {
      return false;
    }
  }

  private Content content(String text) {
    if (text.isBlank()) {
      return new Content(null, null);
    }
    try {
      Content content = new YAMLMapper().readValue(text, Content.class);
      return content == null ? new Content(null, null) : content;
    } catch (JsonProcessingException invalid) {
      throw new CommandFault(
          "%s: %s; it has 'current: NAME' and 'contexts: {NAME: {url, stack, region, profile, namespace}}'"
              .formatted(file, invalid.getOriginalMessage().replaceFirst(" \\(class .*", "")),
          invalid);
    }
  }

  private String text() {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException none) {
      return "";
    } catch (IOException unreadable) {
      throw new CommandFault(file + " cannot be read; allow it, or delete it", unreadable);
    }
  }

  private void write(String text) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, text);
    } catch (IOException unwritable) {
      throw new CommandFault(file + " cannot be written; allow it", unwritable);
    }
  }
}
