package dev.carillon.system;

/** Schedule documents, as users write them. */
final class Documents {

  private Documents() {}

  static String active(String trigger) {
    return """
        {"trigger": %s, "state": "ACTIVE",
         "target": {"queue": "work", "template": {"at": "${scheduledFor}", "job": "${jobId}"}}}
        """
        .formatted(trigger);
  }

  static String active(String trigger, String more) {
    String document = active(trigger).strip();
    return document.substring(0, document.length() - 1) + ", " + more + "}";
  }

  static String cron(String expression) {
    return "{\"type\": \"cron\", \"expression\": \"%s\"}".formatted(expression);
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
