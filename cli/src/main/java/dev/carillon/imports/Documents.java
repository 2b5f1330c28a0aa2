package dev.carillon.imports;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.stream.Collectors;

/** The JSON or YAML documents of a source, with the lines at which objects begin. */
public final class Documents {

  private final Source source;
  private final List<JsonNode> roots = new ArrayList<>();
  private final IdentityHashMap<JsonNode, Integer> lines = new IdentityHashMap<>();

  private Documents(Source source) {
    this.source = source;
  }

  /** Reads one or several JSON documents, including NDJSON. */
  public static Documents json(Source source) {
    return new Documents(source)
        .read(JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build());
  }

  /** Reads one or several YAML documents of at most 3 MiB in total. */
  public static Documents yaml(Source source) {
    return new Documents(source)
        .read(
            new ObjectMapper(
                YAMLFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build()));
  }

  private Documents read(ObjectMapper mapper) {
    mapper.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    try (JsonParser parser = mapper.createParser(source.text())) {
      MappingIterator<JsonNode> documents =
          mapper
              .readerFor(JsonNode.class)
              .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
              .with(new Locating(parser))
              .readValues(parser);
      while (documents.hasNextValue()) {
        roots.add(documents.nextValue());
      }
      return this;
    } catch (JsonProcessingException invalid) {
      int line = invalid.getLocation() == null ? 1 : invalid.getLocation().getLineNr();
      throw new UnreadableSource(source.at(line), oneLine(invalid.getOriginalMessage()));
    } catch (IOException impossible) {
      throw new UnreadableSource(source.file() + ": " + impossible.getMessage());
    }
  }

  /** The message of the YAML parser, without its positions and excerpts, which are indented. */
  private static String oneLine(String message) {
    return message
        .lines()
        .filter(line -> !line.startsWith(" ") && !line.isBlank())
        .collect(Collectors.joining(": "));
  }

  /** The documents, without empty ones. */
  public List<JsonNode> roots() {
    return roots.stream().filter(root -> !isEmpty(root)).toList();
  }

  private static boolean isEmpty(JsonNode root) {
    return root.isNull() || root.isMissingNode() || (root.isTextual() && root.asText().isBlank());
  }

  /** The place where an object begins; the first line for any other value. */
  public Place place(JsonNode object) {
    return source.at(lines.getOrDefault(object, 1));
  }

  /**
   * Records the line at which each object begins, and refuses aliases, which would be read as text.
   */
  private final class Locating extends JsonNodeFactory {

    private static final long serialVersionUID = 1L;

    private final transient JsonParser parser;

    Locating(JsonParser parser) {
      this.parser = parser;
    }

    @Override
    public ObjectNode objectNode() {
      ObjectNode made = super.objectNode();
      lines.put(made, parser.currentTokenLocation().getLineNr());
      return made;
    }

    @Override
    public TextNode textNode(String text) {
      if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
        throw new UnreadableSource(
            source.at(parser.currentTokenLocation().getLineNr()),
            "the alias *" + text + " is not supported; write the value itself");
      }
      return super.textNode(text);
    }
  }
}
