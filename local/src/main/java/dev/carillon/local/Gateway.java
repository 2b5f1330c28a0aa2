package dev.carillon.local;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.pathmap.MatchedResource;
import org.eclipse.jetty.http.pathmap.PathMappings;
import org.eclipse.jetty.http.pathmap.UriTemplatePathSpec;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP API as a function's event source, like API Gateway's REST API. It also serves the
 * console, and requires no signature.
 */
final class Gateway implements AutoCloseable {

  /**
   * The most requests at once, as many as an account of AWS has executions. A worker's pull
   * occupies a thread while it waits for a job.
   */
  private static final int MOST_REQUESTS = 1_000;

  /**
   * The most bytes of a body, as a string in JSON. The limit is that of Lambda, to which API
   * Gateway passes the body in this form.
   */
  static final int MOST_BODY_BYTES = 6 * 1024 * 1024;

  /**
   * The refusal of a body without a type. A page can send such a body to another origin, but it
   * cannot send a body of the type JSON there.
   */
  private static final String NO_TYPE =
      "the header Content-Type is absent; send application/json in UTF-8";

  private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

  private final LoopbackServer server;
  private final PathMappings<Map<String, LocalFunction>> routes = new PathMappings<>();

  Gateway(int port) {
    server = new LoopbackServer("the HTTP API", port, "--port", MOST_REQUESTS);
  }

  /** Binds the port. Requests wait until the engine has started. */
  void open() {
    server.open();
  }

  void route(EventSource.Route route, LocalFunction function) {
    UriTemplatePathSpec path = new UriTemplatePathSpec(route.path());
    Map<String, LocalFunction> methods = routes.get(path);
    if (methods == null) {
      methods = new TreeMap<>();
      routes.put(path, methods);
    }
    methods.put(route.method(), function);
  }

  void start() {
    server.start(new Front(), Gateway::refuse);
  }

  URI address() {
    return server.address();
  }

  @Override
  public void close() {
    server.close();
  }

  /** Answers requests that Jetty refuses, such as a malformed URI. */
  private static boolean refuse(Request request, Response response, Callback callback) {
    int status = Math.max(response.getStatus(), HttpStatus.BAD_REQUEST_400);
    Problem.write(response, callback, status, "the request is malformed");
    return true;
  }

  private final class Front extends Handler.Abstract {

    @Override
    public boolean handle(Request request, Response response, Callback callback)
        throws IOException {
      String path = request.getHttpURI().getPath();
      if (ConsolePage.answer(request, path, response, callback)) {
        return true;
      }
      MatchedResource<Map<String, LocalFunction>> match = routes.getMatched(path);
      if (match == null) {
        Problem.write(response, callback, HttpStatus.NOT_FOUND_404, "no route matches " + path);
        return true;
      }
      LocalFunction function = match.getResource().get(request.getMethod());
      if (function == null) {
        String allowed = String.join(", ", match.getResource().keySet());
        response.getHeaders().put(HttpHeader.ALLOW, allowed);
        String detail = request.getMethod() + " is not allowed here; allowed are " + allowed;
        Problem.write(response, callback, HttpStatus.METHOD_NOT_ALLOWED_405, detail);
        return true;
      }
      answer(request, (UriTemplatePathSpec) match.getPathSpec(), function, response, callback);
      return true;
    }
  }

  private static void answer(
      Request request,
      UriTemplatePathSpec path,
      LocalFunction function,
      Response response,
      Callback callback)
      throws IOException {
    String body = new String(body(request), StandardCharsets.UTF_8);
    if (JsonStringEncoder.getInstance().quoteAsUTF8(body).length > MOST_BODY_BYTES) {
      Problem.write(
          response,
          callback,
          HttpStatus.PAYLOAD_TOO_LARGE_413,
          "as a string in JSON, the body is larger than "
              + MOST_BODY_BYTES
              + " bytes; send less at once");
      return;
    }
    if (!body.isEmpty() && !request.getHeaders().contains(HttpHeader.CONTENT_TYPE)) {
      Problem.write(response, callback, HttpStatus.UNSUPPORTED_MEDIA_TYPE_415, NO_TYPE);
      return;
    }
    var event = ProxyEvents.request(request, path, body);
    try {
      var answer = function.invoke(event, APIGatewayProxyResponseEvent.class);
      if (answer != null) {
        ProxyEvents.write(answer, response, callback);
        return;
      }
      LOG.warn("{} returned no answer to {}", function.name(), request.getMethod());
    } catch (RuntimeException fault) {
      LOG.warn("{} failed", function.name(), fault);
    }
    Problem.write(response, callback, HttpStatus.BAD_GATEWAY_502, "the function failed");
  }

  /**
   * Reads at most one byte more than allowed. The rest is received and dropped, because otherwise
   * the client would not receive the answer.
   */
  private static byte[] body(Request request) throws IOException {
    try (InputStream content = Content.Source.asInputStream(request)) {
      byte[] body = content.readNBytes(MOST_BODY_BYTES + 1);
      if (body.length > MOST_BODY_BYTES) {
        content.transferTo(OutputStream.nullOutputStream());
      }
      return body;
    }
  }
}
