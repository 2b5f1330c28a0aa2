package dev.carillon.client;

import java.time.Duration;

/** Thrown when a request failed. The subtype determines what the caller should do. */
public abstract sealed class CarillonException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private CarillonException(String message) {
    super(message);
  }

  private CarillonException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The API refused the request. */
  public abstract static sealed class Refused extends CarillonException {

    private static final long serialVersionUID = 1L;

    private final String request;
    private final transient Problem problem;

    private Refused(String request, Problem problem) {
      super(problem.status() + " " + problem.text());
      this.request = request;
      this.problem = problem;
    }

    /**
     * The refused request: its method and path, like {@code GET /v1/status}. It is empty if the
     * client itself refused a name or a value, and sent nothing.
     */
    public String request() {
      return request;
    }

    /** The problem document of the API. */
    public Problem problem() {
      return problem;
    }

    public int status() {
      return problem.status();
    }
  }

  /** The request is invalid: 400, 405, 413, 415. The problem lists every error. */
  public static final class Invalid extends Refused {
    private static final long serialVersionUID = 1L;

    Invalid(String request, Problem problem) {
      super(request, problem);
    }
  }

  /** The caller is not allowed to make this request: 401, 403. */
  public static final class Denied extends Refused {
    private static final long serialVersionUID = 1L;

    Denied(String request, Problem problem) {
      super(request, problem);
    }
  }

  /** The resource does not exist: 404. */
  public static final class NotFound extends Refused {
    private static final long serialVersionUID = 1L;

    NotFound(String request, Problem problem) {
      super(request, problem);
    }
  }

  /** The request conflicts with the stored state or with a request in progress: 409. */
  public static final class Conflict extends Refused {
    private static final long serialVersionUID = 1L;

    Conflict(String request, Problem problem) {
      super(request, problem);
    }
  }

  /** The resource was changed since it was read; read it again: 412. */
  public static final class Stale extends Refused {
    private static final long serialVersionUID = 1L;

    Stale(String request, Problem problem) {
      super(request, problem);
    }
  }

  /**
   * The API gets too many requests, did not get the whole request in time, or a service behind it
   * failed: 408, 425, 429, 5xx. The request may have taken effect in part or completely. Send it
   * again after {@link #retryAfter}.
   */
  public static final class Unavailable extends Refused {
    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    Unavailable(String request, Problem problem, Duration retryAfter) {
      super(request, problem);
      this.retryAfter = retryAfter;
    }

    /** The minimum time to wait. */
    public Duration retryAfter() {
      return retryAfter;
    }
  }

  /** No answer arrived; the request may have taken effect. */
  public static final class Unreachable extends CarillonException {
    private static final long serialVersionUID = 1L;

    Unreachable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The answer does not come from Carillon: another service uses the address. */
  public static final class Unintelligible extends CarillonException {
    private static final long serialVersionUID = 1L;

    Unintelligible(String message, Throwable cause) {
      super(message, cause);
    }
  }

  static CarillonException of(String request, Problem problem, Duration retryAfter) {
    int status = problem.status();
    if (status >= 500) {
      return new Unavailable(request, problem, retryAfter);
    }
    return switch (status) {
      case 408, 425, 429 -> new Unavailable(request, problem, retryAfter);
      case 401, 403 -> new Denied(request, problem);
      case 404 -> new NotFound(request, problem);
      case 409 -> new Conflict(request, problem);
      case 412 -> new Stale(request, problem);
      default -> new Invalid(request, problem);
    };
  }
}
