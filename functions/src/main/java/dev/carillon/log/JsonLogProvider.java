package dev.carillon.log;

import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Logs as lines of JSON to the standard output. No service file names it: elsewhere than on Lambda
 * others decide how to log.
 */
public final class JsonLogProvider implements SLF4JServiceProvider, ILoggerFactory {

  /** Set by Lambda to what the function's logging configuration asks for. */
  private static final String LEVEL = "AWS_LAMBDA_LOG_LEVEL";

  private static volatile @Nullable String requestId;

  private final Map<String, Logger> loggers = new ConcurrentHashMap<>();
  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter contexts = new NOPMDCAdapter();

  /**
   * Makes it the provider of this process if it is one on Lambda; to be called before any other.
   */
  public static void useOnLambda(Map<String, String> environment) {
    if (environment.containsKey("AWS_LAMBDA_FUNCTION_NAME")) {
      System.setProperty("slf4j.provider", JsonLogProvider.class.getName());
      System.setProperty("slf4j.internal.verbosity", "WARN");
    }
  }

  /**
   * Names an invocation in what is logged from now on, by any thread: a process on Lambda has one
   * at a time.
   *
   * @param id Lambda's, by which its own entries name the invocation; null if there is none
   */
  public static void begin(@Nullable String id) {
    requestId = id;
  }

  static @Nullable String requestId() {
    return requestId;
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return this;
  }

  @Override
  public Logger getLogger(String name) {
    return loggers.computeIfAbsent(name, JsonLogProvider::logger);
  }

  private static Logger logger(String name) {
    return new JsonLogger(name, level(name, System.getenv()), InstantSource.system());
  }

  /** What libraries say in detail can be contents of requests: that is never logged. */
  static Level level(String name, Map<String, String> environment) {
    Level wanted = wanted(environment.getOrDefault(LEVEL, ""));
    boolean own = name.startsWith("dev.carillon.");
    return own || wanted.toInt() > Level.WARN.toInt() ? wanted : Level.WARN;
  }

  private static Level wanted(String given) {
    return switch (given) {
      case "TRACE" -> Level.TRACE;
      case "DEBUG" -> Level.DEBUG;
      case "WARN" -> Level.WARN;
      case "ERROR", "FATAL" -> Level.ERROR;
      default -> Level.INFO;
    };
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

  @Override
  public void initialize() {}
}
