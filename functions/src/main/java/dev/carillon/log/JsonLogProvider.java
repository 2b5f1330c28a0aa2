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
 * Logs lines of JSON to the standard output. No service file names it, because it is the provider
 * only on Lambda.
 */
public final class JsonLogProvider implements SLF4JServiceProvider, ILoggerFactory {

  /** The variable that Lambda sets to the level of the function's logging configuration. */
  private static final String LEVEL = "AWS_LAMBDA_LOG_LEVEL";

  private static volatile @Nullable String requestId;

  private final Map<String, Logger> loggers = new ConcurrentHashMap<>();
  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter contexts = new NOPMDCAdapter();

  /**
   * Makes this class the logging provider if the process runs on Lambda. Call it before any other
   * logger is made.
   */
  public static void useOnLambda(Map<String, String> environment) {
    if (environment.containsKey("AWS_LAMBDA_FUNCTION_NAME")) {
      System.setProperty("slf4j.provider", JsonLogProvider.class.getName());
      System.setProperty("slf4j.internal.verbosity", "WARN");
    }
  }

  /**
   * Sets the request id of all later log entries of all threads. One id is enough, because a
   * process on Lambda handles one invocation at a time.
   *
   * @param id the request id that Lambda's own entries use; null if there is none
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

  /**
   * Limits libraries to warnings. Their details can contain payloads, which must never be logged.
   */
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
