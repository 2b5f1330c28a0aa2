package dev.carillon.local;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent.ProxyRequestContext;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent.RequestIdentity;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.pathmap.UriTemplatePathSpec;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/** HTTP requests and answers in the form that API Gateway exchanges with a function. */
final class ProxyEvents {

  private static final String STAGE = "local";
  private static final String CALLER = "arn:aws:iam::" + LocalAccount.ID + ":user/local";

  private ProxyEvents() {}

  /**
   * The request as an event. As on AWS, the path and its parameters stay percent-encoded, and the
   * query is decoded.
   */
  static APIGatewayProxyRequestEvent request(
      Request request, UriTemplatePathSpec route, String body) {
    String path = request.getHttpURI().getPath();
    Map<String, List<String>> headers = headers(request);
    Map<String, List<String>> query = query(request);
    return new APIGatewayProxyRequestEvent()
        .withResource(route.getDeclaration())
        .withPath(path)
        .withHttpMethod(request.getMethod())
        .withPathParameters(absentIfEmpty(parameters(route, path)))
        .withHeaders(last(headers))
        .withMultiValueHeaders(headers)
        .withQueryStringParameters(absentIfEmpty(last(query)))
        .withMultiValueQueryStringParameters(absentIfEmpty(query))
        .withRequestContext(context(request, route, path))
        .withBody(body.isEmpty() ? null : body)
        .withIsBase64Encoded(false);
  }

  static void write(APIGatewayProxyResponseEvent answer, Response response, Callback callback) {
    response.setStatus(answer.getStatusCode());
    if (answer.getHeaders() != null) {
      answer.getHeaders().forEach(response.getHeaders()::put);
    }
    if (answer.getMultiValueHeaders() != null) {
      answer
          .getMultiValueHeaders()
          .forEach(
              (name, values) -> values.forEach(value -> response.getHeaders().add(name, value)));
    }
    response.write(true, ByteBuffer.wrap(body(answer)), callback);
  }

  private static byte[] body(APIGatewayProxyResponseEvent answer) {
    if (answer.getBody() == null) {
      return new byte[0];
    }
    return Boolean.TRUE.equals(answer.getIsBase64Encoded())
        ? Base64.getDecoder().decode(answer.getBody())
        : answer.getBody().getBytes(StandardCharsets.UTF_8);
  }

  private static Map<String, String> parameters(UriTemplatePathSpec route, String path) {
    return route.getVariableCount() == 0 ? Map.of() : route.getPathParams(path);
  }

  private static Map<String, List<String>> headers(Request request) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (HttpField field : request.getHeaders()) {
      headers.put(field.getName(), request.getHeaders().getValuesList(field.getName()));
    }
    return headers;
  }

  private static Map<String, List<String>> query(Request request) {
    Map<String, List<String>> query = new LinkedHashMap<>();
    for (Fields.Field field : Request.extractQueryParameters(request)) {
      query.put(field.getName(), field.getValues());
    }
    return query;
  }

  private static ProxyRequestContext context(
      Request request, UriTemplatePathSpec route, String path) {
    RequestIdentity caller = new RequestIdentity();
    caller.setSourceIp(Request.getRemoteAddr(request));
    caller.setUserAgent(request.getHeaders().get(HttpHeader.USER_AGENT));
    caller.setUserArn(CALLER);
    caller.setAccountId(LocalAccount.ID);
    ProxyRequestContext context = new ProxyRequestContext();
    context.setAccountId(LocalAccount.ID);
    context.setApiId(STAGE);
    context.setStage(STAGE);
    context.setRequestId(UUID.randomUUID().toString());
    context.setResourcePath(route.getDeclaration());
    context.setPath(path);
    context.setHttpMethod(request.getMethod());
    context.setIdentity(caller);
    return context;
  }

  private static Map<String, String> last(Map<String, List<String>> values) {
    Map<String, String> last = new LinkedHashMap<>();
    values.forEach((name, list) -> last.put(name, list.get(list.size() - 1)));
    return last;
  }

  private static <V> @Nullable Map<String, V> absentIfEmpty(Map<String, V> map) {
    return map.isEmpty() ? null : map;
  }
}
