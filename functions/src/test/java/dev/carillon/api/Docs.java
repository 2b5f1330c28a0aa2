package dev.carillon.api;

/** Schedule documents as users write them. */
final class Docs {

  static final String DAILY = "{\"type\": \"cron\", \"expression\": \"0 0 3 * * ?\"}";
  static final String MINUTELY = "{\"type\": \"cron\", \"expression\": \"0 * * * * ?\"}";

  private Docs() {}

  static String of(String trigger) {
    return of(trigger, "");
  }

  static String active(String trigger) {
    return of(trigger, ", \"state\": \"ACTIVE\"");
  }

  /**
   * @param more further fields, each with a leading comma
   */
  static String of(String trigger, String more) {
    return """
        {"trigger": %s, "target": {"queue": "work", "template": {"at": "${scheduledFor}"}}%s}
        """
        .formatted(trigger, more);
  }

  static String to(String queue) {
    return "{\"trigger\": %s, \"target\": {\"queue\": \"%s\", \"template\": {}}}"
        .formatted(DAILY, queue);
  }

  static String at(String instant) {
    return "{\"type\": \"at\", \"time\": \"%s\"}".formatted(instant);
  }

  static String partition(String dataset, int count) {
    return "{\"type\": \"partition\", \"dataset\": \"%s\", \"count\": %d}"
        .formatted(dataset, count);
  }

  static String and(String... triggers) {
    return "{\"type\": \"and\", \"triggers\": [%s]}".formatted(String.join(", ", triggers));
  }

  static String or(String... triggers) {
    return "{\"type\": \"or\", \"triggers\": [%s]}".formatted(String.join(", ", triggers));
  }
}
