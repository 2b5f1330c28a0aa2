package dev.carillon.cli.doctor;

/**
 * The result of one check.
 *
 * @param result {@code ok} or {@code wrong}
 * @param remedy the remedy; empty if the result is ok
 */
public record Finding(String check, String result, String detail, String remedy) {

  static Finding ok(String check, String detail) {
    return new Finding(check, "ok", detail, "");
  }

  static Finding wrong(String check, String detail, String remedy) {
    return new Finding(check, "wrong", detail, remedy);
  }

  public boolean isWrong() {
    return result.equals("wrong");
  }
}
