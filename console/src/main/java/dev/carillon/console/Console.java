package dev.carillon.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of the page. Their names are a fixed list, so that no name can reach another file. The
 * page calls the API at {@code ../v1/}, relative to its own address.
 */
public final class Console {

  /** The path at which a server mounts the page. */
  public static final String PATH = "/console/";

  private static final String INDEX = "index.html";

  /** The modules of the page itself. */
  private static final List<String> OWN =
      List.of(
          INDEX,
          "console.css",
          "icon.svg",
          "main.js",
          "library.js",
          "api.js",
          "time.js",
          "parts.js",
          "dialogs.js",
          "json.js",
          "pages.js",
          "overview.js",
          "launches.js",
          "ended.js",
          "schedules.js",
          "ends.js",
          "schedule.js",
          "fireline.js",
          "actions.js",
          "jobs.js",
          "job.js",
          "request.js",
          "editor.js",
          "complete.js",
          "completion.js",
          "week.js",
          "simulate.js",
          "pools.js",
          "registers.js");

  private static final Map<String, Asset> ASSETS = assets();

  private Console() {}

  /** The answer to a request. */
  @SuppressWarnings("ArrayRecordComponent") // fine, because answers are never compared
  public record Answer(int status, Map<String, String> headers, byte[] body) {}

  /**
   * Answers a GET or a HEAD request; for HEAD, the server leaves out the body.
   *
   * @param name the rest of the request's path after {@link #PATH}, as it was sent
   * @param ifNoneMatch the header If-None-Match
   */
  public static Answer answer(String name, @Nullable String ifNoneMatch) {
    Asset asset = ASSETS.get(name.isEmpty() ? INDEX : name);
    if (asset == null) {
      return new Answer(404, Headers.of("text/plain; charset=utf-8"), new byte[0]);
    }
    Map<String, String> headers = new LinkedHashMap<>(Headers.of(asset.type()));
    headers.put("ETag", asset.etag());
    headers.put("Cache-Control", "no-cache");
    return asset.etag().equals(ifNoneMatch)
        ? new Answer(304, headers, new byte[0])
        : new Answer(200, headers, asset.content());
  }

  /** The names of all files of the page. */
  static List<String> names() {
    return List.copyOf(ASSETS.keySet());
  }

  private static Map<String, Asset> assets() {
    Map<String, Asset> assets = new LinkedHashMap<>();
    for (String name : OWN) {
      assets.put(name, Asset.of(name, name));
    }
    Library.FILES.forEach((name, resource) -> assets.put(name, Asset.of(name, resource)));
    return assets;
  }
}
