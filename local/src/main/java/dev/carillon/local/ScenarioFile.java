package dev.carillon.local;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.carillon.document.Json;
import dev.carillon.document.NotJson;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads the file of a scenario: as JSON if its name ends with {@code .json}, otherwise as YAML. The
 * name {@code -} is the standard input.
 */
final class ScenarioFile {

  private static final Path STANDARD_INPUT = Path.of("-");

  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false)
          .build();

  private ScenarioFile() {}

  /**
   * @throws Unreadable if the file is not exactly one document
   */
  static JsonNode read(Path file) throws Unreadable {
    boolean isJson = file.toString().endsWith(".json");
    try {
      String text = file.equals(STANDARD_INPUT) ? standardInput() : Files.readString(file);
      return isJson ? Json.read(text) : yaml(text);
    } catch (JsonProcessingException fault) {
      throw new Unreadable(isJson ? NotJson.detail(file.toString(), fault) : located(file, fault));
    } catch (MalformedInputException binary) {
      throw new Unreadable(file + " is not a text in UTF-8");
    } catch (IOException absent) {
      throw new Unreadable(file + ": it cannot be read; name an existing file that you can read");
    }
  }

  private static String standardInput() throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(System.in.readAllBytes());
    return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
  }

  /** The document as the API would read it, because the command line sends it as JSON. */
  private static JsonNode yaml(String text) throws IOException {
    refuseAliases(text);
    return Json.read(YAML.readTree(text).toString());
  }

  /** Refuses aliases, because a tree has the name of an alias instead of its value. */
  private static void refuseAliases(String text) throws IOException {
    try (YAMLParser parser = new YAMLFactory().createParser(text)) {
      while (parser.nextToken() != null) {
        if (parser.isCurrentAlias()) {
          throw new JsonParseException(
              parser,
              "the alias *" + parser.getText() + " is not supported; write the value itself");
        }
      }
    }
  }

  private static String located(Path file, JsonProcessingException fault) {
    YamlFault ofYaml = YamlFault.of(fault);
    if (ofYaml != null) {
      return file + ":" + ofYaml.line() + ": " + ofYaml.detail();
    }
    int line = fault.getLocation() == null ? 1 : fault.getLocation().getLineNr();
    String detail = fault.getOriginalMessage().lines().findFirst().orElse("it is malformed");
    return file
        + ":"
        + line
        + ": "
        + (detail.startsWith("Trailing token")
            ? "a second document begins here; give one document in the file"
            : detail);
  }

  /** A file without a scenario; the message says what is wrong with it. */
  static final class Unreadable extends Exception {

    private static final long serialVersionUID = 1;

    private Unreadable(String message) {
      super(message);
    }
  }
}
