package dev.carillon.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import java.util.Set;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/** Writes YAML that reads back as the same value. */
public final class Yaml {

  private static final YAMLMapper MAPPER =
      YAMLMapper.builder(YAMLFactory.builder().stringQuotingChecker(new Quotes()).build())
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .disable(YAMLGenerator.Feature.SPLIT_LINES)
          .build();

  private Yaml() {}

  /**
   * Also quotes the strings that YAML reads as numbers of base 60, like {@code 12:30.5}. Jackson
   * quotes other numbers, but none with a colon.
   */
  private static final class Quotes extends StringQuotingChecker.Default {

    private static final long serialVersionUID = 1L;
    private static final Resolver READER = new Resolver();
    private static final Set<Tag> NUMBERS = Set.of(Tag.INT, Tag.FLOAT);

    @Override
    public boolean needToQuoteValue(String value) {
      return super.needToQuoteValue(value)
          || NUMBERS.contains(READER.resolve(NodeId.scalar, value, true));
    }
  }

  public static String text(JsonNode value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException impossible) {
      throw new IllegalArgumentException("the value cannot be written as YAML", impossible);
    }
  }
}
