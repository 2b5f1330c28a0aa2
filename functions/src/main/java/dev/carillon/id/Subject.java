package dev.carillon.id;

/**
 * The subject of a wake-up. Check messages name it by its text. A job id contains {@code ~}. Every
 * other text contains {@code #}, after a job id, a schedule or a namespace.
 */
public sealed interface Subject
    permits JobId, RunId, CollectingJobId, GateKey, PoolId, BackfillId, SuspensionEnd {

  /**
   * Reads the text of a subject.
   *
   * @throws IllegalArgumentException if the text is not a subject
   */
  static Subject parse(String text) {
    int hash = text.indexOf('#');
    if (hash < 0) {
      return JobId.parse(text);
    }
    if (RunId.names(text)) {
      return RunId.parse(text);
    }
    if (PoolId.names(text)) {
      return PoolId.parse(text);
    }
    if (text.lastIndexOf('/', hash) < 0) {
      return GateKey.parse(text);
    }
    return switch (text.substring(hash)) {
      case CollectingJobId.SUFFIX -> new CollectingJobId(schedule(text.substring(0, hash)));
      case SuspensionEnd.SUFFIX -> new SuspensionEnd(schedule(text.substring(0, hash)));
      default -> BackfillId.parse(text);
    };
  }

  private static ScheduleId schedule(String text) {
    if (!text.matches("[A-Za-z0-9_-]{1,32}/[A-Za-z0-9_.-]{1,64}")) {
      throw new IllegalArgumentException("not a schedule: " + text);
    }
    return ScheduleId.parse(text);
  }
}
