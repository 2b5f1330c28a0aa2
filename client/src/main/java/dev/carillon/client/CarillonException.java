package dev.carillon.client;

import java.time.Duration;

/** A request that was not answered as asked. Its subtypes say what its sender should do. */
public abstract sealed class CarillonException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private CarillonException(String message) {
    super(message);
  }

  private CarillonException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The API was reached, and refused. */
  public abstract static sealed class Refused extends CarillonException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    private Refused(Problem problem) {
      super(problem.status() + " " + problem.text());
      this.problem = problem;
    }

    /** What the API said. */
    public Problem problem() {
      return problem;
    }

    public int status() {
      return problem.status();
    }
  }

  /** Change the request: 400, 405, 413, 415; every fault is in the problem's errors. */
  public static final class Invalid extends Refused {
    private static final long serialVersionUID = 1L;

    Invalid(Problem problem) {
      super(problem);
    }
  }

  /** Who signed may not do this: 401, 403. */
  public static final class Denied extends Refused {
    private static final long serialVersionUID = 1L;

    Denied(Problem problem) {
      super(problem);
    }
  }

  /** There is no such thing: 404. */
  public static final class NotFound extends Refused {
    private static final long serialVersionUID = 1L;

    NotFound(Problem problem) {
      super(problem);
    }
  }

  /** It does not go with what is stored, or with what others do just now: 409. */
  public static final class Conflict extends Refused {
    private static final long serialVersionUID = 1L;

    Conflict(Problem problem) {
      super(problem);
    }
  }

  /** It was changed since it was read: read it again. 412. */
  public static final class Stale extends Refused {
    private static final long serialVersionUID = 1L;

    Stale(Problem problem) {
      super(problem);
    }
  }

  /**
   * Too many requests, or something behind the API does not answer: send the same again after a
   * while. 429, 5xx. What was asked for may have been done, in part or whole.
   */
  public static final class Unavailable extends Refused {
    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    Unavailable(Problem problem, Duration retryAfter) {
      super(problem);
      this.retryAfter = retryAfter;
    }

    /** How long to wait at least. */
    public Duration retryAfter() {
      return retryAfter;
    }
  }

  /** No answer came: what was asked for may have been done, or not. */
  public static final class Unreachable extends CarillonException {
    private static final long serialVersionUID = 1L;

    Unreachable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** An answer came that is none of Carillon's: something else is at that address. */
  public static final class Unintelligible extends CarillonException {
    private static final long serialVersionUID = 1L;

    Unintelligible(String message, Throwable cause) {
      super(message, cause);
    }
  }

  static CarillonException of(Problem problem, Duration retryAfter) {
    int status = problem.status();
    if (status == 429 || status >= 500) {
      return new Unavailable(problem, retryAfter);
    }
    return switch (status) {
      case 401, 403 -> new Denied(problem);
      case 404 -> new NotFound(problem);
      case 409 -> new Conflict(problem);
      case 412 -> new Stale(problem);
      default -> new Invalid(problem);
    };
  }
}
