package dev.carillon.api;

import dev.carillon.document.Fault;
import dev.carillon.document.Faults;
import dev.carillon.report.ReportReader;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The refusal of a request, as a problem document (RFC 9457) reports it to the caller. */
final class Problem extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ProblemType type;
  private final String detail;
  private final transient List<Fault> faults;
  private final transient Map<String, String> headers;

  private Problem(
      ProblemType type, String detail, List<Fault> faults, Map<String, String> headers) {
    super(detail, null, false, false);
    this.type = type;
    this.detail = detail;
    this.faults = Faults.listed(faults);
    this.headers = Map.copyOf(headers);
  }

  private static Problem of(ProblemType type, String detail) {
    return new Problem(type, detail, List.of(), Map.of());
  }

  static Problem invalid(List<Fault> faults) {
    return new Problem(ProblemType.INVALID_REQUEST, summary(faults), faults, Map.of());
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
    return of(ProblemType.NOT_FOUND, detail);
  }

  static Problem unknownRoute() {
    String detail = "the API has no such route; GET /v1/openapi.json lists the routes";
    return of(ProblemType.UNKNOWN_ROUTE, detail);
  }

  static Problem wrongMethod(String method, Collection<String> allowed) {
    String names = String.join(", ", allowed);
    String detail = Faults.quoted(method) + " is not possible here; use " + names;
    return new Problem(ProblemType.METHOD_NOT_ALLOWED, detail, List.of(), Map.of("Allow", names));
  }

  static Problem conflict(String detail) {
    return of(ProblemType.STATE_CONFLICT, detail);
  }

  /** A worker has the message of an attempt that has ended or that another worker has claimed. */
  static Problem superseded(String detail) {
    return of(ProblemType.SUPERSEDED, detail);
  }

  /** A worker claims an attempt too early. */
  static Problem notYet(String detail) {
    return of(ProblemType.NOT_YET, detail);
  }

  /** A worker has lost its claim. */
  static Problem staleClaim(String detail) {
    return of(ProblemType.STALE_CLAIM, detail);
  }

  /**
   * Faults of a request that is valid but contradicts what is stored, each with a pointer into the
   * request.
   */
  static Problem conflict(List<Fault> faults) {
    return new Problem(ProblemType.STATE_CONFLICT, summary(faults), faults, Map.of());
  }

  /** Another change is under way; the caller can repeat the request at once. */
  static Problem concurrent(String detail) {
    return of(ProblemType.CONCURRENT_CHANGE, detail);
  }

  /** Another change is under way, and ends after this long at the latest. */
  static Problem concurrent(String detail, Duration rest) {
    String seconds = Long.toString(rest.plusMillis(999).toSeconds());
    return new Problem(
        ProblemType.CONCURRENT_CHANGE, detail, List.of(), Map.of("Retry-After", seconds));
  }

  static Problem preconditionFailed(String detail) {
    return of(ProblemType.PRECONDITION_FAILED, detail);
  }

  static Problem tooLarge(int bytes, int most) {
    return of(ProblemType.BODY_TOO_LARGE, "the body has " + bytes + " bytes; send at most " + most);
  }

  /** A member of the body is too large to be stored with a job. */
  static Problem tooLarge(ReportReader.TooLarge member) {
    return of(ProblemType.BODY_TOO_LARGE, member.text());
  }

  static Problem wrongType(String given) {
    String detail =
        "the body is of type " + Faults.quoted(given) + "; send application/json in UTF-8";
    return of(ProblemType.UNSUPPORTED_MEDIA_TYPE, detail);
  }

  static Problem throttled() {
    String detail = "DynamoDB or SQS throttles this request; try again in a second";
    return new Problem(ProblemType.THROTTLED, detail, List.of(), Map.of("Retry-After", "1"));
  }

  static Problem unavailable(String detail) {
    return new Problem(ProblemType.INCOMPLETE, detail, List.of(), Map.of("Retry-After", "1"));
  }

  /** A refusal that came after a part of the request was carried out. */
  static Problem unavailable(String detail, Problem refusal) {
    return new Problem(ProblemType.INCOMPLETE, detail, refusal.faults, Map.of("Retry-After", "1"));
  }

  /** An item exists but cannot be read. */
  static Problem unreadable(String detail) {
    return of(ProblemType.INTERNAL_ERROR, detail);
  }

  static Problem internal() {
    return of(
        ProblemType.INTERNAL_ERROR,
        "the request failed in Carillon; try again later, the operator finds the cause in the log of the"
            + " function api");
  }

  /**
   * The same problem, found in a part of a request.
   *
   * @param pointer the pointer of that part
   */
  Problem within(String pointer) {
    List<Fault> moved =
        faults.stream().map(fault -> new Fault(pointer + fault.pointer(), fault.detail())).toList();
    return new Problem(type, detail, moved, headers);
  }

  /** The URI of its type. */
  String type() {
    return type.uri();
  }

  int status() {
    return type.status();
  }

  String title() {
    return type.title();
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
