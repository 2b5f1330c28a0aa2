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
 * Hears what functions log, and tells the task that runs of the exceptions: they carry on after
 * any, so a fault of their own looks from outside like one of those that are injected.
 */
public final class Witness implements SLF4JServiceProvider {

  private static final String PROVIDER = "slf4j.provider";
  private static final String VERBOSITY = "slf4j.internal.verbosity";

  private static final ThreadLocal<Task> RUNNING = new ThreadLocal<>();

  /** What no fault outside of a function explains. */
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
   * To be called before anything is logged in this process.
   *
   * @throws IllegalStateException if it was not
   */
  public static void listen() {
    System.setProperty(PROVIDER, Witness.class.getName());
    System.setProperty(VERBOSITY, "WARN");
    if (!(LoggerFactory.getLogger(Witness.class) instanceof Ear)) {
      throw new IllegalStateException("another hears what is logged: set " + PROVIDER);
    }
  }

  /** From now on this thread runs a task. */
  static void attend(Task task) {
    RUNNING.set(task);
  }

  static boolean isFault(Throwable thrown) {
    boolean isFault = false;
    for (Throwable next = thrown; next != null; next = next.getCause()) {
      Throwable cause = next;
      if (cause instanceof Unavailable || cause instanceof Killed) {
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
    return Ear::new;
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

  /** One logger. */
  private static final class Ear extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1L;

    Ear(String name) {
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
        task.saw(thrown);
      }
    }
  }
}
