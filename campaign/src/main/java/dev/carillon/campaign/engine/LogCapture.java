package dev.carillon.campaign.engine;

import java.time.DateTimeException;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Captures what the functions log, and records logged exceptions with the running task. Functions
 * continue after most exceptions, so a bug in a function would otherwise look like an injected
 * fault.
 */
public final class LogCapture implements SLF4JServiceProvider {

  /** A limit that only a newer version knows. A failure that names it is no fault of a function. */
  public static final String UNKNOWN_LIMIT = "t5:tokens";

  /** The error text of the checker for a check in a form that only a newer version knows. */
  private static final String UNKNOWN_CHECK = "due or wake is missing";

  private static final String PROVIDER = "slf4j.provider";
  private static final String VERBOSITY = "slf4j.internal.verbosity";

  private static final ThreadLocal<Task> RUNNING = new ThreadLocal<>();

  /** Exceptions that no injected fault explains. */
  private static final List<Class<? extends RuntimeException>> FAULTS =
      List.of(
          NullPointerException.class,
          ClassCastException.class,
          IndexOutOfBoundsException.class,
          IllegalArgumentException.class,
          NoSuchElementException.class,
          ConcurrentModificationException.class,
          UnsupportedOperationException.class,
          ArithmeticException.class,
          DateTimeException.class);

  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter contexts = new NOPMDCAdapter();

  /**
   * Installs this log capture; must be called before anything is logged in this process.
   *
   * @throws IllegalStateException if another logging provider is already active
   */
  public static void install() {
    System.setProperty(PROVIDER, LogCapture.class.getName());
    System.setProperty(VERBOSITY, "WARN");
    if (!(LoggerFactory.getLogger(LogCapture.class) instanceof CapturingLogger)) {
      throw new IllegalStateException(
          PROVIDER + " must name " + LogCapture.class.getName() + ": another provider is active");
    }
  }

  /** Binds this thread to the task that it runs from now on. */
  static void bind(Task task) {
    RUNNING.set(task);
  }

  static boolean isFault(Throwable thrown) {
    boolean isFault = false;
    for (Throwable next = thrown; next != null; next = next.getCause()) {
      Throwable cause = next;
      String message = String.valueOf(cause.getMessage());
      boolean isExpected = message.contains(UNKNOWN_LIMIT) || message.equals(UNKNOWN_CHECK);
      if (isExpected || cause instanceof Unavailable || cause instanceof Killed) {
        return false;
      }
      isFault |= FAULTS.stream().anyMatch(fault -> fault.isInstance(cause));
    }
    return isFault;
  }

  @Override
  public void initialize() {}

  @Override
  public ILoggerFactory getLoggerFactory() {
    return CapturingLogger::new;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return contexts;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  private static final class CapturingLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1L;

    CapturingLogger(String name) {
      this.name = name;
    }

    @Override
    public boolean isTraceEnabled() {
      return false;
    }

    @Override
    public boolean isDebugEnabled() {
      return false;
    }

    @Override
    public boolean isInfoEnabled() {
      return false;
    }

    @Override
    public boolean isWarnEnabled() {
      return true;
    }

    @Override
    public boolean isErrorEnabled() {
      return true;
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
      return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level,
        @Nullable Marker marker,
        String message,
        Object @Nullable [] arguments,
        @Nullable Throwable thrown) {
      Task task = RUNNING.get();
      if (task != null && thrown != null) {
        task.recordFailure(thrown);
      }
    }
  }
}
