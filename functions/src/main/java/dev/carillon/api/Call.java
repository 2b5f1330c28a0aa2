package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.document.Bounds;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.document.NotJson;
import dev.carillon.document.TextForm;
import dev.carillon.id.AppId;
import dev.carillon.id.CalendarId;
import dev.carillon.id.GateKey;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One request. Faults of its path and query have pointers that begin with {@code /path} and {@code
 * /query}; faults of its body have pointers into the body.
 */
final class Call {

  private static final Set<String> NUMBERS = Set.of("limit", "count");
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}");
  private static final Pattern JSON_TYPE =
      Pattern.compile("\\s*application/json\\s*(;.*)?", Pattern.CASE_INSENSITIVE);
  private static final Pattern OTHER_CHARSET =
      Pattern.compile(
          ".*;\\s*charset\\s*=(?!\\s*\"?(?:utf-?8|us-ascii)\"?\\s*(?:;|$)).*",
          Pattern.CASE_INSENSITIVE);

  private final APIGatewayProxyRequestEvent event;
  private final List<String> known;

  private Call(APIGatewayProxyRequestEvent event) {
    this.event = event;
    this.known = QueryParameters.of(event.getHttpMethod(), event.getResource());
  }

  /**
   * The call of a route. Refuses all query parameters if the route has none; a route that has some
   * finds unknown ones when it reads its own.
   */
  static Call of(APIGatewayProxyRequestEvent event) {
    Call call = new Call(event);
    if (call.known.isEmpty()) {
      Faults faults = new Faults();
      call.query(faults);
      Problem.refuse(faults);
    }
    return call;
  }

  /** The ARN of the caller, or "local" where requests are not signed. */
  String caller() {
    var context = event.getRequestContext();
    var identity = context == null ? null : context.getIdentity();
    String arn = identity == null ? null : identity.getUserArn();
    return arn == null || arn.isBlank() ? "local" : arn;
  }

  String namespace() {
    return name("ns", TextForm.NAMESPACE);
  }

  ScheduleId scheduleId() {
    return new ScheduleId(namespace(), name("name", TextForm.NAME));
  }

  AppId appId() {
    return new AppId(namespace(), name("app", TextForm.NAME));
  }

  CalendarId calendarId() {
    return new CalendarId(namespace(), name("name", TextForm.NAME));
  }

  PoolId poolId() {
    return new PoolId(namespace(), name("pool", TextForm.NAME));
  }

  /** The gate of the program that the path names. */
  GateKey program() {
    return GateKey.ofProgram(namespace(), name("program", TextForm.NAME));
  }

  /** The gate of the resource that the path names. */
  GateKey resource() {
    return GateKey.ofResource(namespace(), name("name", TextForm.NAME));
  }

  private String name(String parameter, TextForm form) {
    String written = path(parameter);
    String given = decoded(written);
    if (!written.equals(given) && form.fits(given)) {
      throw Problem.invalid(
          "/path/" + parameter,
          Faults.quoted(written)
              + " is percent-encoded; write each letter of the name as it is, because a policy"
              + " that allows or denies a path compares it as it is written");
    }
    if (!form.fits(given)) {
      throw Problem.invalid(
          "/path/" + parameter, Faults.quoted(given) + " is not a valid name; " + form.remedy());
    }
    return given;
  }

  /** A part of a path without percent-encoding; the part itself if its encoding is not valid. */
  private static String decoded(String written) {
    try {
      return URLDecoder.decode(written.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notEncoded) {
      return written;
    }
  }

  /**
   * A path parameter as it is written; empty if it is missing. Only {@code ~}, which some clients
   * encode in ids, is decoded. A path with any other encoded letter would not match the IAM
   * policies that name the path.
   */
  String path(String parameter) {
    Map<String, String> given = event.getPathParameters();
    String value = given == null ? null : given.get(parameter);
    return value == null ? "" : value.replace("%7E", "~").replace("%7e", "~");
  }

  @Nullable String header(String name) {
    Map<String, String> headers = event.getHeaders();
    if (headers == null) {
      return null;
    }
    return headers.entrySet().stream()
        .filter(header -> name.equalsIgnoreCase(header.getKey()) && header.getValue() != null)
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  /**
   * Whether {@code dryRun} asks for the answer without the effects. Refuses other query parameters.
   */
  boolean isDryRun() {
    Faults faults = new Faults();
    boolean isDryRun = isDryRun(faults);
    Problem.refuse(faults);
    return isDryRun;
  }

  /** Whether {@code dryRun} asks for the answer without the effects. */
  boolean isDryRun(Faults faults) {
    return query(faults).choice("dryRun", List.of("false", "true"), "false").equals("true");
  }

  /** The query parameters. Those that the route does not have become faults. */
  Fields query(Faults faults) {
    ObjectNode given = Json.object();
    Map<String, String> parameters = event.getQueryStringParameters();
    if (parameters != null) {
      parameters.forEach((name, value) -> given.set(name, value(name, value)));
    }
    Fields query = Fields.of(given, "/query", faults);
    Map<String, List<String>> all = event.getMultiValueQueryStringParameters();
    if (all != null) {
      all.entrySet().stream()
          .filter(parameter -> parameter.getValue() != null && parameter.getValue().size() > 1)
          .forEach(
              parameter ->
                  query.refuse(
                      parameter.getKey(), "the parameter is given more than once; give it once"));
    }
    query.allowOnly(known);
    return query;
  }

  private static JsonNode value(String name, @Nullable String value) {
    String text = value == null ? "" : value;
    boolean number = NUMBERS.contains(name) && NUMBER.matcher(text).matches();
    return number ? LongNode.valueOf(Long.parseLong(text)) : TextNode.valueOf(text);
  }

  /** The body, which is required. */
  JsonNode body(int mostBytes) {
    String text = text(mostBytes);
    if (text.isBlank()) {
      throw Problem.invalid("", "the body is missing; send a JSON object");
    }
    return read(text);
  }

  /** The members of the body; no members if there is no body. */
  Fields fields(Faults faults, List<String> known) {
    String text = text(Bounds.MOST_BYTES);
    JsonNode body = text.isBlank() ? Json.object() : read(text);
    Bounds.checkContent(body, "", faults);
    Problem.refuse(faults);
    Fields fields = Fields.of(body, "", faults);
    fields.allowOnly(known);
    return fields;
  }

  private static JsonNode read(String text) {
    try {
      return Json.read(text);
    } catch (JsonProcessingException notJson) {
      throw Problem.invalid("", NotJson.detail("the body", notJson));
    }
  }

  private String text(int mostBytes) {
    String body = event.getBody();
    if (body == null || body.isEmpty()) {
      return "";
    }
    boolean encoded = Boolean.TRUE.equals(event.getIsBase64Encoded());
    byte[] bytes = encoded ? fromBase64(body) : body.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > mostBytes) {
      throw Problem.tooLarge(bytes.length, mostBytes);
    }
    String type = header("Content-Type");
    if (type != null && !isJson(type)) {
      throw Problem.wrongType(type.toLowerCase(Locale.ROOT));
    }
    return encoded ? fromUtf8(bytes) : body;
  }

  private static boolean isJson(String type) {
    return JSON_TYPE.matcher(type).matches() && !OTHER_CHARSET.matcher(type).matches();
  }

  private static byte[] fromBase64(String body) {
    try {
      return Base64.getDecoder().decode(body);
    } catch (IllegalArgumentException notBase64) {
      throw Problem.invalid(
          "", "the body is marked as Base64 but is not valid Base64; send plain JSON");
    }
  }

  private static String fromUtf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notUtf8) {
      throw Problem.invalid("", "the body is not UTF-8; send JSON in UTF-8");
    }
  }
}
