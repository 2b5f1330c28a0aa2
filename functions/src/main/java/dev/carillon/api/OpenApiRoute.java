package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Serves the OpenAPI document of this API, without the extensions for API Gateway. */
final class OpenApiRoute {

  private static final String DOCUMENT = "openapi.yaml";
  private static final String OF_API_GATEWAY = "x-amazon-apigateway-";

  private OpenApiRoute() {}

  static APIGatewayProxyResponseEvent get() {
    return Answer.of(200, document());
  }

  /**
   * The document is read for each request, because requests for it are too rare to justify a cache.
   */
  private static JsonNode document() {
    try (InputStream yaml = OpenApiRoute.class.getResourceAsStream(DOCUMENT)) {
      if (yaml == null) {
        throw new IllegalStateException(DOCUMENT + " is not on the class path");
      }
      Object read = new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
      JsonNode document = new ObjectMapper().valueToTree(read);
      strip(document);
      return document;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static void strip(JsonNode node) {
    if (node instanceof ObjectNode object) {
      List<String> names = new ArrayList<>();
      object.fieldNames().forEachRemaining(names::add);
      object.remove(names.stream().filter(name -> name.startsWith(OF_API_GATEWAY)).toList());
    }
    node.forEach(OpenApiRoute::strip);
  }
}
