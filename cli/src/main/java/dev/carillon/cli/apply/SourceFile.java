package dev.carillon.cli.apply;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON or YAML file.
 *
 * @param tree the content of the file
 * @param lines the line of each value, by JSON pointer
 */
public record SourceFile(Path file, JsonNode tree, Map<String, Integer> lines) {

  /** The name that stands for the standard input. */
  private static final Path STANDARD_INPUT = Path.of("-");

  /**
   * Reads a file as JSON if its name ends with {@code .json}, otherwise as YAML.
   *
   * @param file {@code -} for the standard input
   * @throws FaultyFiles if the file cannot be read, or is not such a document
   */
  public static SourceFile read(Path file) {
    JsonFactory format = file.toString().endsWith(".json") ? new JsonFactory() : new YAMLFactory();
    ObjectMapper mapper =
        new ObjectMapper(format)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .configure(StreamReadFeature.STRICT_DUPLICATE_DETECTION.mappedFeature(), true)
            .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false);
    try {
      String text = isStandardInput(file) ? standardInput() : Files.readString(file);
      return new SourceFile(file, mapper.readTree(text), lines(file, mapper, text));
    } catch (JsonProcessingException invalid) {
      throw new FaultyFiles(fault(file, invalid));
    } catch (MalformedInputException binary) {
      throw new FaultyFiles(new LocatedFault(file, 1, "", "it is not a text in UTF-8"));
    } catch (IOException unreadable) {
      throw new FaultyFiles(
          new LocatedFault(
              file, 0, "", "it cannot be read; name an existing file that you can read"));
    }
  }

  static boolean isStandardInput(Path file) {
    return file.equals(STANDARD_INPUT);
  }

  private static String standardInput() throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(System.in.readAllBytes());
    return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
  }

  private static LocatedFault fault(Path file, JsonProcessingException invalid) {
    YamlFault ofYaml = YamlFault.of(invalid);
    if (ofYaml != null) {
      return new LocatedFault(file, ofYaml.line(), "", ofYaml.detail());
    }
    int line = invalid.getLocation() == null ? 1 : invalid.getLocation().getLineNr();
    String text = invalid.getOriginalMessage().lines().findFirst().orElse("it is malformed");
    String detail =
        text.startsWith("Trailing token")
            ? "a second document begins here; give one document or one list in each file"
            : text;
    return new LocatedFault(file, line, "", detail);
  }

  /**
   * The line of each value.
   *
   * @throws FaultyFiles if a value is an alias, because the tree has the name of the alias instead
   */
  private static Map<String, Integer> lines(Path file, ObjectMapper mapper, String text)
      throws IOException {
    Map<String, Integer> lines = new HashMap<>();
    try (JsonParser parser = mapper.createParser(text)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        String pointer = parser.getParsingContext().pathAsPointer().toString();
        int line = parser.currentTokenLocation().getLineNr();
        if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
          String detail =
              "the alias *" + parser.getText() + " is not supported; write the value itself";
          throw new FaultyFiles(new LocatedFault(file, line, pointer, detail));
        }
        lines.putIfAbsent(pointer, line);
      }
    }
    return lines;
  }

  /** A fault at a pointer, with the line of the nearest value in the file. */
  public LocatedFault fault(String pointer, String detail) {
    return new LocatedFault(file, line(pointer), pointer, detail);
  }

  private int line(String pointer) {
    @Nullable JsonPointer at = pointer.startsWith("/") ? JsonPointer.compile(pointer) : null;
    while (at != null) {
      Integer line = lines.get(at.toString());
      if (line != null) {
        return line;
      }
      at = at.head();
    }
    return lines.getOrDefault("", 1);
  }
}
