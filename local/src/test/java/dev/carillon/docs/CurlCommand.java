package dev.carillon.docs;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * A curl command of a document.
 *
 * @param headers as {@code Name: value}
 * @param body empty for none; a file if it begins with {@code @}
 */
record CurlCommand(String method, String url, List<String> headers, String body) {

  static CurlCommand of(List<String> words) {
    String method = "";
    String url = "";
    String body = "";
    List<String> headers = new ArrayList<>();
    Iterator<String> rest = words.subList(1, words.size()).iterator();
    while (rest.hasNext()) {
      String word = rest.next();
      switch (word) {
        case "-X" -> method = rest.next();
        case "-H" -> headers.add(rest.next());
        case "-d" -> body = rest.next();
        default -> url = word;
      }
    }
    method = method.isEmpty() ? body.isEmpty() ? "GET" : "POST" : method;
    return new CurlCommand(method, url, headers, body);
  }

  /**
   * @param places what stands in the document, and what takes its place
   */
  HttpRequest request(Map<String, String> places) {
    String target = url;
    for (Map.Entry<String, String> place : places.entrySet()) {
      target = target.replace(place.getKey(), place.getValue());
    }
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target));
    for (String header : headers) {
      int colon = header.indexOf(':');
      request.header(header.substring(0, colon), header.substring(colon + 1).strip());
    }
    return request.method(method, publisher()).build();
  }

  private BodyPublisher publisher() {
    if (body.startsWith("@")) {
      List<String> lines = Document.read(Document.ROOT.resolve(body.substring(1))).lines();
      return BodyPublishers.ofString(String.join("\n", lines));
    }
    return body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
  }
}
