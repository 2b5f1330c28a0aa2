package dev.carillon.local;

import dev.carillon.console.Console;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The console on the port of the API, so that its page calls its own origin. */
final class ConsolePage {

  private static final String WITHOUT_SLASH = Console.PATH.substring(0, Console.PATH.length() - 1);

  private ConsolePage() {}

  /**
   * Answers a request for the console.
   *
   * @return false if the path is not one of the console
   */
  static boolean answer(Request request, String path, Response response, Callback callback) {
    if (path.equals(WITHOUT_SLASH)) {
      response.getHeaders().put(HttpHeader.LOCATION, Console.PATH);
      response.setStatus(HttpStatus.PERMANENT_REDIRECT_308);
      callback.succeeded();
      return true;
    }
    if (!path.startsWith(Console.PATH)) {
      return false;
    }
    if (HttpMethod.GET.is(request.getMethod()) || HttpMethod.HEAD.is(request.getMethod())) {
      send(request, path.substring(Console.PATH.length()), response, callback);
    } else {
      response.getHeaders().put(HttpHeader.ALLOW, "GET, HEAD");
      String detail = request.getMethod() + " is not allowed here; allowed are GET, HEAD";
      Problem.write(response, callback, HttpStatus.METHOD_NOT_ALLOWED_405, detail);
    }
    return true;
  }

  /** Jetty leaves out the body of the answer to a HEAD request. */
  private static void send(Request request, String name, Response response, Callback callback) {
    Console.Answer answer =
        Console.answer(name, request.getHeaders().get(HttpHeader.IF_NONE_MATCH));
    response.setStatus(answer.status());
    answer.headers().forEach((header, value) -> response.getHeaders().put(header, value));
    response.write(true, ByteBuffer.wrap(answer.body()), callback);
  }
}
