package dev.carillon.cli.output;

/** A number of things in words, like "1 job" and "2 jobs". */
public final class Counted {

  private Counted() {}

  /**
   * @param one the noun in the singular; its plural has an s
   */
  public static String of(long count, String one) {
    return of(count, one, one + "s");
  }

  public static String of(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }
}
