package dev.carillon.api;

import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** What is wrong with a request, as its sender will read it. */
final class Problem extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private static final Map<Integer, String> TITLES =
      Map.of(
          400, "Bad Request",
          404, "Not Found",
          405, "Method Not Allowed",
          409, "Conflict",
          412, "Precondition Failed",
          413, "Content Too Large",
          415, "Unsupported Media Type",
          429, "Too Many Requests",
          500, "Internal Server Error",
          503, "Service Unavailable");

  private final int status;
  private final String detail;
  private final transient List<Fault> faults;
  private final transient Map<String, String> headers;

  private Problem(int status, String detail, List<Fault> faults, Map<String, String> headers) {
    super(detail, null, false, false);
    this.status = status;
    this.detail = detail;
    this.faults = List.copyOf(faults);
    this.headers = Map.copyOf(headers);
  }

  private static Problem of(int status, String detail) {
    return new Problem(status, detail, List.of(), Map.of());
  }

  static Problem invalid(List<Fault> faults) {
    return new Problem(400, summary(faults), faults, Map.of());
  }

  private static String summary(List<Fault> faults) {
    return faults.size() == 1
        ? faults.get(0).detail()
        : "there are " + faults.size() + " faults; see errors";
  }

  static Problem invalid(String pointer, String detail) {
    return invalid(List.of(new Fault(pointer, detail)));
  }

  /** Throws if any fault was noted. */
  static void refuse(Faults faults) {
    if (!faults.none()) {
      throw invalid(faults.found());
    }
  }

  static Problem notFound(String detail) {
    return of(404, detail);
  }

  static Problem wrongMethod(String method, Collection<String> allowed) {
    String names = String.join(", ", allowed);
    String detail = Faults.quoted(method) + " is not possible here; use " + names;
    return new Problem(405, detail, List.of(), Map.of("Allow", names));
  }

  static Problem conflict(String detail) {
    return of(409, detail);
  }

  /** What does not go with what is stored, each with a pointer into the request. */
  static Problem conflict(List<Fault> faults) {
    return new Problem(409, summary(faults), faults, Map.of());
  }

  /** Another has it, and will for this long. */
  static Problem conflict(String detail, Duration rest) {
    String seconds = Long.toString(rest.plusMillis(999).toSeconds());
    return new Problem(409, detail, List.of(), Map.of("Retry-After", seconds));
  }

  static Problem stale(String detail) {
    return of(412, detail);
  }

  static Problem tooLarge(int bytes, int most) {
    return of(413, "the body has " + bytes + " bytes; send at most " + most);
  }

  static Problem wrongType(String given) {
    String detail =
        "the body is of type " + Faults.quoted(given) + "; send application/json in UTF-8";
    return of(415, detail);
  }

  static Problem throttled() {
    String detail = "the store takes no more just now; try again in a second";
    return new Problem(429, detail, List.of(), Map.of("Retry-After", "1"));
  }

  static Problem unavailable(String detail) {
    return new Problem(503, detail, List.of(), Map.of("Retry-After", "1"));
  }

  static Problem internal() {
    return of(500, "something went wrong here; it is in the log");
  }

  /** The same of a part of a request. */
  Problem within(String pointer) {
    List<Fault> moved =
        faults.stream().map(fault -> new Fault(pointer + fault.pointer(), fault.detail())).toList();
    return new Problem(status, detail, moved, headers);
  }

  int status() {
    return status;
  }

  String title() {
    return TITLES.getOrDefault(status, "Error");
  }

  String detail() {
    return detail;
  }

  List<Fault> faults() {
    return faults;
  }

  Map<String, String> headers() {
    return headers;
  }
}
